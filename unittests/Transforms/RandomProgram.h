//===- RandomProgram.h - Programs that nobody thought of --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Random sources, shards and operations for tests that know from ProgramBuilder
// where each element comes from.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_TRANSFORMS_RANDOMPROGRAM_H
#define AOA_UNITTESTS_TRANSFORMS_RANDOMPROGRAM_H

#include "ProgramBuilder.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace aoa::test {

using Rng = std::mt19937;

inline unsigned draw(Rng &rng, unsigned low, unsigned high) {
  return low + rng() % (high - low + 1);
}

/// Cuts a tensor at random planes. The blocks have no place in a shard yet.
inline std::vector<Block> cutAtRandom(Rng &rng, const Shape &shape,
                                      unsigned cuts) {
  std::vector<Block> parts = wholeShard(shape).blocks;
  for (; cuts > 0; --cuts) {
    if (shape.empty())
      break;
    Block &part = parts[rng() % parts.size()];
    unsigned axis = rng() % shape.size();
    if (part.shape[axis] < 2)
      continue;
    int64_t at = draw(rng, 1, part.shape[axis] - 1);
    Block high = part;
    high.fullOffset[axis] += at;
    high.shape[axis] -= at;
    part.shape[axis] = at;
    parts.push_back(high);
  }
  std::shuffle(parts.begin(), parts.end(), rng);
  return parts;
}

/// Puts blocks into one shard, one behind the other along axis 0 with gaps.
inline Shard makeShard(Rng &rng, uint32_t rank, std::vector<Block> blocks,
                       bool padded) {
  Shard shard;
  shard.ranks = {rank};
  size_t numDims = blocks[0].shape.size();
  shard.localShape = Shape(numDims, 0);
  for (Block &block : blocks) {
    block.localOffset.assign(numDims, 0);
    if (numDims > 0) {
      int64_t gap = padded ? draw(rng, 0, 1) : 0;
      block.localOffset[0] = shard.localShape[0] + gap;
      shard.localShape[0] = block.localOffset[0] + block.shape[0];
    }
    for (size_t i = 1; i < numDims; ++i)
      shard.localShape[i] = std::max(shard.localShape[i], block.shape[i]);
  }
  shard.blocks = std::move(blocks);
  return shard;
}

inline std::vector<Shard> randomShards(Rng &rng, const Shape &shape,
                                       bool overlapping) {
  if (numElements(shape) == 0)
    return {wholeShard(shape)};
  std::vector<Block> blocks = cutAtRandom(rng, shape, draw(rng, 0, 5));
  std::vector<Shard> shards;
  for (size_t at = 0; at < blocks.size();) {
    size_t count = std::min<size_t>(draw(rng, 1, 3), blocks.size() - at);
    auto first = blocks.begin() + at;
    shards.push_back(makeShard(rng, shards.size(), {first, first + count},
                               !overlapping || rng() % 2));
    at += count;
  }
  if (overlapping) {
    for (const Block &block : cutAtRandom(rng, shape, draw(rng, 0, 4)))
      if (rng() % 2)
        shards.push_back(makeShard(rng, shards.size(), {block}, false));
    Shard replica = shards[rng() % shards.size()];
    replica.ranks = {static_cast<uint32_t>(shards.size())};
    shards.push_back(replica);
    std::shuffle(shards.begin(), shards.end(), rng);
  }
  return shards;
}

inline Catalog randomSource(Rng &rng) {
  Catalog catalog;
  for (unsigned i = 0, count = draw(rng, 1, 3); i < count; ++i) {
    Shape shape;
    for (unsigned rank = draw(rng, 0, 3); rank > 0; --rank)
      shape.push_back(rng() % 20 == 0 ? 0 : draw(rng, 1, 8));
    Tensor tensor{"s" + std::to_string(i), DType::F32, shape, {}};
    if (rng() % 4)
      tensor.shards = randomShards(rng, shape, true);
    catalog.tensors.push_back(std::move(tensor));
  }
  return catalog;
}

/// Cuts `extent` in two factors.
inline std::pair<int64_t, int64_t> randomFactors(Rng &rng, int64_t extent) {
  llvm::SmallVector<int64_t, 8> divisors;
  for (int64_t i = 1; i <= extent; ++i)
    if (extent % i == 0)
      divisors.push_back(i);
  if (divisors.empty())
    return {draw(rng, 1, 2), 0};
  int64_t first = divisors[rng() % divisors.size()];
  return {first, extent / first};
}

/// Axes cut in factors, some of them.
inline Extents randomlySplit(Rng &rng, llvm::ArrayRef<int64_t> shape) {
  Extents split;
  for (int64_t extent : shape) {
    auto [first, second] = randomFactors(rng, extent);
    if (rng() % 2)
      split.append({first, second});
    else
      split.push_back(extent);
  }
  return split;
}

inline Extents randomlyJoined(Rng &rng, llvm::ArrayRef<int64_t> shape) {
  Extents joined;
  for (int64_t extent : shape) {
    if (!joined.empty() && rng() % 2)
      joined.back() *= extent;
    else
      joined.push_back(extent);
  }
  return joined;
}

class RandomProgram {
public:
  RandomProgram(Rng &rng, ProgramBuilder &builder)
      : rng(rng), builder(builder) {}

