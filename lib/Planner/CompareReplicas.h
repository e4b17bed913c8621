//===- CompareReplicas.h - Stored copies that must be equal -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PLANNER_COMPAREREPLICAS_H
#define AOA_LIB_PLANNER_COMPAREREPLICAS_H

#include "RegionGeometries.h"
#include "SourceTable.h"
#include "aoa/Planner/BuildPlan.h"

namespace aoa {

struct ReplicaComparisons {
  std::vector<Comparison> comparisons;
  int64_t numNotCompared = 0; ///< Tensors with copies that are not compared.
};

/// Makes a comparison for each shard of a tensor that the program reads and
/// that lies elsewhere, too, with the first one that holds the same. With Auto
/// none at all when they would add more than a tenth to `bytesRead`. To be
/// called before SourceTable::finish. Cost: the shards of the tensors.
Expected<ReplicaComparisons> compareReplicas(const ir::Program &program,
                                             CheckReplicas check,
                                             int64_t bytesRead,
                                             SourceTable &sources,
                                             RegionGeometries &geometries);

} // namespace aoa

#endif // AOA_LIB_PLANNER_COMPAREREPLICAS_H
