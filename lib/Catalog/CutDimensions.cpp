//===- CutDimensions.cpp - A rule applied by dimension ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "CutDimensions.h"

#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::Mismatch, std::move(message));
}

/// The parts of each of `counts` of `extents` once more, by ⌈n/count⌉.
Shape cutByCeil(const Shape &extents, int64_t count) {
  Shape parts;
  parts.reserve(extents.size() * static_cast<size_t>(count));
  for (int64_t extent : extents) {
    int64_t most = ceilDiv(extent, count), rest = extent;
    for (int64_t i = 0; i < count; ++i) {
      int64_t part = std::min(most, rest);
      parts.push_back(part);
      rest -= part;
    }
  }
  return parts;
}

Shape cutBalanced(int64_t extent, int64_t count) {
  Shape parts(static_cast<size_t>(count), extent / count);
  std::fill_n(parts.begin(), extent % count, extent / count + 1);
  return parts;
}

/// All that a rule says about one dimension, however it names it.
Expected<std::vector<DimCut>> cutsByDim(const LayoutRule &rule,
                                        const Shape &shape) {
  std::vector<DimCut> merged(shape.size());
  for (const DimCut &cut : rule.cuts) {
    Expected<size_t> dim = resolveDim(cut.dim, shape);
    if (!dim)
      return failWith(std::move(dim));
    DimCut &into = merged[*dim];
    bool clash = false;
    auto merge = [&](auto &to, const auto &from, bool given, bool taken) {
      clash |= given && taken;
      if (given)
        to = from;
    };
    merge(into.meshAxes, cut.meshAxes, !cut.meshAxes.empty(),
          !into.meshAxes.empty());
    merge(into.sizes, cut.sizes, !cut.sizes.empty(), !into.sizes.empty());
    bool hasSegments = !into.segments.empty() || into.numSegments != 0;
    merge(into.segments, cut.segments, !cut.segments.empty(), hasSegments);
    merge(into.numSegments, cut.numSegments, cut.numSegments != 0, hasSegments);
    bool hasPad = into.padTo || into.padMultiple;
    merge(into.padTo, cut.padTo, cut.padTo.has_value(), hasPad);
    merge(into.padMultiple, cut.padMultiple, cut.padMultiple.has_value(),
          hasPad);
    if (clash)
      return refuse(fmt::format(
          "the rule names dimension {} of shape {} twice, "
          "as {} and {}",
          *dim, formatShape(shape), static_cast<int64_t>(*dim),
          static_cast<int64_t>(*dim) - static_cast<int64_t>(shape.size())));
  }
  return merged;
}

/// Cuts one dimension; `what` names it in messages.
class DimCutter {
public:
  DimCutter(const Mesh &mesh, ChunkRule chunk, const DimCut &cut, size_t dim,
            int64_t extent)
      : chunk(chunk), cut(cut), dim(dim), extent(extent) {
    for (int axis : cut.meshAxes)
      axisSizes.push_back(mesh.axes[static_cast<size_t>(axis)].size);
  }

  Expected<DimParts> run() {
    Expected<int64_t> padded = padExtent();
    if (!padded)
      return failWith(std::move(padded));
    Expected<Shape> segments = segmentExtents(*padded);
    if (!segments)
      return failWith(std::move(segments));
    DimParts result;
    result.meshAxes = cut.meshAxes;
    int64_t begin = 0;
    for (size_t i = 0; i < segments->size(); ++i) {
      Expected<Shape> parts = partExtents(i, (*segments)[i]);
      if (!parts)
        return failWith(std::move(parts));
      result.parts.resize(parts->size());
      if (auto grown = grow(*segments, *parts); !grown)
        return failWith(std::move(grown));
      for (size_t p = 0; p < parts->size(); ++p) {
        addRun(result.parts[p], begin, (*parts)[p]);
        begin += (*parts)[p];
      }
    }
    return result;
  }

private:
  Expected<int64_t> padExtent() const {
    if (cut.padTo && *cut.padTo < extent)
      return refuse(fmt::format("dimension {} is padded to {}, but has extent "
                                "{}",
                                dim, *cut.padTo, extent));
    if (cut.padTo)
      return *cut.padTo;
    if (!cut.padMultiple)
      return extent;
    std::optional<int64_t> padded =
        checkedMul(ceilDiv(extent, *cut.padMultiple), *cut.padMultiple);
    if (!padded)
      return refuse(
          fmt::format("dimension {} of extent {} padded to a multiple "
                      "of {} is beyond 64 bits",
                      dim, extent, *cut.padMultiple));
    return *padded;
  }

  Expected<Shape> segmentExtents(int64_t whole) const {
    if (cut.numSegments != 0) {
      if (cut.numSegments > maxPlacedRanks)
        return fail(ErrorKind::Limit,
                    fmt::format("{} segments of dimension {}, more than {}",
                                cut.numSegments, dim, maxPlacedRanks));
      if (whole % cut.numSegments != 0)
        return refuse(fmt::format("extent {} of dimension {} is not divisible "
                                  "into {} segments",
                                  whole, dim, cut.numSegments));
      return Shape(static_cast<size_t>(cut.numSegments),
                   whole / cut.numSegments);
    }
    if (cut.segments.empty())
      return Shape{whole};
    if (auto sum = sumOf(cut.segments); sum != whole)
      return refuse(fmt::format("segments {} of dimension {} add up to {}, but "
                                "its extent is {}",
                                formatShape(cut.segments), dim, show(sum),
                                whole));
    return cut.segments;
  }

