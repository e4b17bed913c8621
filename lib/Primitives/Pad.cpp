//===- Pad.cpp - Elements of one value around a tensor ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a slice of where the operand lies.
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "aoa/Support/CheckedMath.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType>
primitives::pad(const Operand &operand,
                llvm::ArrayRef<std::pair<int64_t, int64_t>> around) {
  if (around.size() != operand.shape.size())
    return std::unexpected(
        Fault{std::to_string(around.size()) +
                  (around.size() == 1 ? " pair" : " pairs") + " of padding, " +
                  "expected one an axis: " + quoted(operand.name) +
                  " has shape " + formatShape(operand.shape),
              0});
  TensorType result{operand.dtype, affine::Extents(operand.shape)};
  for (unsigned axis = 0; axis != around.size(); ++axis)
    for (int64_t more : {around[axis].first, around[axis].second}) {
      auto sum = checkedAdd(result.shape[axis], more);
      if (more < 0 || !sum)
        return std::unexpected(Fault{
            "padding of " + std::to_string(more) + " along axis " +
            std::to_string(axis) +
            (more < 0 ? ", expected none below 0" : ", which overflows")});
      result.shape[axis] = *sum;
    }
  if (!checkedSizeBytes(result.dtype, result.shape))
    return std::unexpected(tooLarge("padded", result.shape));
  if (llvm::ArrayRef(result.shape) != operand.shape &&
      !hasWholeBytes(operand.dtype))
    return std::unexpected(movedWholeOnly(operand));
  return result;
}

std::vector<affine::Piece>
primitives::aroundBox(llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<int64_t> begin,
                      llvm::ArrayRef<int64_t> extent) {
  // Axis by axis what lies before and behind the box: of the axes before this
  // one only what the box has, of those behind it all.
  std::vector<affine::Piece> pieces;
  affine::Piece rest = fillPiece(shape);
  for (unsigned axis = 0; axis != shape.size(); ++axis) {
    int64_t end = begin[axis] + extent[axis];
    for (auto [from, to] : {std::pair<int64_t, int64_t>(0, begin[axis]),
                            std::pair(end, shape[axis])}) {
      affine::Piece part = rest;
      part.shape[axis] = to - from;
      part.dst.offset += from * part.dst.strides[axis];
      if (!part.isEmpty())
        pieces.push_back(std::move(part));
    }
    rest.shape[axis] = extent[axis];
    rest.dst.offset += begin[axis] * rest.dst.strides[axis];
  }
  return pieces;
}
