//===- Merge.cpp - Tensors joined along an axis -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a split along the same axis with the same groups; its sizes
// are what the parts have within a group.
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "aoa/Support/CheckedMath.h"

using namespace aoa;
using namespace aoa::primitives;

/// Why a part cannot stand beside the first, if it cannot.
static std::optional<Fault> refusal(const Operand &first, const Operand &part,
                                    int index, unsigned axis) {
  if (part.dtype != first.dtype)
    return differingDTypes(first, part, index);
  if (part.shape.size() != first.shape.size())
    return differingShapes(first, part, index,
                           "numbers of axes differ in a merge");
  for (unsigned d = 0; d != part.shape.size(); ++d)
    if (d != axis && part.shape[d] != first.shape[d])
      return differingShapes(first, part, index,
                             "axis " + std::to_string(d) +
                                 " differs in a merge along axis " +
                                 std::to_string(axis));
  return std::nullopt;
}

Inferred<TensorType> primitives::merge(llvm::ArrayRef<Operand> parts,
                                       unsigned axis, int64_t groups) {
  const Operand &first = parts.front();
  TensorType merged{first.dtype, affine::Extents(first.shape)};
  if (auto known = resolveAxis(first, axis); !known)
    return std::unexpected(known.error());
  if (groups < 1)
    return std::unexpected(Fault{"a merge of " + std::to_string(groups) +
                                 " groups, expected 1 at least"});
  if (parts.size() > 1 && !hasWholeBytes(first.dtype))
    return std::unexpected(movedWholeOnly(first));
  merged.shape[axis] = 0;
  for (size_t i = 0; i != parts.size(); ++i) {
    const Operand &part = parts[i];
    int index = static_cast<int>(i);
    if (auto fault = refusal(first, part, index, axis))
      return std::unexpected(std::move(*fault));
    if (part.shape[axis] % groups != 0)
      return std::unexpected(Fault{describeAxis(part, axis) +
                                       ", which is not divisible in " +
                                       std::to_string(groups) + " groups",
                                   index});
    auto sum = checkedAdd(merged.shape[axis], part.shape[axis]);
    if (!sum)
      return std::unexpected(
          Fault{"the merged extent does not fit in 63 bits", index});
    merged.shape[axis] = *sum;
  }
  if (!checkedSizeBytes(merged.dtype, merged.shape))
    return std::unexpected(tooLarge("merged", merged.shape));
  return merged;
}
