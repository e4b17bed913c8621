//===- Stack.cpp - Tensors joined along a new axis --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is an unstack along the same axis. Each part is one index of the
// axis: a slice of extent 1 of the result (slicePiece), inverted.
//===----------------------------------------------------------------------===//
#include "Faults.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::stack(llvm::ArrayRef<Operand> parts,
                                       unsigned axis) {
  const Operand &first = parts.front();
  if (axis > first.shape.size())
    return std::unexpected(Fault{
        "a new axis " + std::to_string(axis) + " beside the " +
            std::to_string(first.shape.size()) + " of " + quoted(first.name) +
            ", expected 0 to " + std::to_string(first.shape.size()),
        0});
  if (parts.size() > 1 && !hasWholeBytes(first.dtype))
    return std::unexpected(movedWholeOnly(first));
  auto part = equalTypes(parts, "stack");
  if (!part)
    return part;
  part->shape.insert(part->shape.begin() + axis,
                     static_cast<int64_t>(parts.size()));
  if (!checkedSizeBytes(part->dtype, part->shape))
    return std::unexpected(tooLarge("stacked", part->shape));
  return part;
}
