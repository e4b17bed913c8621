//===- RegionTransfers.cpp - The transfers of one region ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/RegionTransfers.h"

#include <algorithm>

namespace aoa {

RegionTransfers::RegionTransfers(const TransferPlan &plan,
                                 const TargetRegion &region)
    : plan(&plan), regionClass(&plan.classes[region.regionClass]),
      runs(&region.slots) {
  if (runs->size() < 2)
    return;
  firstSlots.reserve(runs->size());
  uint32_t first = 0;
  for (const SlotRun &run : *runs) {
    firstSlots.push_back(first);
    first += run.count;
  }
}

const SlotRun &RegionTransfers::runOf(uint32_t slot,
                                      uint32_t &numberInRun) const {
  numberInRun = slot;
  if (firstSlots.empty())
    return runs->front();
  const auto next = std::ranges::upper_bound(firstSlots, slot);
  const auto number = static_cast<size_t>(next - firstSlots.begin()) - 1;
  numberInRun = slot - firstSlots[number];
  return (*runs)[number];
}

Transfer RegionTransfers::operator[](size_t number) const {
  const ClassTransfer &transfer = regionClass->transfers[number];
  const TransferForm &form = regionClass->forms[transfer.form];
  uint32_t numberInRun;
  const SlotRun &run = runOf(transfer.slot, numberInRun);
  const int64_t offsetBits =
      transfer.srcOffset * bitsOf(plan->elementOps[form.ops].from);
  return {run.source + numberInRun * run.sourceStep, form.ops,
          run.atBytes + numberInRun * run.atStep + offsetBits / 8,
          transfer.dstOffset, form.dims};
}

} // namespace aoa
