//===- FlatShard.cpp - Ranges of a flattened shard --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FlatShard.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

constexpr size_t maxBlocks = size_t(1) << 22;

Shape rowMajorStrides(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

StridedBlock stridedBlock(const Block &block, const Shape &fullStrides,
                          const Shape &shardStrides) {
  StridedBlock strided{block.shape, 0, fullStrides, 0, shardStrides};
  for (size_t dim = 0; dim < block.shape.size(); ++dim) {
    strided.fullOffset += block.fullOffset[dim] * fullStrides[dim];
    strided.shardOffset += block.localOffset[dim] * shardStrides[dim];
  }
  return strided;
}

void eraseDim(StridedBlock &block, size_t dim) {
  auto at = static_cast<ptrdiff_t>(dim);
  block.shape.erase(block.shape.begin() + at);
  block.fullStrides.erase(block.fullStrides.begin() + at);
  block.shardStrides.erase(block.shardStrides.begin() + at);
}

/// Drops dimensions of one index and sorts by strides in the shard, greatest
/// first.
void orderDims(StridedBlock &block) {
  for (size_t dim = block.shape.size(); dim-- > 0;)
    if (block.shape[dim] == 1)
      eraseDim(block, dim);
  if (std::ranges::is_sorted(block.shardStrides, std::greater()))
    return;
  std::vector<size_t> order(block.shape.size());
  for (size_t dim = 0; dim < order.size(); ++dim)
    order[dim] = dim;
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return std::pair(block.shardStrides[b], a) <
           std::pair(block.shardStrides[a], b);
  });
  StridedBlock sorted = block;
  for (size_t dim = 0; dim < order.size(); ++dim) {
    sorted.shape[dim] = block.shape[order[dim]];
    sorted.fullStrides[dim] = block.fullStrides[order[dim]];
    sorted.shardStrides[dim] = block.shardStrides[order[dim]];
  }
  block = std::move(sorted);
}

/// Makes one dimension of neighbours that run on in each other on both sides.
void joinDims(StridedBlock &block) {
  for (size_t dim = block.shape.size(); dim-- > 1;) {
    int64_t extent = block.shape[dim];
    if (block.fullStrides[dim - 1] != extent * block.fullStrides[dim] ||
        block.shardStrides[dim - 1] != extent * block.shardStrides[dim])
      continue;
    block.shape[dim] *= block.shape[dim - 1];
    eraseDim(block, dim - 1);
  }
}

/// Whether a step in a dimension leads beyond all that the later ones reach.
bool isMonotone(const StridedBlock &block) {
  int64_t reach = 0;
  for (size_t dim = block.shape.size(); dim-- > 0;) {
    if (block.shardStrides[dim] <= reach)
      return false;
    reach += (block.shape[dim] - 1) * block.shardStrides[dim];
  }
  return true;
}

/// Adds elements [begin, end) of a block, in lexicographic order, as blocks.
class RangeOfBlock {
public:
  RangeOfBlock(const StridedBlock &block, const Shape &innerElements,
               std::vector<StridedBlock> &into)
      : block(block), innerElements(innerElements), into(into) {}

  void add(size_t dim, int64_t fullAt, int64_t shardAt, int64_t begin,
           int64_t end) {
    if (dim == block.shape.size())
      return addBlock(dim, fullAt, shardAt, 1);
    int64_t inner = innerElements[dim];
    int64_t first = begin / inner, headBegin = begin % inner;
    int64_t last = end / inner, tailEnd = end % inner;
    auto addInside = [&](int64_t index, int64_t from, int64_t to) {
      add(dim + 1, fullAt + index * block.fullStrides[dim],
          shardAt + index * block.shardStrides[dim], from, to);
    };
    if (first == last)
      return addInside(first, headBegin, tailEnd);
    if (headBegin != 0)
      addInside(first++, headBegin, inner);
    if (first < last)
      addBlock(dim, fullAt + first * block.fullStrides[dim],
               shardAt + first * block.shardStrides[dim], last - first);
    if (tailEnd != 0)
      addInside(last, 0, tailEnd);
  }

private:
  /// `count` indices of `dim` with all that is in them.
  void addBlock(size_t dim, int64_t fullAt, int64_t shardAt, int64_t count) {
    StridedBlock part{{}, fullAt, {}, shardAt, {}};
    auto addDim = [&](int64_t extent, size_t from) {
      part.shape.push_back(extent);
      part.fullStrides.push_back(block.fullStrides[from]);
      part.shardStrides.push_back(block.shardStrides[from]);
    };
    if (count != 1)
      addDim(count, dim);
    for (size_t inner = dim + 1; inner < block.shape.size(); ++inner)
      addDim(block.shape[inner], inner);
    if (part.shape.empty())
      part = {{1}, fullAt, {1}, shardAt, {1}};
    into.push_back(std::move(part));
  }

