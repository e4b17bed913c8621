//===- Compare.cpp - Tensors that must be alike -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back of a tie is a copy.
//===----------------------------------------------------------------------===//
#include "Faults.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::equalTypes(llvm::ArrayRef<Operand> operands,
                                            llvm::StringRef what) {
  const Operand &first = operands.front();
  for (size_t i = 1; i != operands.size(); ++i) {
    const Operand &other = operands[i];
    int index = static_cast<int>(i);
    if (other.dtype != first.dtype)
      return std::unexpected(differingDTypes(first, other, index));
    if (other.shape != first.shape)
      return std::unexpected(differingShapes(
          first, other, index, "shapes differ in a " + what.str()));
  }
  return TensorType{first.dtype, affine::Extents(first.shape)};
}
