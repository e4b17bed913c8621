//===- RegionTransfers.h - The transfers of one region ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A region's class and its slots put together, one transfer at a time: nothing
// is stored for each transfer, so that a region of a million costs no more than
// its class does. Requires a plan that verifyPlan accepts.
//===----------------------------------------------------------------------===//
#ifndef AOA_PLAN_REGIONTRANSFERS_H
#define AOA_PLAN_REGIONTRANSFERS_H

#include "aoa/Plan/TransferPlan.h"

#include <span>

namespace aoa {

/// Copies element i of the block from
///   srcAtBytes + Σ i·srcStride · bytes of the source's dtype   in file
///   `source`
/// to element
///   dstOffset + Σ i·dstStride                                  of the region.
struct Transfer {
  uint32_t source; ///< Index into TransferPlan::sources.
  uint32_t ops;    ///< Index into TransferPlan::elementOps.
  int64_t srcAtBytes;
  int64_t dstOffset;                 ///< Elements from the region's start.
  std::span<const TransferDim> dims; ///< Of the plan.
};

class RegionTransfers {
public:
  /// Costs a step for each run of the region's slots. `plan` and `region` stay
  /// where they are as long as this is used.
  RegionTransfers(const TransferPlan &plan, const TargetRegion &region);

  size_t size() const { return regionClass->transfers.size(); }
  /// Costs a search among the runs.
  Transfer operator[](size_t number) const;

private:
  const SlotRun &runOf(uint32_t slot, uint32_t &numberInRun) const;

  const TransferPlan *plan;
  const RegionClass *regionClass;
  const std::vector<SlotRun> *runs;
  std::vector<uint32_t> firstSlots; ///< Of each run, if there are several.
};

} // namespace aoa

#endif // AOA_PLAN_REGIONTRANSFERS_H