  const StridedBlock &block;
  const Shape &innerElements;
  std::vector<StridedBlock> &into;
};

/// How many elements of a monotone block lie before `end` in the shard.
int64_t numBefore(const StridedBlock &block, const Shape &innerElements,
                  int64_t end) {
  int64_t rest = end - block.shardOffset, count = 0;
  for (size_t dim = 0; dim < block.shape.size(); ++dim) {
    if (rest <= 0)
      return count;
    int64_t index = rest / block.shardStrides[dim];
    if (index >= block.shape[dim])
      return count + block.shape[dim] * innerElements[dim];
    count += index * innerElements[dim];
    rest -= index * block.shardStrides[dim];
  }
  return rest > 0 ? count + 1 : count;
}

} // namespace

Expected<void> FlatShard::add(StridedBlock block) {
  if (std::ranges::find(block.shape, 0) != block.shape.end())
    return {};
  orderDims(block);
  joinDims(block);
  if (!isMonotone(block)) {
    // Index by index the rest may be monotone; one dimension is.
    StridedBlock slice = block;
    eraseDim(slice, 0);
    for (int64_t i = 0; i < block.shape[0]; ++i) {
      if (auto added = add(slice); !added)
        return added;
      slice.fullOffset += block.fullStrides[0];
      slice.shardOffset += block.shardStrides[0];
    }
    return {};
  }
  if (blocks.size() == maxBlocks)
    return fail(ErrorKind::Limit,
                fmt::format("flattened it has more than {} blocks", maxBlocks));
  OrderedBlock ordered{std::move(block), {}, 0};
  ordered.innerElements = rowMajorStrides(ordered.block.shape);
  ordered.lastInShard = ordered.block.shardOffset;
  for (size_t dim = 0; dim < ordered.block.shape.size(); ++dim)
    ordered.lastInShard +=
        (ordered.block.shape[dim] - 1) * ordered.block.shardStrides[dim];
  blocks.push_back(std::move(ordered));
  return {};
}

void FlatShard::finish() {
  std::ranges::sort(blocks, {}, [](const OrderedBlock &one) {
    return one.block.shardOffset;
  });
  int64_t last = -1;
  for (const OrderedBlock &one : blocks)
    lastSoFar.push_back(last = std::max(last, one.lastInShard));
}

Expected<FlatShard> FlatShard::make(const Shard &shard, const Shape &whole) {
  FlatShard flat;
  Shape fullStrides = rowMajorStrides(whole);
  Shape shardStrides = rowMajorStrides(shard.localShape);
  for (const Block &block : shard.blocks)
    if (auto added = flat.add(stridedBlock(block, fullStrides, shardStrides));
        !added)
      return failWith(std::move(added));
  for (const StridedBlock &block : shard.strided)
    if (auto added = flat.add(block); !added)
      return failWith(std::move(added));
  flat.finish();
  return flat;
}

std::vector<StridedBlock> FlatShard::cut(int64_t begin, int64_t end) const {
  std::vector<StridedBlock> parts;
  auto first = std::ranges::lower_bound(lastSoFar, begin) - lastSoFar.begin();
  for (auto i = static_cast<size_t>(first);
       i < blocks.size() && blocks[i].block.shardOffset < end; ++i) {
    const auto &[block, innerElements, lastInShard] = blocks[i];
    if (lastInShard < begin)
      continue;
    int64_t from = numBefore(block, innerElements, begin);
    int64_t to = numBefore(block, innerElements, end);
    if (from < to)
      RangeOfBlock(block, innerElements, parts)
          .add(0, block.fullOffset, block.shardOffset - begin, from, to);
  }
  return parts;
}

} // namespace aoa