  /// Extents of the parts of one segment.
  Expected<Shape> partExtents(size_t segment, int64_t whole) const {
    bool single = cut.segments.empty() && cut.numSegments <= 1;
    std::string of =
        single ? fmt::format("dimension {}", dim)
               : fmt::format("segment {} of dimension {}", segment, dim);
    if (cut.sizes.empty()) {
      Expected<Shape> parts = chunkExtents(whole, axisSizes, chunk);
      if (!parts)
        return failWith(std::move(parts), of);
      return parts;
    }
    int64_t numParts = 1;
    for (int64_t size : axisSizes)
      numParts *= size;
    if (cut.meshAxes.empty())
      return refuse(fmt::format("sizes of {}, which `shard` does not cut", of));
    if (segment >= cut.sizes.size() ||
        static_cast<int64_t>(cut.sizes[segment].size()) != numParts)
      return refuse(
          fmt::format("sizes of {} do not give {} parts", of, numParts));
    const Shape &sizes = cut.sizes[segment];
    if (auto sum = sumOf(sizes); sum != whole)
      return refuse(
          fmt::format("sizes {} of {} add up to {}, but its extent is "
                      "{}",
                      formatShape(sizes), of, show(sum), whole));
    return sizes;
  }

  /// Refuses what would take too much memory.
  Expected<void> grow(const Shape &segments, const Shape &parts) const {
    std::optional<int64_t> runs =
        checkedMul(static_cast<int64_t>(segments.size()),
                   static_cast<int64_t>(parts.size()));
    if (!runs || *runs > 4 * maxPlacedRanks)
      return fail(ErrorKind::Limit,
                  fmt::format("{} segments in {} parts of dimension {}, more "
                              "than {} pieces",
                              segments.size(), parts.size(), dim,
                              4 * maxPlacedRanks));
    return {};
  }

  /// Appends [begin, begin + count) of the padded dimension to a part.
  void addRun(DimPart &part, int64_t begin, int64_t count) const {
    int64_t local = part.extent;
    part.extent += count;
    int64_t real = std::min(count, std::max<int64_t>(extent - begin, 0));
    if (real == 0)
      return;
    if (!part.runs.empty() &&
        part.runs.back().full + part.runs.back().extent == begin)
      part.runs.back().extent += real;
    else
      part.runs.push_back({begin, local, real});
  }

  static std::optional<int64_t> sumOf(const Shape &extents) {
    std::optional<int64_t> sum = 0;
    for (int64_t one : extents)
      if (sum)
        sum = checkedAdd(*sum, one);
    return sum;
  }

  static std::string show(std::optional<int64_t> sum) {
    return sum ? std::to_string(*sum) : "more than 64 bits hold";
  }

  ChunkRule chunk;
  const DimCut &cut;
  size_t dim;
  int64_t extent;
  std::vector<int64_t> axisSizes;
};

} // namespace

Expected<size_t> resolveDim(int dim, const Shape &shape) {
  auto rank = static_cast<int64_t>(shape.size());
  int64_t resolved = dim < 0 ? dim + rank : dim;
  if (resolved < 0 || resolved >= rank)
    return refuse(fmt::format(
        "dimension {} does not exist in shape {}{}", dim, formatShape(shape),
        rank == 0 ? "; a scalar wants a rule before this one" : ""));
  return static_cast<size_t>(resolved);
}

Expected<Shape> chunkExtents(int64_t extent, std::span<const int64_t> axisSizes,
                             ChunkRule chunk) {
  int64_t numParts = 1;
  for (int64_t size : axisSizes) {
    std::optional<int64_t> product = checkedMul(numParts, size);
    if (!product || *product > maxPlacedRanks || *product < 1)
      return fail(ErrorKind::Limit,
                  fmt::format("cut in {} times {} parts, expected 1 to {}",
                              numParts, size, maxPlacedRanks));
    numParts = *product;
  }
  switch (chunk) {
  case ChunkRule::Even:
    if (extent % numParts != 0)
      return refuse(
          fmt::format("extent {} is not divisible by {} (`chunk` says "
                      "`ceil` or `balanced` for such tensors)",
                      extent, numParts));
    return Shape(static_cast<size_t>(numParts), extent / numParts);
  case ChunkRule::Balanced:
    return cutBalanced(extent, numParts);
  case ChunkRule::Ceil: {
    Shape parts = {extent};
    for (int64_t size : axisSizes)
      parts = cutByCeil(parts, size);
    return parts;
  }
  }
  return Shape{extent};
}

Expected<std::vector<DimParts>>
cutDimensions(const Mesh &mesh, const LayoutRule &rule, const Shape &shape) {
  Expected<std::vector<DimCut>> cuts = cutsByDim(rule, shape);
  if (!cuts)
    return failWith(std::move(cuts));
  std::vector<DimParts> dims;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    auto parts =
        DimCutter(mesh, rule.chunk, (*cuts)[dim], dim, shape[dim]).run();
    if (!parts)
      return failWith(std::move(parts));
    dims.push_back(std::move(*parts));
  }
  return dims;
}

} // namespace aoa
