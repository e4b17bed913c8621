//===- Merge.cpp - Tensors joined along an axis -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::primitives;

static std::string quoted(llvm::StringRef name) {
  return "`" + name.str() + "`";
}

static Fault differingShapes(const Operand &first, const Operand &part,
                             int index, const std::string &what) {
  return {quoted(part.name) + " has shape " + formatShape(part.shape) + ", " +
              quoted(first.name) + " has " + formatShape(first.shape) + ": " +
              what,
          index};
}

Inferred<TensorType> primitives::merge(llvm::ArrayRef<Operand> parts,
                                       unsigned axis, int64_t groups) {
  const Operand &first = parts.front();
  TensorType merged{first.dtype, affine::Extents(first.shape)};
  if (auto known = resolveAxis(first, axis); !known)
    return std::unexpected(known.error());
  if (parts.size() > 1 && !hasWholeBytes(first.dtype))
    return std::unexpected(Fault{quoted(first.name) + " is " +
                                     std::string(nameOf(first.dtype)) +
                                     ", which is moved as a whole tensor only",
                                 0});
  for (size_t i = 0; i != parts.size(); ++i)
    if (parts[i].shape.size() > axis && parts[i].shape[axis] % groups != 0)
      return std::unexpected(Fault{"axis " + std::to_string(axis) + " of " +
                                       quoted(parts[i].name) + " has extent " +
                                       std::to_string(parts[i].shape[axis]) +
                                       ", which is not divisible in " +
                                       std::to_string(groups) + " groups",
                                   static_cast<int>(i)});
  for (size_t i = 1; i != parts.size(); ++i) {
    const Operand &part = parts[i];
    int index = static_cast<int>(i);
    if (part.dtype != first.dtype)
      return std::unexpected(
          Fault{quoted(part.name) + " is " + std::string(nameOf(part.dtype)) +
                    ", expected " + std::string(nameOf(first.dtype)) + " as " +
                    quoted(first.name) + " is; a cast is never implied",
                index});
    if (part.shape.size() != first.shape.size())
      return std::unexpected(differingShapes(
          first, part, index, "numbers of axes differ in a merge"));
    for (unsigned d = 0; d != part.shape.size(); ++d)
      if (d != axis && part.shape[d] != first.shape[d])
        return std::unexpected(differingShapes(
            first, part, index,
            "axis " + std::to_string(d) + " differs in a merge along axis " +
                std::to_string(axis)));
    auto sum = checkedAdd(merged.shape[axis], part.shape[axis]);
    if (!sum)
      return std::unexpected(
          Fault{"the merged extent does not fit in 63 bits", index});
    merged.shape[axis] = *sum;
  }
  if (!checkedSizeBytes(merged.dtype, merged.shape))
    return std::unexpected(Fault{"the merged shape " +
                                 formatShape(merged.shape) +
                                 " has a size that does not fit in 63 bits"});
  return merged;
}
