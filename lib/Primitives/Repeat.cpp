//===- Repeat.cpp - Every block of an axis several times --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a dedup with the same numbers.
//===----------------------------------------------------------------------===//
#include "RepeatedBlocks.h"
#include "aoa/Support/CheckedMath.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::repeat(const Operand &operand, unsigned axis,
                                        int64_t count, int64_t block) {
  if (auto fault = checkRepeatedBlocks(operand, axis, count, block))
    return std::unexpected(std::move(*fault));
  if (operand.shape[axis] % block != 0)
    return std::unexpected(Fault{describeAxis(operand, axis) +
                                     ", which is not divisible in blocks of " +
                                     std::to_string(block),
                                 0});
  TensorType result{operand.dtype, affine::Extents(operand.shape)};
  auto extent = checkedMul(operand.shape[axis], count);
  if (!extent)
    return std::unexpected(
        Fault{"the repeated extent does not fit in 63 bits", 0});
  result.shape[axis] = *extent;
  if (!checkedSizeBytes(result.dtype, result.shape))
    return std::unexpected(tooLarge("repeated", result.shape));
  return result;
}

affine::Piece primitives::repeatPiece(llvm::ArrayRef<int64_t> shape,
                                      unsigned axis, int64_t count,
                                      int64_t block) {
  affine::Extents result(shape);
  result[axis] *= count;
  affine::Piece piece{affine::Extents(shape), affine::wholeView(shape),
                      affine::wholeView(result)};
  int64_t src = piece.src.strides[axis], dst = piece.dst.strides[axis];
  // The axis in three: which block, which copy of it, which index in it.
  auto replaceAxis = [&](affine::Extents &numbers,
                         std::initializer_list<int64_t> by) {
    numbers.erase(numbers.begin() + axis);
    numbers.insert(numbers.begin() + axis, by.begin(), by.end());
  };
  replaceAxis(piece.shape, {shape[axis] / block, count, block});
  replaceAxis(piece.src.strides, {block * src, 0, src});
  replaceAxis(piece.dst.strides, {block * count * dst, block * dst, dst});
  return piece;
}
