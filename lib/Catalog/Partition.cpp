//===- Partition.cpp - How a tensor is cut ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "CutDimensions.h"
#include "PlacePieces.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <set>

namespace aoa {

namespace {

/// Where a part of one dimension lies in the tensor: offset and extent of each
/// of its intervals, ascending.
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

/// The first and last index of dimension `dim` that a strided block can reach.
std::pair<int64_t, int64_t> hullOf(const StridedBlock &block,
                                   const Shape &shape, size_t dim) {
  int64_t first = block.fullOffset, last = first;
  for (size_t i = 0; i < block.shape.size(); ++i)
    last += (block.shape[i] - 1) * block.fullStrides[i];
  int64_t rows = 1;
  for (size_t i = dim + 1; i < shape.size(); ++i)
    rows *= shape[i];
  // Across a boundary of the dimension before, all indexes.
  if (first / rows / shape[dim] != last / rows / shape[dim])
    return {0, shape[dim] - 1};
  return {first / rows % shape[dim], last / rows % shape[dim]};
}

Intervals intervalsOf(const Shard &shard, const Shape &shape, size_t dim) {
  Intervals intervals;
  for (const Block &block : shard.blocks)
    intervals.emplace_back(block.fullOffset[dim], block.shape[dim]);
  // What is no box is told by what it lies between.
  for (const StridedBlock &block : shard.strided) {
    auto [first, last] = hullOf(block, shape, dim);
    intervals.emplace_back(first, last - first + 1);
  }
  std::ranges::sort(intervals);
  auto twins = std::ranges::unique(intervals);
  intervals.erase(twins.begin(), twins.end());
  return intervals;
}

PartitionInfo::Dim dimOf(const Tensor &tensor, size_t dim) {
  std::set<Intervals> parts;
  for (const Shard &shard : tensor.shards)
    if (!shard.isEmpty())
      parts.insert(intervalsOf(shard, tensor.shape, dim));
  PartitionInfo::Dim result;
  if (parts.empty()) {
    result.sizes = {tensor.shape[dim]};
    return result;
  }
  result.numParts = static_cast<int64_t>(parts.size());
  for (const Intervals &part : parts) {
    int64_t extent = 0;
    for (auto [offset, count] : part)
      extent += count;
    result.sizes.push_back(extent);
    result.segmented |= part.size() > 1;
  }
  return result;
}

/// Of a rule that gives the geometry itself: what it is for the rule's shape.
/// Without one nothing is known but how many ranks hold something.
PartitionInfo partitionOfPieces(const Layout &layout, const LayoutRule &rule,
                                PartitionInfo info) {
  if (rule.shape && rule.shape->size() == info.dims.size()) {
    Expected<Placement> placed = placePieces(layout, rule, *rule.shape);
    if (placed) { // Else the fault is reported when the tensor is placed.
      Tensor tensor{"", DType::F32, *rule.shape, std::move(placed->shards)};
      SourceRange range = info.range;
      info = partitionOf(tensor);
      info.range = range;
      return info;
    }
  }
  info.irregular = std::ranges::count_if(rule.pieces, [](const auto &given) {
                     return !given.second.pieces.empty();
                   }) > 1;
  return info;
}

/// Whether parts that are one interval each lie side by side.
bool isTiled(const PartitionInfo::Dim &dim, int64_t extent) {
  int64_t total = 0;
  for (int64_t size : dim.sizes)
    total += size;
  return dim.segmented || total == extent;
}

} // namespace

PartitionInfo partitionOf(const Layout &layout, const LayoutRule &rule,
                          unsigned rank) {
  PartitionInfo info;
  info.range = rule.range;
  info.dims.resize(rank);
  if (rule.hasPieces)
    return partitionOfPieces(layout, rule, std::move(info));
  // A shape of the right rank; extents do not matter here.
  Shape shape(rank, 1);
  for (const DimCut &cut : rule.cuts) {
    // A dimension that does not exist is reported when the tensor is placed.
    Expected<size_t> resolved = resolveDim(cut.dim, shape);
    if (!resolved)
      continue;
    PartitionInfo::Dim &dim = info.dims[*resolved];
    for (int axis : cut.meshAxes)
      dim.numParts *= layout.mesh.axes[static_cast<size_t>(axis)].size;
    if (cut.sizes.size() == 1)
      dim.sizes = cut.sizes[0];
    dim.segmented |= cut.segments.size() > 1 || cut.numSegments > 1;
  }
  for (PartitionInfo::Dim &dim : info.dims) {
    dim.segmented &= dim.numParts > 1;
    // An axis cuts once a rule, so this is at most the number of ranks.
    info.numDistinctOffsets *= dim.numParts;
  }
  return info;
}

PartitionInfo partitionOf(const Tensor &tensor) {
  PartitionInfo info;
  for (size_t dim = 0; dim < tensor.shape.size(); ++dim)
    info.dims.push_back(dimOf(tensor, dim));
  std::set<int64_t> offsets;
  int64_t numShards = 0;
  bool strided = false, tiled = true;
  for (const Shard &shard : tensor.shards) {
    numShards += !shard.isEmpty();
    strided |= !shard.strided.empty();
    if (!shard.isEmpty())
      offsets.insert(
          shard.blocks.empty()
              ? shard.strided[0].fullOffset
              : stridedOf(shard.blocks[0], tensor.shape, shard.localShape)
                    .fullOffset);
  }
  for (size_t dim = 0; dim < info.dims.size(); ++dim)
    tiled &= isTiled(info.dims[dim], tensor.shape[dim]);
  info.irregular = numShards > 1 && (strided || !tiled);
  info.numDistinctOffsets =
      std::max<int64_t>(static_cast<int64_t>(offsets.size()), 1);
  return info;
}

const PartitionInfo &Partitions::of(const Tensor &tensor) {
  auto [entry, isNew] =
      known.try_emplace({tensor.shards.identity(), tensor.shape});
  if (isNew)
    entry->second = partitionOf(tensor);
  return entry->second;
}

} // namespace aoa
