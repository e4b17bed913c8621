//===- Reshape.cpp - The elements in another shape --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a reshape to the shape of the operand. Nothing moves: both
// are the same elements in row-major order.
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "aoa/Support/CheckedMath.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::reshape(const Operand &operand,
                                         llvm::ArrayRef<int64_t> entries) {
  auto refuse = [&](const std::string &why) {
    return std::unexpected(
        Fault{quoted(operand.name) + " of shape " + formatShape(operand.shape) +
                  " is reshaped to " + formatShape(entries) + ": " + why,
              0});
  };
  TensorType result{operand.dtype, affine::Extents(entries)};
  std::optional<unsigned> open; // The axis that is to be solved.
  for (unsigned i = 0; i != entries.size(); ++i) {
    if (entries[i] < -1)
      return refuse("an extent of " + std::to_string(entries[i]));
    if (entries[i] != -1)
      continue;
    if (open)
      return refuse("-1 stands twice, expected once at most");
    open = i;
    result.shape[i] = 1;
  }
  std::optional<int64_t> given = checkedNumElements(result.shape);
  std::optional<int64_t> has = checkedNumElements(operand.shape);
  if (!given || !has)
    return refuse("a number of elements that does not fit in 62 bits");
  std::string numbers = std::to_string(*has) + " elements, ";
  if (open) {
    if (*given == 0)
      return refuse("any extent fits the -1 beside an extent of 0");
    if (*has % *given != 0)
      return refuse(numbers + "which is no multiple of the " +
                    std::to_string(*given) + " that the other axes have");
    result.shape[*open] = *has / *given;
  } else if (*given != *has) {
    return refuse(numbers + "expected " + std::to_string(*given));
  }
  if (!checkedSizeBytes(result.dtype, result.shape))
    return refuse("a size that does not fit in 63 bits");
  return result;
}
