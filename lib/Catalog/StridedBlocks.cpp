//===- StridedBlocks.cpp - Blocks given as strided views --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/StridedBlocks.h"

#include "aoa/Support/CheckedMath.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

/// A dimension of a piece with its stride on either side.
struct Step {
  int64_t extent, full, shard;
};

/// The dimensions of a piece, innermost first and as few as say the same;
/// nothing if the full side does not ascend on both sides.
std::optional<std::vector<Step>> stepsOf(const StridedBlock &piece) {
  std::vector<Step> steps;
  for (size_t dim = 0; dim < piece.shape.size(); ++dim) {
    if (piece.shape[dim] == 1)
      continue;
    if (piece.fullStrides[dim] == 0 || piece.shardStrides[dim] == 0)
      return std::nullopt;
    steps.push_back(
        {piece.shape[dim], piece.fullStrides[dim], piece.shardStrides[dim]});
  }
  std::ranges::sort(steps, {}, &Step::full);
  std::vector<Step> merged;
  for (const Step &step : steps) {
    if (!merged.empty() &&
        step.full == merged.back().extent * merged.back().full &&
        step.shard == merged.back().extent * merged.back().shard)
      merged.back().extent *= step.extent;
    else
      merged.push_back(step);
  }
  return merged;
}

Shape rowMajor(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

Shape indexOf(int64_t address, const Shape &shape) {
  Shape index(shape.size(), 0);
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = address % shape[dim];
    address /= shape[dim];
  }
  return index;
}

bool isWholeBlock(const Shard &shard) {
  return shard.strided.empty() && shard.blocks.size() == 1 &&
         shard.blocks[0].shape == shard.localShape;
}

} // namespace

std::optional<Block> asBlock(const StridedBlock &piece, const Shape &fullShape,
                             const Shape &localShape) {
  if (localShape.size() != fullShape.size())
    return std::nullopt;
  std::optional<std::vector<Step>> steps = stepsOf(piece);
  if (!steps)
    return std::nullopt;
  Shape full = rowMajor(fullShape), local = rowMajor(localShape);
  Block block{indexOf(piece.fullOffset, fullShape),
              indexOf(piece.shardOffset, localShape),
              Shape(fullShape.size(), 1)};
  // Each step is the extent of one dimension, or of several that it runs
  // through. Dimensions of extent 1 have no part in it.
  size_t end = fullShape.size(); // Dimensions from here on are done.
  for (auto [extent, fullStride, shardStride] : *steps) {
    size_t dim = end;
    while (dim-- > 0)
      if (fullShape[dim] > 1 && full[dim] == fullStride)
        break;
    if (dim == SIZE_MAX)
      return std::nullopt;
    while (true) {
      if (local[dim] != shardStride)
        return std::nullopt;
      int64_t here = std::min(extent, fullShape[dim]);
      block.shape[dim] = here;
      end = dim;
      if (here == extent)
        break;
      if (extent % here != 0)
        return std::nullopt;
      extent /= here;
      shardStride *= here;
      do {
        if (dim == 0)
          return std::nullopt;
      } while (fullShape[--dim] == 1);
    }
  }
  for (size_t dim = 0; dim < fullShape.size(); ++dim)
    if (block.fullOffset[dim] + block.shape[dim] > fullShape[dim] ||
        block.localOffset[dim] + block.shape[dim] > localShape[dim])
      return std::nullopt;
  return block;
}

Expected<void> addPiece(Shard &shard, const Shape &fullShape,
                        const StridedBlock &piece) {
  if (std::ranges::find(piece.shape, 0) != piece.shape.end())
    return {};
  auto check = [](const FlatView &view, const Shape &shape,
                  std::string_view what) -> Expected<void> {
    int64_t numElements = checkedNumElements(shape).value_or(0);
    std::optional<int64_t> outside = addressOutside(view, numElements);
    if (!outside)
      return {};
    std::string address = *outside == INT64_MAX
                              ? "an address beyond 64 bits"
                              : fmt::format("address {}", *outside);
    return fail(ErrorKind::Mismatch,
                fmt::format("reaches {} of the {}, which has shape {} and {} "
                            "elements",
                            address, what, formatShape(shape), numElements));
  };
  if (auto inside = check(fullViewOf(piece), fullShape, "tensor"); !inside)
    return inside;
  if (auto inside = check(shardViewOf(piece), shard.localShape, "shard");
      !inside)
    return inside;
  if (std::optional<Block> block = asBlock(piece, fullShape, shard.localShape))
    shard.blocks.push_back(std::move(*block));
  else
    shard.strided.push_back(piece);
  return {};
}

std::vector<StridedBlock> piecesOf(const Shard &shard, const Shape &fullShape) {
  std::vector<StridedBlock> pieces;
  for (const Block &block : shard.blocks)
    pieces.push_back(stridedOf(block, fullShape, shard.localShape));
  pieces.insert(pieces.end(), shard.strided.begin(), shard.strided.end());
  return pieces;
}

Expected<void> checkGivenOnce(const Shard &shard, const Shape &fullShape,
                              bool mayPad) {
  if (isWholeBlock(shard))
    return {};
  std::vector<FlatView> views;
  for (const StridedBlock &piece : piecesOf(shard, fullShape))
    views.push_back(shardViewOf(piece));
  std::string fault;
  auto done = forEachFlatRegion(
      views, checkedNumElements(shard.localShape).value_or(0),
      [&](int64_t address, std::span<const uint32_t> holders) {
        if (holders.size() == 1 || (holders.empty() && mayPad))
          return true;
        std::string element = formatIndexOf(address, shard.localShape);
        // Of the tensor, for the reader to find the pieces by.
        auto from = [&](uint32_t view) {
          return view < shard.blocks.size()
                     ? formatShape(shard.blocks[view].fullOffset)
                     : formatIndexOf(
                           shard.strided[view - shard.blocks.size()].fullOffset,
                           fullShape);
        };
        if (holders.empty())
          fault = fmt::format("no piece gives element {} of the shard {}",
                              element, formatShape(shard.localShape));
        else if (holders[0] == holders[1])
          fault = fmt::format("the piece that begins at {} of the tensor gives "
                              "element {} of the shard {} twice",
                              from(holders[0]), element,
                              formatShape(shard.localShape));
        else
          fault = fmt::format("the pieces that begin at {} and {} of the "
                              "tensor both give element {} of the shard {}",
                              from(holders[0]), from(holders[1]), element,
                              formatShape(shard.localShape));
        return false;
      });
  if (!done)
    return done;
  if (!fault.empty())
    return fail(ErrorKind::Mismatch, std::move(fault));
  return {};
}

} // namespace aoa
