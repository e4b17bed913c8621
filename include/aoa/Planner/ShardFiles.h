//===- ShardFiles.h - Which files the shards of a result go to --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PLANNER_SHARDFILES_H
#define AOA_PLANNER_SHARDFILES_H

#include "aoa/IR/Program.h"
#include "aoa/Sema/Analyze.h"

namespace aoa {

/// A shard of a result in a file of the target.
struct ShardFile {
  uint32_t shard;
  uint32_t rank; ///< The first of those that hold the shard and share the file.
  std::string file; ///< Empty where sizes decide: one of the directory's files.
};

/// Returns where buildPlan puts the shards of result `result`, files each once.
/// Requires place-results. Cost: linear in the results.
std::vector<ShardFile> filesOfShards(const ir::Program &program,
                                     const Target &target, uint32_t result);

} // namespace aoa

#endif // AOA_PLANNER_SHARDFILES_H
