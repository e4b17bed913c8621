//===- RegionClasses.h - Geometry that regions share ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Puts together the class of one region at a time, from its blocks, and keeps
// each class once:
//
//   RegionClasses classes(plan);
//   for (each block of the shard)
//     classes.add(slot, classes.internOps(ops), block);
//   region.regionClass = classes.finish();
//
// Slots are numbered from 0 in each region: blocks of one source shard have one
// slot. Cost: a step and, where the form is not the last one's, a look-up for
// each block.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_PLANNER_REGIONCLASSES_H
#define AOA_LIB_PLANNER_REGIONCLASSES_H

#include "aoa/Affine/PieceSet.h"
#include "aoa/Plan/TransferPlan.h"

#include <unordered_map>

namespace aoa {

class RegionClasses {
public:
  /// Classes and element operations go to `plan`, whose own are empty.
  explicit RegionClasses(TransferPlan &plan) : plan(plan) {}

  /// Returns the number of `ops` in the plan.
  uint32_t internOps(const ElementOps &ops);

  /// Adds a block to the class that is being put together: `piece` goes from
  /// elements of the shard at `slot` to elements of the region. Requires a
  /// piece whose dimensions are folded (affine::foldDims).
  void add(uint32_t slot, uint32_t ops, const affine::PieceRef &piece);

  /// Returns the number of the class of the blocks added since the last call.
  uint32_t finish();

private:
  uint32_t internForm(uint32_t ops, const affine::PieceRef &piece);

  using ByHash = std::unordered_multimap<size_t, uint32_t>;
  TransferPlan &plan;
  RegionClass current;
  ByHash forms; ///< Of `current`.
  ByHash classes, elementOps;
};

} // namespace aoa

#endif // AOA_LIB_PLANNER_REGIONCLASSES_H
