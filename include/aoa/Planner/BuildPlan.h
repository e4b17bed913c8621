//===- BuildPlan.h - From pieces to a transfer plan -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Decides which replica is read, which files the result becomes, where every
// shard lies in them, and what a run compares.
//===----------------------------------------------------------------------===//
#ifndef AOA_PLANNER_BUILDPLAN_H
#define AOA_PLANNER_BUILDPLAN_H

#include "aoa/Formats/Checkpoint.h"
#include "aoa/IR/Program.h"
#include "aoa/Plan/TransferPlan.h"
#include "aoa/Sema/Analyze.h"

#include <functional>

namespace aoa {

/// Whether stored copies of a shard are compared by a run. Auto: when that adds
/// at most a tenth to what is read.
enum class CheckReplicas { Auto, Yes, No };

struct BuildPlanOptions {
  int64_t maxShardBytes = 5'000'000'000; ///< For `full` targets.
  std::vector<SideFile> sideFiles = {};
  PlanOrigin origin = {};
  CheckReplicas checkReplicas = CheckReplicas::No;
  /// Takes how many tensors that are read have stored copies which a run does
  /// not compare.
  int64_t *numNotCompared = nullptr;
  /// Says where a statement stands, `s.aoa:3`, for what people read.
  std::function<std::string(SourceRange)> placeOf = {};
};

/// Builds the plan of a composed program. Fails when a file cannot be laid out,
/// ranks that share a file name hold different data (names the tensor and both
/// ranks), or a side file would stand where a result goes.
Expected<TransferPlan> buildPlan(const ir::Program &program,
                                 const Target &target,
                                 const BuildPlanOptions &options);

} // namespace aoa

#endif // AOA_PLANNER_BUILDPLAN_H
