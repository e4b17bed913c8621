//===- Dedup.cpp - The first of equal blocks --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a repeat with the same numbers. That the blocks are equal is
// for a Compare to see.
//===----------------------------------------------------------------------===//
#include "RepeatedBlocks.h"
#include "aoa/Support/CheckedMath.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::dedup(const Operand &operand, unsigned axis,
                                       int64_t count, int64_t block) {
  if (auto fault = checkRepeatedBlocks(operand, axis, count, block))
    return std::unexpected(std::move(*fault));
  auto round = checkedMul(count, block);
  if (!round || operand.shape[axis] % *round != 0)
    return std::unexpected(
        Fault{describeAxis(operand, axis) + ", which is not divisible in " +
                  std::to_string(count) + " blocks of " + std::to_string(block),
              0});
  TensorType result{operand.dtype, affine::Extents(operand.shape)};
  result.shape[axis] /= count;
  return result;
}

affine::Piece primitives::dedupPiece(llvm::ArrayRef<int64_t> shape,
                                     unsigned axis, int64_t count,
                                     int64_t block) {
  // The axis in three, of whose second, the copies, this is the first index.
  affine::Extents inBlocks(shape);
  inBlocks[axis] /= count * block;
  inBlocks.insert(inBlocks.begin() + axis + 1, {count, block});
  return slicePiece(inBlocks, axis + 1, 0, 1);
}
