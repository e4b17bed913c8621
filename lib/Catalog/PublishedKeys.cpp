//===- PublishedKeys.cpp - DeepSpeed's layouts as rules ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/PublishedKeys.h"

namespace aoa::published {

namespace {

LayoutRule ruleOf(NamePattern match) {
  LayoutRule rule;
  rule.match = std::move(match);
  return rule;
}

LayoutRule cutRule(NamePattern match, int axis, int dim) {
  LayoutRule rule = ruleOf(std::move(match));
  DimCut &cut = rule.cuts.emplace_back();
  cut.dim = dim;
  cut.meshAxes = {axis};
  return rule;
}

Shape rowMajorStrides(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// Runs of a dimension that one rank holds, one after the other.
class RunsOfDim {
public:
  RunsOfDim(const Shape &shape, size_t dim) : shape(shape), dim(dim) {}

  void add(int64_t begin, int64_t extent) {
    if (!runs.empty() && runs.back().first + runs.back().second == begin)
      runs.back().second += extent;
    else if (extent != 0)
      runs.emplace_back(begin, extent);
    local += extent;
  }

  RankPieces pieces() const {
    RankPieces result;
    result.localShape = shape;
    result.localShape[dim] = local;
    Shape fullStrides = rowMajorStrides(shape);
    Shape shardStrides = rowMajorStrides(result.localShape);
    int64_t at = 0;
    for (auto [begin, extent] : runs) {
      StridedBlock piece{shape, begin * fullStrides[dim], fullStrides,
                         at * shardStrides[dim], shardStrides};
      piece.shape[dim] = extent;
      result.pieces.push_back(std::move(piece));
      at += extent;
    }
    return result;
  }

private:
  const Shape &shape;
  size_t dim;
  std::vector<std::pair<int64_t, int64_t>> runs; ///< Begin and extent.
  int64_t local = 0;
};

/// Gives every rank the pieces of its coordinate on the axis.
LayoutRule piecesRule(NamePattern match, const Mesh &mesh, int axis,
                      const std::vector<RankPieces> &byCoordinate) {
  LayoutRule rule = ruleOf(std::move(match));
  rule.hasPieces = true;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    auto coordinate =
        static_cast<size_t>(mesh.coordinates(rank)[static_cast<size_t>(axis)]);
    rule.pieces.emplace(static_cast<uint32_t>(rank), byCoordinate[coordinate]);
  }
  return rule;
}

size_t sizeOf(const Mesh &mesh, int axis) {
  return static_cast<size_t>(mesh.axes[static_cast<size_t>(axis)].size);
}

} // namespace

Shape grainWidths(int64_t total, int64_t numRanks, int64_t grain) {
  if (total < grain)
    grain = 1;
  int64_t numGrains = total / grain;
  Shape widths;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    widths.push_back(grain *
                     (numGrains / numRanks + (rank < numGrains % numRanks)));
  widths.back() += total % grain;
  return widths;
}

Shape headWidths(int64_t total, int64_t numRanks, int64_t numHeads) {
  return grainWidths(total, numRanks, total / numHeads);
}

Shape lastGetMoreWidths(int64_t total, int64_t numRanks) {
  Shape widths = grainWidths(total, numRanks);
  return Shape(widths.rbegin(), widths.rend());
}

LayoutRule replicated(NamePattern match, double scale) {
  LayoutRule rule = ruleOf(std::move(match));
  rule.replicate = true;
  rule.scale = scale;
  return rule;
}

LayoutRule columnParallel(NamePattern match, int axis) {
  return cutRule(std::move(match), axis, 0);
}

LayoutRule rowParallel(NamePattern match, int axis) {
  return cutRule(std::move(match), axis, 1);
}

LayoutRule partitions(NamePattern match, int axis, int dim, Shape widths) {
  LayoutRule rule = cutRule(std::move(match), axis, dim);
  rule.cuts[0].sizes = {std::move(widths)};
  return rule;
}

LayoutRule twoSubParameters(NamePattern match, int axis) {
  LayoutRule rule = cutRule(std::move(match), axis, 0);
  rule.cuts[0].numSegments = 2;
  return rule;
}

LayoutRule subParameters(NamePattern match, int axis, int dim, Shape sizes,
                         std::vector<Shape> widths) {
  LayoutRule rule = cutRule(std::move(match), axis, dim);
  rule.cuts[0].segments = std::move(sizes);
  rule.cuts[0].sizes = std::move(widths);
  return rule;
}

LayoutRule vocabulary(NamePattern match, int axis, Shape shape,
                      int64_t paddedRows) {
  LayoutRule rule = cutRule(std::move(match), axis, 0);
  rule.cuts[0].padTo = paddedRows;
  rule.shape = std::move(shape);
  return rule;
}

LayoutRule segmented(NamePattern match, const Mesh &mesh, int axis, int dim,
                     const Shape &shape, std::span<const Segment> segments,
                     std::span<const Shape> widths) {
  std::vector<RankPieces> byRank;
  for (size_t rank = 0; rank < sizeOf(mesh, axis); ++rank) {
    RunsOfDim runs(shape, static_cast<size_t>(dim));
    int64_t begin = 0;
    for (size_t i = 0; i < segments.size(); ++i) {
      if (segments[i].isReplicated) {
        runs.add(begin, segments[i].size);
      } else {
        int64_t before = 0;
        for (size_t other = 0; other < rank; ++other)
          before += widths[i][other];
        runs.add(begin + before, widths[i][rank]);
      }
      begin += segments[i].size;
    }
    byRank.push_back(runs.pieces());
  }
  return piecesRule(std::move(match), mesh, axis, byRank);
}

LayoutRule blockGather(NamePattern match, const Mesh &mesh, int axis, int dim,
                       const Shape &shape, int64_t blockExtent,
                       std::span<const Shape> idsByRank) {
  std::vector<RankPieces> byRank;
  for (const Shape &ids : idsByRank) {
    RunsOfDim runs(shape, static_cast<size_t>(dim));
    for (int64_t id : ids)
      runs.add(id * blockExtent, blockExtent);
    byRank.push_back(runs.pieces());
  }
  return piecesRule(std::move(match), mesh, axis, byRank);
}

std::vector<Shape> codeGenBlocks(int64_t numRanks) {
  constexpr int64_t numGroups = 4, numParts = 3;
  std::vector<int64_t> order;
  for (int64_t group = 0; group < numGroups; ++group)
    for (int64_t block = 0; block < numRanks; ++block)
      for (int64_t part = 0; part < numParts; ++part)
        order.push_back((numParts * group + part) * numRanks + block);
  std::vector<Shape> byRank;
  constexpr int64_t perRank = numGroups * numParts;
  for (int64_t rank = 0; rank < numRanks; ++rank)
    byRank.emplace_back(order.begin() + rank * perRank,
                        order.begin() + (rank + 1) * perRank);
  return byRank;
}

std::vector<Shape> yuanHeads(int64_t numHeads, int64_t numRanks) {
  int64_t perRank = numHeads / numRanks;
  std::vector<Shape> byRank;
  for (int64_t rank = 0; rank < numRanks; ++rank) {
    Shape &heads = byRank.emplace_back();
    for (int64_t half : {int64_t(0), numHeads / 2})
      for (int64_t k = 0; 2 * k < perRank; ++k)
        heads.push_back((rank * perRank + 2 * k) / 2 + half);
  }
  return byRank;
}

LayoutRule experts(NamePattern match, const Mesh &mesh, int axis,
                   const Shape &shape, std::span<const Shape> idsByRank) {
  return blockGather(std::move(match), mesh, axis, 0, shape, 1, idsByRank);
}

LayoutRule transposedRowParallel(NamePattern match, const Mesh &mesh, int axis,
                                 const Shape &shape, const Shape &widths) {
  int64_t rows = shape[0], columns = shape[1], begin = 0;
  std::vector<RankPieces> byRank;
  for (int64_t width : widths) {
    RankPieces &held = byRank.emplace_back();
    held.localShape = {columns, width};
    // Columns of the transposed tensor are rows of the tensor.
    if (width != 0 && rows != 0 && columns != 0)
      held.pieces = {
          {held.localShape, begin * columns, {1, columns}, 0, {width, 1}}};
    begin += width;
  }
  return piecesRule(std::move(match), mesh, axis, byRank);
}

} // namespace aoa::published
