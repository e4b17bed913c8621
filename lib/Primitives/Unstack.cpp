//===- Unstack.cpp - A tensor cut in slices of one index --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a stack along the same axis, if no slice is discarded. Each
// slice is one of extent 1 (slicePiece); that the axis goes moves nothing.
//===----------------------------------------------------------------------===//
#include "Faults.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::unstack(const Operand &operand,
                                         unsigned numParts, unsigned axis) {
  if (auto known = resolveAxis(operand, axis); !known)
    return std::unexpected(known.error());
  if (operand.shape[axis] != numParts)
    return std::unexpected(Fault{
        describeAxis(operand, axis) + ", which is unstacked in " +
            std::to_string(numParts) + (numParts == 1 ? " tensor" : " tensors"),
        0});
  if (numParts > 1 && !hasWholeBytes(operand.dtype))
    return std::unexpected(movedWholeOnly(operand));
  TensorType part{operand.dtype, affine::Extents(operand.shape)};
  part.shape.erase(part.shape.begin() + axis);
  return part;
}
