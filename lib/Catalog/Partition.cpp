//===- Partition.cpp - How a tensor is cut ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "CutDimensions.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <set>

namespace aoa {

namespace {

/// Where a part of one dimension lies in the tensor: offset and extent of each
/// of its intervals, ascending.
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

Intervals intervalsOf(const Shard &shard, size_t dim) {
  Intervals intervals;
  for (const Block &block : shard.blocks)
    intervals.emplace_back(block.fullOffset[dim], block.shape[dim]);
  std::ranges::sort(intervals);
  auto twins = std::ranges::unique(intervals);
  intervals.erase(twins.begin(), twins.end());
  return intervals;
}

PartitionInfo::Dim dimOf(const Tensor &tensor, size_t dim) {
  std::set<Intervals> parts;
  for (const Shard &shard : tensor.shards)
    if (!shard.blocks.empty())
      parts.insert(intervalsOf(shard, dim));
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

} // namespace

PartitionInfo partitionOf(const Layout &layout, const LayoutRule &rule,
                          unsigned rank) {
  PartitionInfo info;
  info.range = rule.range;
  info.dims.resize(rank);
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
  std::set<Shape> offsets;
  for (const Shard &shard : tensor.shards)
    if (!shard.blocks.empty())
      offsets.insert(shard.blocks[0].fullOffset);
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
