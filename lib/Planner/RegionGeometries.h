//===- RegionGeometries.h - From layout classes to region classes -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0
//
// What the regions of one target shard have in common, made once for all
// results of a layout class: the transfers, and which shards of which source
// tensors their slots are, as ranges:
//
//   pieces of s0@3, s0@4, s0@5, s1@0  →  slots 0-2 = s0 from 3 on, slot 3 =
//   s1@0
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_PLANNER_REGIONGEOMETRIES_H
#define AOA_LIB_PLANNER_REGIONGEOMETRIES_H

#include "ChooseReplicas.h"
#include "RegionClasses.h"

#include <map>

namespace aoa {

/// Consecutive slots of a region: shards of one source tensor.
struct SlotRange {
  uint32_t source; ///< Index into Result::slots.
  uint32_t firstShard;
  uint32_t count;
};

struct RegionGeometry {
  uint32_t regionClass;
  std::vector<SlotRange> slots;
};

class RegionGeometries {
public:
  RegionGeometries(const ir::Program &program, TransferPlan &plan)
      : program(program), replicas(program), classes(plan) {}

  /// Returns the geometry of shard `shard` of `result` in a file of `rank`. The
  /// rank matters only where a source tensor is stored several times. Valid
  /// until the next call. Cost: a look-up where it is known, else the pieces.
  const RegionGeometry &of(const ir::Result &result, uint32_t shard,
                           uint32_t rank);

  /// The class of a shard of `shape` that is taken as it is from one slot.
  uint32_t classOfCopy(DType dtype, llvm::ArrayRef<int64_t> shape);

  ReplicaChooser &chooser() { return replicas; }

private:
  RegionGeometry make(const ir::Result &result, uint32_t shard, uint32_t rank);
  uint32_t opsOf(const ir::Result &result, const ir::StorageOrigin &origin);

  const ir::Program &program;
  ReplicaChooser replicas;
  RegionClasses classes;
  /// Layout class and shard → what regions share whose sources have no copies.
  std::map<std::pair<ir::LayoutClassId, uint32_t>, RegionGeometry> known;
  RegionGeometry last; ///< Of a region that chose among copies.
  /// By origin, for the shard at hand. Kept: a shard reads few of its class's
  /// origins, and clearing all of them would cost shards times shards.
  std::vector<uint32_t> slotOf;
};

} // namespace aoa

#endif // AOA_LIB_PLANNER_REGIONGEOMETRIES_H