  void build() {
    for (size_t i = 0; i < builder.program.source->tensors.size(); ++i)
      live.push_back(builder.source(i));
    for (int step = draw(rng, 0, 9); step > 0; --step) {
      which = rng() % live.size();
      value = live[which];
      shape = builder.program.value(value).shape;
      rank = shape.size();
      addOp();
    }
  }

private:
  void addOp();
  void permute();
  void cut();
  void join();
  void box();
  void blocks();
  void replace(llvm::ArrayRef<ir::ValueId> made) {
    live[which] = made[0];
    live.insert(live.end(), made.begin() + 1, made.end());
  }
  llvm::SmallVector<unsigned, 4> randomPerm(unsigned size) {
    llvm::SmallVector<unsigned, 4> perm(size);
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), rng);
    return perm;
  }
  DType dtype() const { return builder.program.value(value).dtype; }
  bool isSmall() const { return numElements(shape) <= 512; }

  Rng &rng;
  ProgramBuilder &builder;
  std::vector<ir::ValueId> live;
  // What the next operation works on.
  size_t which = 0;
  ir::ValueId value = {};
  Extents shape;
  unsigned rank = 0;
};

inline void RandomProgram::addOp() {
  switch (rng() % 10) {
  case 0:
    live[which] = builder.rename(value);
    return;
  case 1:
    return permute();
  case 2:
  case 3:
    return cut();
  case 4:
  case 5:
    return join();
  case 6:
    live[which] = builder.cast(value, rng() % 2 ? DType::F64 : DType::BF16);
    return;
  case 7:
    return box();
  case 8:
    return blocks();
  case 9:
    if (rng() % 2) {
      live.push_back(builder.constant(dtype(), shape));
      return;
    }
    for (ir::ValueId other : live)
      if (other != value && builder.program.value(other).shape == shape &&
          builder.program.value(other).dtype == dtype()) {
        builder.compare(value, other);
        return;
      }
    return;
  }
}

inline void RandomProgram::permute() {
  if (rng() % 2) {
    live[which] = builder.transpose(value, randomPerm(rank));
    return;
  }
  Extents split = randomlySplit(rng, shape);
  if (rng() % 3 == 0) {
    live[which] = builder.reshape(value, randomlyJoined(rng, split));
    return;
  }
  auto perm = randomPerm(split.size());
  Extents permuted;
  for (unsigned factor : perm)
    permuted.push_back(split[factor]);
  live[which] =
      builder.rearrange(value, split, perm, randomlyJoined(rng, permuted));
}

inline void RandomProgram::cut() {
  if (rank == 0)
    return;
  unsigned axis = rng() % rank;
  if (rng() % 4 == 0) {
    if (shape[axis] > 0 && shape[axis] <= 4)
      replace(builder.cut(value, axis, 1, {}));
    return;
  }
  if (rng() % 2) {
    // Sizes of one group, some of them 0.
    int64_t groups = randomFactors(rng, shape[axis]).first;
    Extents sizes;
    for (int64_t left = shape[axis] / groups; left > 0 || sizes.empty();) {
      sizes.push_back(sizes.size() == 3 ? left : draw(rng, 0, left));
      left -= sizes.back();
    }
    auto made = builder.cut(value, axis, groups, sizes);
    if (rng() % 2)
      live[which] = builder.mergeGroups(made, axis, groups);
    else
      replace(made);
    return;
  }
  unsigned parts = draw(rng, 2, 4);
  if (shape[axis] % parts != 0)
    return;
  auto made = builder.split(value, axis, parts);
  if (rng() % 2)
    std::shuffle(made.begin(), made.end(), rng);
  if (rng() % 2)
    live[which] = builder.merge(made, rng() % rank);
  else
    replace(made);
}

inline void RandomProgram::join() {
  bool isStack = rank == 0 || (rank < 5 && rng() % 3 == 0);
  unsigned axis = rng() % (rank + isStack);
  llvm::SmallVector<ir::ValueId, 4> parts;
  for (ir::ValueId other : live) {
    Extents with = builder.program.value(other).shape;
    if (with.size() != rank || builder.program.value(other).dtype != dtype())
      continue;
    if (!isStack)
      with[axis] = shape[axis];
    if (with == shape && parts.size() < 4)
      parts.push_back(other);
  }
  if (parts.empty() || (parts.size() == 1 && isSmall()))
    parts = {value, value};
  for (ir::ValueId part : parts)
    std::erase(live, part);
  live.push_back(isStack ? builder.stack(parts, axis)
                         : builder.merge(parts, axis));
}

inline void RandomProgram::box() {
  if (numElements(shape) == 0)
    return;
  Extents begin, extent, around;
  for (int64_t size : shape) {
    begin.push_back(draw(rng, 0, size - 1));
    extent.push_back(draw(rng, 1, size - begin.back()));
  }
  if (rng() % 2) {
    live[which] = builder.slice(value, begin, extent);
    return;
  }
  if (!isSmall())
    return;
  for (unsigned d = 0; d < rank; ++d) {
    begin[d] = draw(rng, 0, 2);
    around.push_back(begin[d] + shape[d] + draw(rng, 0, 2));
  }
  ir::ValueId fill = builder.constant(dtype(), {});
  live[which] = builder.pad(value, fill, begin, around);
}

inline void RandomProgram::blocks() {
  if (rank == 0)
    return;
  unsigned axis = rng() % rank;
  auto [block, rest] = randomFactors(rng, shape[axis]);
  int64_t count = rest > 0 ? randomFactors(rng, rest).first : 2;
  if (rng() % 2 && isSmall())
    live[which] = builder.repeat(value, axis, draw(rng, 1, 3), block);
  else
    live[which] = builder.dedup(value, axis, count, block);
}

} // namespace aoa::test

#endif // AOA_UNITTESTS_TRANSFORMS_RANDOMPROGRAM_H
