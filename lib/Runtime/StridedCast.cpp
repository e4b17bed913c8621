//===- StridedCast.cpp - Blocks converted between two layouts ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StridedCast.h"

#include <algorithm>

namespace aoa {

CastSteps::CastSteps(const ElementOps &ops)
    : srcBytes(hasWholeBytes(ops.from) ? bytesPerElement(ops.from) : 1),
      dstBytes(hasWholeBytes(ops.to()) ? bytesPerElement(ops.to()) : 1) {
  DType reached = ops.from;
  for (const ElementOp &step : ops.steps) {
    switch (step.kind) {
    case ElementOp::Kind::Cast:
      if (step.to != reached)
        steps.push_back({.cast = findCast(reached, step.to)});
      break;
    case ElementOp::Kind::Multiply:
      steps.push_back({.scale = findMultiply(reached), .number = step.number});
      break;
    case ElementOp::Kind::Divide:
      steps.push_back({.scale = findDivide(reached), .number = step.number});
      break;
    case ElementOp::Kind::Scale:
      steps.push_back({.scale = findScale(reached), .number = step.number});
      break;
    case ElementOp::Kind::Plus:
      steps.push_back({.scale = findPlus(reached), .number = step.number});
      break;
    }
    reached = step.to;
  }
}

namespace {

using Extents = std::array<int64_t, maxBlockDims>;

/// Chooses the extents of a leaf of at most `elements` elements: enough of the
/// source's and of the target's fastest dimension that both sides use whole
/// cache lines, then as much as fits, from the inside out.
Extents chooseLeaf(const BlockDims &dims, int64_t elements) {
  Extents leaf;
  leaf.fill(1);
  if (dims.size() == 0)
    return leaf;
  const size_t last = dims.size() - 1;
  size_t fastest = last;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i].srcStride < dims[fastest].srcStride)
      fastest = i;
  int64_t used = 1;
  const auto grow = [&](size_t i, int64_t limit) {
    const int64_t others = used / leaf[i];
    leaf[i] =
        std::max(leaf[i], std::min({dims[i].extent, elements / others, limit}));
    used = others * leaf[i];
  };
  if (fastest != last) {
    grow(fastest, 64);
    grow(last, 128);
  }
  for (size_t i = dims.size(); i-- > 0;)
    grow(i, INT64_MAX);
  return leaf;
}

class LeafCaster {
public:
  LeafCaster(const CastSteps &cast, const CastScratch &scratch)
      : cast(cast), scratch(scratch) {}

  /// Converts one leaf.
  void convert(std::byte *dst, const std::byte *src,
               std::span<const ByteDim> leaf) {
    int64_t count = 1;
    bool srcIsPacked = true, dstIsPacked = true;
    for (size_t i = leaf.size(); i-- > 0;) {
      srcIsPacked &= leaf[i].srcStride == count * cast.srcBytes;
      dstIsPacked &= leaf[i].dstStride == count * cast.dstBytes;
      count *= leaf[i].extent;
    }
    unsigned next = 0;
    if (!srcIsPacked) {
      std::byte *packed = scratch.buffers[next++];
      gather(packed, src, leaf);
      src = packed;
    }
    for (size_t step = 0; step < cast.steps.size(); ++step) {
      const bool isLast = step + 1 == cast.steps.size();
      std::byte *to = isLast && dstIsPacked ? dst : scratch.buffers[next++ % 2];
      overflows += cast.steps[step](to, src, count);
      src = to;
    }
    if (!dstIsPacked)
      scatter(dst, src, leaf);
  }

  int64_t overflows = 0;

private:
  void gather(std::byte *packed, const std::byte *src,
              std::span<const ByteDim> leaf) {
    std::array<ByteDim, maxBlockDims> dims;
    int64_t stride = cast.srcBytes;
    for (size_t i = leaf.size(); i-- > 0;) {
      dims[i] = {leaf[i].extent, leaf[i].srcStride, stride};
      stride *= leaf[i].extent;
    }
    copyStrided(packed, src, {dims.data(), leaf.size()}, cast.srcBytes);
  }

