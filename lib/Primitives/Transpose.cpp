//===- Transpose.cpp - Axes permuted ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is the inverse permutation.
//===----------------------------------------------------------------------===//
#include "Faults.h"

using namespace aoa;
using namespace aoa::primitives;

Permutation primitives::reversedAxes(unsigned rank) {
  Permutation perm;
  for (unsigned i = rank; i-- != 0;)
    perm.push_back(i);
  return perm;
}

Inferred<Permutation>
primitives::resolvePermutation(const Operand &operand,
                               llvm::ArrayRef<int64_t> entries,
                               bool allowNegative) {
  auto rank = static_cast<int64_t>(operand.shape.size());
  if (entries.empty())
    return reversedAxes(rank);
  std::string what = "permutation " + formatShape(entries);
  std::string whose = "`" + operand.name.str() + "`, which has shape " +
                      formatShape(operand.shape);
  if (static_cast<int64_t>(entries.size()) != rank)
    return std::unexpected(
        Fault{what + " has " + std::to_string(entries.size()) +
                  (entries.size() == 1 ? " entry" : " entries") +
                  ", expected " + std::to_string(rank) + " for " + whose,
              0});
  Permutation perm;
  for (int64_t entry : entries) {
    int64_t axis =
        allowNegative && entry < 0 && entry >= -rank ? entry + rank : entry;
    if (axis < 0 || axis >= rank)
      return std::unexpected(Fault{
          what + " names axis " + std::to_string(entry) + ", expected 0 to " +
              std::to_string(rank - 1) + " for " + whose,
          0});
    if (llvm::is_contained(perm, static_cast<unsigned>(axis))) {
      unsigned missing = 0;
      while (llvm::is_contained(entries, static_cast<int64_t>(missing)) ||
             (allowNegative && llvm::is_contained(entries, missing - rank)))
        ++missing;
      return std::unexpected(Fault{what + " has axis " + std::to_string(axis) +
                                       " twice and axis " +
                                       std::to_string(missing) + " never",
                                   0});
    }
    perm.push_back(static_cast<unsigned>(axis));
  }
  return perm;
}

Inferred<TensorType> primitives::transpose(const Operand &operand,
                                           llvm::ArrayRef<unsigned> perm) {
  if (!hasWholeBytes(operand.dtype) &&
      !llvm::is_sorted(perm)) // The identity moves nothing inside.
    return std::unexpected(movedWholeOnly(operand));
  TensorType result{operand.dtype, {}};
  for (unsigned axis : perm)
    result.shape.push_back(operand.shape[axis]);
  return result;
}

affine::Piece primitives::transposePiece(llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<unsigned> perm) {
  affine::Extents operandStrides = affine::rowMajorStrides(shape);
  affine::Piece transposed;
  for (unsigned axis : perm) {
    transposed.shape.push_back(shape[axis]);
    transposed.src.strides.push_back(operandStrides[axis]);
  }
  transposed.dst.strides = affine::rowMajorStrides(transposed.shape);
  return transposed;
}
