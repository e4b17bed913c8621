//===- Split.cpp - A tensor cut in parts ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a merge along the same axis with the same groups, if no part
// is discarded.
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "aoa/Support/CheckedMath.h"

using namespace aoa;
using namespace aoa::primitives;

static std::unexpected<Fault> indivisible(const Operand &operand, unsigned axis,
                                          const std::string &parts) {
  return std::unexpected(
      Fault{describeAxis(operand, axis) + ", which is not divisible in " +
                parts + " (shape " + formatShape(operand.shape) + ")",
            0});
}

Inferred<affine::Extents>
primitives::resolveSizes(const Operand &operand, unsigned numParts,
                         unsigned axis, int64_t groups,
                         llvm::ArrayRef<int64_t> sizes) {
  if (auto known = resolveAxis(operand, axis); !known)
    return std::unexpected(known.error());
  if (groups < 1)
    return std::unexpected(Fault{std::to_string(groups) + " groups of " +
                                 quoted(operand.name) +
                                 ", expected 1 at least"});
  int64_t extent = operand.shape[axis];
  std::string parts = std::to_string(numParts) + " equal parts";
  if (extent % groups != 0)
    return indivisible(operand, axis, std::to_string(groups) + " groups");
  int64_t ofGroup = extent / groups;
  if (sizes.empty()) {
    if (ofGroup % numParts != 0)
      return indivisible(
          operand, axis,
          groups == 1 ? parts : std::to_string(groups) + " groups of " + parts);
    return affine::Extents(numParts, ofGroup / numParts);
  }
  if (sizes.size() != numParts)
    return std::unexpected(
        Fault{"sizes " + formatShape(sizes) + " for " +
              std::to_string(numParts) + (numParts == 1 ? " part" : " parts") +
              " of " + quoted(operand.name) + ", expected one a part"});
  int64_t sum = 0;
  for (int64_t size : sizes) {
    auto next = checkedAdd(sum, size);
    if (size < 0 || !next)
      return std::unexpected(Fault{
          "size " + std::to_string(size) + " in " + formatShape(sizes) +
          (size < 0 ? ", expected none below 0" : ", whose sum overflows")});
    sum = *next;
  }
  if (sum == ofGroup)
    return affine::Extents(sizes);
  return std::unexpected(Fault{
      "sizes " + formatShape(sizes) + " sum to " + std::to_string(sum) +
          ", expected " + std::to_string(ofGroup) + ": " +
          describeAxis(operand, axis) +
          (groups == 1 ? "" : " in " + std::to_string(groups) + " groups"),
      0});
}

Inferred<std::vector<TensorType>>
primitives::split(const Operand &operand, unsigned axis, int64_t groups,
                  llvm::ArrayRef<int64_t> sizes) {
  if (sizes.size() > 1 && !hasWholeBytes(operand.dtype))
    return std::unexpected(movedWholeOnly(operand));
  std::vector<TensorType> parts;
  for (int64_t size : sizes) {
    TensorType &part = parts.emplace_back(
        TensorType{operand.dtype, affine::Extents(operand.shape)});
    part.shape[axis] = size * groups;
  }
  return parts;
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

affine::Piece primitives::groupedSlicePiece(llvm::ArrayRef<int64_t> shape,
                                            unsigned axis, int64_t groups,
                                            int64_t begin, int64_t extent) {
  // The axis in two, its groups and what they hold: then it is a slice.
  affine::Extents inGroups(shape);
  inGroups[axis] /= groups;
  inGroups.insert(inGroups.begin() + axis, groups);
  return slicePiece(inGroups, axis + 1, begin, extent);
}
