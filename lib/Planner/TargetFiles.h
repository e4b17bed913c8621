//===- TargetFiles.h - Which files the result becomes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PLANNER_TARGETFILES_H
#define AOA_LIB_PLANNER_TARGETFILES_H

#include "aoa/Planner/BuildPlan.h"

namespace aoa {

/// A shard of a result, as indexes into the program.
struct ShardRef {
  uint32_t result;
  uint32_t shard;
};

struct PlannedFile {
  OutputFile image;             ///< `tensors` index `shards`.
  std::vector<ShardRef> shards; ///< Sorted by result.
  uint32_t rank =
      0; ///< The (first) rank that writes it: its replicas are near.
};

struct PlannedFiles {
  std::vector<PlannedFile> files;
  std::vector<std::pair<std::string, std::string>> indexes;
};

/// `full`, and lists of tensors that one rank holds whole: a directory as
/// Hugging Face writes it. Layouts: a file for every rank that holds anything.
/// Other lists: the files that the list names, or one a rank. Fails when ranks
/// that share a file hold different data (names the tensor and both ranks), or
/// a file would hold a tensor twice.
Expected<PlannedFiles> planTargetFiles(const ir::Program &program,
                                       const Target &target,
                                       int64_t maxShardBytes);

} // namespace aoa

#endif // AOA_LIB_PLANNER_TARGETFILES_H
