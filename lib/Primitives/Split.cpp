//===- Split.cpp - A tensor cut in equal parts ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::split(const Operand &operand,
                                       unsigned numParts, unsigned axis) {
  if (auto known = resolveAxis(operand, axis); !known)
    return std::unexpected(known.error());
  if (numParts > 1 && !hasWholeBytes(operand.dtype))
    return std::unexpected(Fault{"`" + operand.name.str() + "` is " +
                                     std::string(nameOf(operand.dtype)) +
                                     ", which is moved as a whole tensor only",
                                 0});
  int64_t extent = operand.shape[axis];
  if (extent % numParts != 0)
    return std::unexpected(
        Fault{"axis " + std::to_string(axis) + " of `" + operand.name.str() +
                  "` has extent " + std::to_string(extent) +
                  ", which is not divisible in " + std::to_string(numParts) +
                  " equal parts (shape " + formatShape(operand.shape) + ")",
              0});
  TensorType part{operand.dtype, affine::Extents(operand.shape)};
  part.shape[axis] = extent / numParts;
  return part;
}

affine::Piece primitives::slicePiece(llvm::ArrayRef<int64_t> shape,
                                     unsigned axis, int64_t begin,
                                     int64_t extent) {
  affine::Piece slice;
  slice.shape.assign(shape.begin(), shape.end());
  slice.shape[axis] = extent;
  slice.src.strides = affine::rowMajorStrides(shape);
  slice.src.offset = begin * slice.src.strides[axis];
  slice.dst.strides = affine::rowMajorStrides(slice.shape);
  return slice;
}