  void scatter(std::byte *dst, const std::byte *packed,
               std::span<const ByteDim> leaf) {
    std::array<ByteDim, maxBlockDims> dims;
    int64_t stride = cast.dstBytes;
    for (size_t i = leaf.size(); i-- > 0;) {
      dims[i] = {leaf[i].extent, stride, leaf[i].dstStride};
      stride *= leaf[i].extent;
    }
    copyStrided(dst, packed, {dims.data(), leaf.size()}, cast.dstBytes);
  }

  const CastSteps &cast;
  const CastScratch &scratch;
};

/// Cuts dims[level..] into leaves of `extents` and converts each.
void castLeaves(LeafCaster &caster, const BlockDims &dims,
                const Extents &extents, BlockDims &leaf, size_t level,
                std::byte *dst, const std::byte *src) {
  if (level == dims.size())
    return caster.convert(dst, src, leaf.all());
  const ByteDim &dim = dims[level];
  for (int64_t at = 0; at < dim.extent; at += extents[level]) {
    leaf[level].extent = std::min(extents[level], dim.extent - at);
    castLeaves(caster, dims, extents, leaf, level + 1, dst + at * dim.dstStride,
               src + at * dim.srcStride);
  }
}

/// Converts a block of whatever strides.
int64_t castBlock(std::byte *dst, const std::byte *src,
                  std::span<const ByteDim> allDims, const CastSteps &cast,
                  const CastScratch &scratch) {
  if (cast.steps.empty()) {
    copyStrided(dst, src, allDims, cast.srcBytes);
    return 0;
  }
  const BlockDims dims(allDims);
  BlockDims leaf = dims;
  LeafCaster caster(cast, scratch);
  castLeaves(caster, dims, chooseLeaf(dims, scratch.elements), leaf, 0, dst,
             src);
  return caster.overflows;
}

/// Whether no dimension steps into what the smaller ones reach, so that no
/// element is written twice. Requires canonical dimensions.
bool isNested(const BlockDims &dims, int64_t elementBytes) {
  int64_t reach = elementBytes;
  for (size_t i = dims.size(); i-- > 0;) {
    if (dims[i].dstStride < reach)
      return false;
    reach += (dims[i].extent - 1) * dims[i].dstStride;
  }
  return true;
}

/// Copies the block at index 0 of `dim` to all its other indexes, doubling what
/// is there each time. `block`: strides of the target on both sides.
void repeatBlock(std::byte *dst, std::span<ByteDim> block, const ByteDim &dim,
                 int64_t elementBytes) {
  for (int64_t have = 1; have < dim.extent;) {
    const int64_t take = std::min(have, dim.extent - have);
    block.back() = {take, dim.dstStride, dim.dstStride};
    copyStrided(dst + have * dim.dstStride, dst, block, elementBytes);
    have += take;
  }
  block.back() = {dim.extent, dim.dstStride, dim.dstStride};
}

} // namespace

int64_t castStrided(std::byte *dst, const std::byte *src,
                    std::span<const ByteDim> allDims, const CastSteps &cast,
                    const CastScratch &scratch) {
  if (std::ranges::find(allDims, 0, &ByteDim::srcStride) == allDims.end())
    return castBlock(dst, src, allDims, cast, scratch);
  const BlockDims dims(allDims);
  if (!isNested(dims, cast.dstBytes))
    return castBlock(dst, src, allDims, cast, scratch);

  // Elements that repeat are converted once.
  std::array<ByteDim, maxBlockDims> distinct, block;
  size_t numDistinct = 0;
  for (const ByteDim &dim : dims.all())
    if (dim.srcStride != 0) {
      distinct[numDistinct] = dim;
      block[numDistinct++] = {dim.extent, dim.dstStride, dim.dstStride};
    }
  int64_t overflows =
      castBlock(dst, src, {distinct.data(), numDistinct}, cast, scratch);
  size_t numThere = numDistinct;
  // From the inside out: runs grow.
  for (size_t i = dims.size(); i-- > 0;)
    if (dims[i].srcStride == 0) {
      repeatBlock(dst, std::span(block).first(++numThere), dims[i],
                  cast.dstBytes);
      overflows *= dims[i].extent;
    }
  return overflows;
}

} // namespace aoa
