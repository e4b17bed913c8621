//===- ChooseReplicas.h - Which copy of a shard is read ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PLANNER_CHOOSEREPLICAS_H
#define AOA_LIB_PLANNER_CHOOSEREPLICAS_H

#include "aoa/IR/Program.h"

namespace aoa {

/// Chooses among the shards of a source tensor that hold the same blocks in the
/// same way: the copy of the rank that wants it, else the first. What is learnt
/// about a tensor is kept.
class ReplicaChooser {
public:
  explicit ReplicaChooser(const ir::Program &program)
      : program(program), ofValue(program.values.size(), nullptr) {}

  /// Returns the shard to read in place of `shard` for a file of `rank`.
  uint32_t choose(ir::ValueId source, uint32_t shard, uint32_t rank);

  /// The first of the copies of a shard; itself if it has none.
  uint32_t firstOf(ir::ValueId source, uint32_t shard) {
    const Replicas &replicas = replicasOf(source);
    return replicas.firstOf.empty() ? shard : replicas.firstOf[shard];
  }

  /// Whether any shard of a tensor is stored several times.
  bool hasCopies(ir::ValueId source) {
    return !replicasOf(source).firstOf.empty();
  }

private:
  struct Replicas {
    std::vector<uint32_t> firstOf; ///< By shard; empty: no copies at all.
    /// First of the copies and rank → the copy that the rank holds.
    std::unordered_map<uint64_t, uint32_t> copyOf;
  };
  static Replicas find(const Tensor &tensor);
  const Replicas &replicasOf(ir::ValueId source);

  const ir::Program &program;
  std::unordered_map<const void *, Replicas> known; ///< By list of shards.
  /// By source; null: not asked for yet. A layout asks for each of its sources
  /// once a shard.
  std::vector<const Replicas *> ofValue;
};

} // namespace aoa

#endif // AOA_LIB_PLANNER_CHOOSEREPLICAS_H
