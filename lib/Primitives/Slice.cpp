//===- Slice.cpp - A box of a tensor ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the box leaves out is lost: a slice has no way back (a pad brings back
// the shape only).
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "llvm/ADT/StringExtras.h"

using namespace aoa;
using namespace aoa::primitives;

namespace {
/// `a:b` of one axis; nothing where a bound is left out.
struct Range {
  std::optional<int64_t> begin, end;
};
} // namespace

/// Reads digits, or nothing at all.
static bool readBound(llvm::StringRef text, std::optional<int64_t> &bound) {
  text = text.trim();
  if (text.empty())
    return true;
  int64_t number = 0;
  if (!llvm::all_of(text, llvm::isDigit) || text.getAsInteger(10, number))
    return false;
  bound = number;
  return true;
}

static std::optional<Range> readRange(llvm::StringRef text) {
  auto [begin, end] = text.split(':');
  Range range;
  if (!text.contains(':') || !readBound(begin, range.begin) ||
      !readBound(end, range.end))
    return std::nullopt;
  return range;
}

Inferred<Box> primitives::resolveSlice(const Operand &operand,
                                       llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> ranges;
  text.split(ranges, ',');
  if (ranges.size() > operand.shape.size())
    return std::unexpected(Fault{
        "slice `" + text.str() + "` has " + std::to_string(ranges.size()) +
            (ranges.size() == 1 ? " range" : " ranges") + ", " +
            quoted(operand.name) + " of shape " + formatShape(operand.shape) +
            " has " + std::to_string(operand.shape.size()) +
            (operand.shape.size() == 1 ? " axis" : " axes"),
        0});
  Box box{affine::Extents(operand.shape.size(), 0),
          affine::Extents(operand.shape)};
  for (unsigned axis = 0; axis != ranges.size(); ++axis) {
    std::optional<Range> range = readRange(ranges[axis]);
    if (!range)
      return std::unexpected(
          Fault{"`" + ranges[axis].trim().str() + "` in slice `" + text.str() +
                "`, expected a range of whole numbers like `0:4`, `2:` or "
                "`:`"});
    if (!range->begin && !range->end)
      continue; // Whole, also where the axis is empty.
    int64_t begin = range->begin.value_or(0);
    int64_t end = range->end.value_or(operand.shape[axis]);
    if (begin >= end || end > operand.shape[axis])
      return std::unexpected(
          Fault{"range " + std::to_string(begin) + ":" + std::to_string(end) +
                    " of axis " + std::to_string(axis) + " of " +
                    quoted(operand.name) + ", which has extent " +
                    std::to_string(operand.shape[axis]) +
                    (begin >= end ? "; the first must be below the second"
                                  : "; the second must not be above it"),
                0});
    box.begin[axis] = begin;
    box.extent[axis] = end - begin;
  }
  return box;
}

Inferred<TensorType> primitives::slice(const Operand &operand,
                                       llvm::ArrayRef<int64_t> begin,
                                       llvm::ArrayRef<int64_t> extent) {
  auto refuse = [&](const std::string &why) {
    return std::unexpected(Fault{"the box at " + formatShape(begin) +
                                     " of shape " + formatShape(extent) + why +
                                     quoted(operand.name) + " of shape " +
                                     formatShape(operand.shape),
                                 0});
  };
  if (begin.size() != operand.shape.size() ||
      extent.size() != operand.shape.size())
    return refuse(" has another number of axes than ");
  for (unsigned d = 0; d != begin.size(); ++d)
    if (begin[d] < 0 || extent[d] < 0 || begin[d] > operand.shape[d] ||
        extent[d] > operand.shape[d] - begin[d])
      return refuse(" lies outside of ");
  if (extent != operand.shape && !hasWholeBytes(operand.dtype))
    return std::unexpected(movedWholeOnly(operand));
  return TensorType{operand.dtype, affine::Extents(extent)};
}

affine::Piece primitives::boxPiece(llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> begin,
                                   llvm::ArrayRef<int64_t> extent) {
  affine::Piece box{affine::Extents(extent), affine::wholeView(shape),
                    affine::wholeView(extent)};
  for (unsigned d = 0; d != begin.size(); ++d)
    box.src.offset += begin[d] * box.src.strides[d];
  return box;
}
