//===- StridedBlocks.h - Blocks given as strided views ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A piece says which elements of the full tensor lie where in a shard, as two
// strided views of one shape. Most are boxes and become blocks:
//
//   full [6, 4], shard [3, 4]: {[12], full 12 [1], shard 0 [1]}
//     is the block full(3,0) local(0,0) [3, 4]
//
// The rest (flat ranges, interleaved heads, permutations) stay strided.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_STRIDEDBLOCKS_H
#define AOA_CATALOG_STRIDEDBLOCKS_H

#include "aoa/Catalog/FlatRegions.h"

namespace aoa {

/// Returns the block that holds the elements of `piece`, each where it does, if
/// there is one: an axis-aligned box of the full tensor and of the shard, both
/// row-major and of one rank. Requires a piece inside both and without extents
/// of zero.
std::optional<Block> asBlock(const StridedBlock &piece, const Shape &fullShape,
                             const Shape &localShape);

/// Adds a piece to a shard whose `localShape` is set: as a block if it is one,
/// nothing if it is empty. Fails if it reaches outside of the tensor or the
/// shard, with the address.
Expected<void> addPiece(Shard &shard, const Shape &fullShape,
                        const StridedBlock &piece);

/// All of a shard's blocks and strided blocks, as strided ones.
std::vector<StridedBlock> piecesOf(const Shard &shard, const Shape &fullShape);

/// Fails if an element of the shard is given by two pieces, or twice by one; if
/// not `mayPad`, also if none gives it. Names the element.
Expected<void> checkGivenOnce(const Shard &shard, const Shape &fullShape,
                              bool mayPad);

} // namespace aoa

#endif // AOA_CATALOG_STRIDEDBLOCKS_H
