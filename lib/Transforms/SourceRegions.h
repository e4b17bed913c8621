//===- SourceRegions.h - Which shard an element is read from ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The shards of a source tensor may be replicas of each other or overlap in
// part. Regions are disjoint boxes that cover what all shards together hold:
// replicas count once, of an overlap the shard that comes first.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_TRANSFORMS_SOURCEREGIONS_H
#define AOA_LIB_TRANSFORMS_SOURCEREGIONS_H

#include "aoa/IR/Program.h"

namespace aoa {

class SourceRegions {
public:
  explicit SourceRegions(const Tensor &tensor);

  struct Region {
    uint32_t shard; ///< Index into `Tensor::shards`.
    uint32_t block;
  };
  /// Calls `visit(region, box)` for each region that meets `query`.
  void visit(const affine::Box &query,
             llvm::function_ref<void(const Region &, const affine::Box &)>
                 visit) const;

  llvm::ArrayRef<Shard> shards() const { return all; }
  /// Returns the first shard that holds the whole tensor as it is, if any.
  std::optional<uint32_t> findWhole(const Tensor &tensor) const;

private:
  std::vector<Shard> whole; ///< The shard of a tensor that lists none.
  llvm::ArrayRef<Shard> all;
  std::vector<Region> regions;
  std::optional<affine::BoxIndex> index;
};

/// The boxes of a block, in the full tensor and in its shard.
affine::Box fullBox(const Block &block);
affine::Box localBox(const Block &block);
/// Whether `block` is all of a tensor of `shape` in a shard of `localShape`.
bool isWhole(llvm::ArrayRef<Block> blocks, llvm::ArrayRef<int64_t> localShape,
             llvm::ArrayRef<int64_t> shape);
/// Elements of the shard that no block covers. Requires disjoint blocks.
int64_t numPaddedElements(const ir::TargetShard &shard);

} // namespace aoa

#endif // AOA_LIB_TRANSFORMS_SOURCEREGIONS_H
