//===- TransferPlan.cpp - What a plan amounts to ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/TransferPlan.h"

#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <map>

namespace aoa {

namespace {

/// Sums that do not fit are the largest number: a forged plan can read one byte
/// very often.
int64_t addOrMax(int64_t a, std::optional<int64_t> b) {
  return b ? checkedAdd(a, *b).value_or(INT64_MAX) : INT64_MAX;
}

template <typename Visit>
void forEachTargetRegion(const TransferPlan &plan, Visit visit) {
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions)
      visit(region);
}

template <typename Visit>
void forEachComparedRegion(const TransferPlan &plan, Visit visit) {
  for (const Comparison &comparison : plan.comparisons) {
    visit(comparison.left);
    visit(comparison.right);
  }
}

/// Returns the bytes of the elements of a block in `dtype`, or of those that
/// differ if `isRead`. Sub-byte tensors move whole, so it is a number of bytes.
std::optional<int64_t> sizeOf(const TransferForm &form, DType dtype,
                              bool isRead) {
  int64_t count = 1;
  for (const TransferDim &dim : form.dims)
    if (!isRead || dim.srcStride != 0)
      count *= dim.extent;
  const int64_t bits = bitsOf(dtype);
  return checkedMul(count / 8, bits).and_then([&](int64_t whole) {
    return checkedAdd(whole, count % 8 * bits / 8);
  });
}

/// What regions read or write, worked out once a class.
class ByteCounts {
public:
  ByteCounts(const TransferPlan &plan, bool isRead)
      : plan(plan), isRead(isRead), ofClass(plan.classes.size()) {
    if (!isRead)
      return;
    for (size_t i = 0; i < plan.sources.size(); ++i)
      if (!plan.sources[i].inlined.empty())
        inlined.push_back(static_cast<uint32_t>(i));
  }

  int64_t of(const TargetRegion &region) {
    const std::vector<uint32_t> slots = inlinedSlots(region);
    if (!slots.empty()) {
      auto [entry, isNew] = ofSlots.try_emplace({region.regionClass, slots});
      if (isNew)
        entry->second = count(region.regionClass, slots);
      return entry->second;
    }
    std::optional<int64_t> &known = ofClass[region.regionClass];
    if (!known)
      known = count(region.regionClass, slots);
    return *known;
  }

private:
  /// The slots of a region that lie in the plan itself, ascending.
  std::vector<uint32_t> inlinedSlots(const TargetRegion &region) const {
    std::vector<uint32_t> slots;
    if (inlined.empty())
      return slots;
    uint32_t first = 0;
    for (const SlotRun &run : region.slots) {
      if (run.sourceStep == 0) {
        if (std::ranges::binary_search(inlined, run.source))
          for (uint32_t i = 0; i < run.count; ++i)
            slots.push_back(first + i);
      } else if (run.source <= inlined.back()) {
        for (uint32_t i = 0; i < run.count; ++i)
          if (std::ranges::binary_search(inlined,
                                         run.source + i * run.sourceStep))
            slots.push_back(first + i);
      }
      first += run.count;
    }
    return slots;
  }

  int64_t count(uint32_t number, const std::vector<uint32_t> &without) const {
    const RegionClass &each = plan.classes[number];
    std::vector<std::optional<int64_t>> sizes;
    sizes.reserve(each.forms.size());
    for (const TransferForm &form : each.forms) {
      const ElementOps &ops = plan.elementOps[form.ops];
      sizes.push_back(sizeOf(form, isRead ? ops.from : ops.to(), isRead));
    }
    int64_t sum = 0;
    for (const ClassTransfer &transfer : each.transfers)
      if (without.empty() ||
          !std::ranges::binary_search(without, transfer.slot))
        sum = addOrMax(sum, sizes[transfer.form]);
    return sum;
  }

  const TransferPlan &plan;
  const bool isRead;
  std::vector<uint32_t> inlined; ///< Sources, ascending.
  std::vector<std::optional<int64_t>> ofClass;
  std::map<std::pair<uint32_t, std::vector<uint32_t>>, int64_t> ofSlots;
};

} // namespace

int64_t TransferPlan::numTransfers() const {
  int64_t sum = 0;
  forEachTargetRegion(*this, [&](const TargetRegion &region) {
    sum = addOrMax(sum, int64_t(classes[region.regionClass].transfers.size()));
  });
  return sum;
}

int64_t TransferPlan::transferBytesWritten() const {
  int64_t sum = 0;
  ByteCounts counts(*this, false);
  forEachTargetRegion(*this, [&](const TargetRegion &region) {
    sum = addOrMax(sum, counts.of(region));
  });
  return sum;
}

int64_t TransferPlan::transferBytesRead() const {
  int64_t sum = 0;
  ByteCounts counts(*this, true);
  forEachTargetRegion(*this, [&](const TargetRegion &region) {
    sum = addOrMax(sum, counts.of(region));
  });
  return sum;
}

int64_t TransferPlan::comparedBytesRead() const {
  int64_t sum = 0;
  ByteCounts counts(*this, true);
  forEachComparedRegion(*this, [&](const TargetRegion &region) {
    sum = addOrMax(sum, counts.of(region));
  });
  return sum;
}

int64_t TransferPlan::bytesToRead() const {
  return addOrMax(transferBytesRead(), comparedBytesRead());
}

int64_t TransferPlan::comparedBytes() const {
  int64_t sum = 0;
  for (const Comparison &comparison : comparisons)
    sum = addOrMax(sum, comparison.left.sizeBytes);
  return sum;
}

int64_t TransferPlan::outputBytes() const {
  int64_t bytes = 0;
  for (const TargetFile &file : targets)
    bytes += file.bytes;
  for (const IndexFile &index : indexes)
    bytes += static_cast<int64_t>(index.text.size());
  for (const CopiedFile &copy : copies)
    bytes += copy.bytes;
  return bytes;
}

} // namespace aoa
