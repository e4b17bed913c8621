//===- ShardPieces.h - Shards as pieces of their tensor ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   rows 3-5 of [6, 4] on rank 1
//     →  piece [12] shard{0 : 1} full{12 : 1}, tag 1
//===----------------------------------------------------------------------===//
#ifndef AOA_TRANSFORMS_SHARDPIECES_H
#define AOA_TRANSFORMS_SHARDPIECES_H

#include "aoa/Affine/PieceSet.h"
#include "aoa/IR/Program.h"

namespace aoa {

/// Returns what the shards hold of a tensor of `shape`. Src: elements of a
/// shard; dst: elements of the tensor; tags: indexes of shards. Dimensions are
/// folded. Requires blocks inside the tensor and their shard.
affine::PieceSet shardPieces(const ShardList &shards,
                             llvm::ArrayRef<int64_t> shape);

/// Returns the pieces of one shard, with tag 0.
affine::PieceSet shardPieces(const Shard &shard, llvm::ArrayRef<int64_t> shape);

/// Returns a piece whose src is a shard and whose dst is its tensor as a block.
StridedBlock asStridedBlock(const affine::PieceRef &piece);

/// Returns the shards of what pieces read; the one of rank 0 where it lists
/// none.
ShardList shardsOf(const ir::StoredValue &stored);

/// Whether the shard is all of a tensor of `shape`, element by element.
bool isWhole(const Shard &shard, llvm::ArrayRef<int64_t> shape);

/// Elements of the shard that hold nothing of the tensor. Requires blocks that
/// do not overlap in the shard.
int64_t numPaddedElements(const Shard &shard);

} // namespace aoa

#endif // AOA_TRANSFORMS_SHARDPIECES_H
