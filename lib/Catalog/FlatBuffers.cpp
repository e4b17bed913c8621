//===- FlatBuffers.cpp - Where tensors lie in flat buffers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FlatBuffers.h"

#include "FlatShard.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

/// The smallest multiple of `step` that is at least `least`.
std::optional<int64_t> roundUp(int64_t least, int64_t step) {
  return checkedMul(ceilDiv(least, step), step);
}

int64_t numElementsOf(const Shard &shard) {
  return checkedNumElements(shard.localShape).value_or(0);
}

/// A vector is cut in boxes like any other shard.
void addBlocks(std::vector<StridedBlock> blocks, const Shape &whole,
               Shard &fragment) {
  for (StridedBlock &block : blocks)
    if (whole.size() == 1 && block.fullStrides == Shape{1} &&
        block.shardStrides == Shape{1})
      fragment.blocks.push_back(
          {{block.fullOffset}, {block.shardOffset}, std::move(block.shape)});
    else
      fragment.strided.push_back(std::move(block));
}

} // namespace

FlatBuffers::FlatBuffers(const Mesh &mesh, const FlattenRule &rule)
    : rankStride(1), rule(rule) {
  auto axis = static_cast<size_t>(rule.axis);
  axisSize = mesh.axes[axis].size;
  for (size_t i = axis + 1; i < mesh.axes.size(); ++i)
    rankStride *= mesh.axes[i].size;
  measured.resize(static_cast<size_t>(mesh.numRanks() / axisSize));
  placed.resize(measured.size());
}

/// A rank's number without the digit of the axis.
size_t FlatBuffers::bufferOf(uint32_t rank) const {
  return static_cast<size_t>(rank / (rankStride * axisSize) * rankStride +
                             rank % rankStride);
}

/// Requires that `measure` found the place to exist.
int64_t FlatBuffers::startAfter(int64_t end) const {
  return roundUp(end, rule.alignEach).value_or(end);
}

Expected<void> FlatBuffers::measure(const ShardList &local) {
  for (const Shard &shard : local) {
    int64_t numElements = numElementsOf(shard);
    for (uint32_t rank : shard.ranks) {
      if (int64_t coordinate = rank / rankStride % axisSize; coordinate != 0)
        return fail(ErrorKind::Mismatch,
                    fmt::format("rank {} has a local shard, but `flatten` "
                                "wants those of coordinate 0 of its axis, not "
                                "{}",
                                rank, coordinate));
      if (numElements == 0)
        continue;
      int64_t &end = measured[bufferOf(rank)];
      std::optional<int64_t> start = roundUp(end, rule.alignEach);
      std::optional<int64_t> next;
      if (start)
        next = checkedAdd(*start, numElements);
      std::optional<int64_t> cut = checkedMul(rule.align, axisSize);
      std::optional<int64_t> length =
          next && cut ? roundUp(*next, *cut) : std::nullopt;
      if (!length || *length >= elementLimit)
        return fail(ErrorKind::Limit,
                    fmt::format("after {} elements the flat buffer of rank {} "
                                "gets 2^62 or more",
                                end, rank));
      end = *next;
    }
  }
  return {};
}

/// Moves behind a shard in all of its ranks' buffers.
std::vector<FlatBuffers::Alike> FlatBuffers::advance(const Shard &shard,
                                                     int64_t numElements) {
  std::vector<Alike> groups;
  std::map<std::pair<int64_t, int64_t>, size_t> known;
  for (uint32_t rank : shard.ranks) {
    size_t buffer = bufferOf(rank);
    int64_t offset = startAfter(placed[buffer]);
    placed[buffer] = offset + numElements;
    int64_t partElements =
        ceilDiv(measured[buffer], rule.align * axisSize) * rule.align;
    // Most ranks are like the one before.
    if (groups.empty() || groups.back().offset != offset ||
        groups.back().partElements != partElements) {
      auto [at, isNew] =
          known.try_emplace({offset, partElements}, groups.size());
      if (!isNew) {
        groups[at->second].ranks.push_back(rank);
        continue;
      }
      groups.push_back({offset, partElements, {}});
    }
    groups.back().ranks.push_back(rank);
  }
  return groups;
}

/// Every holder of an empty tensor names it, those with nothing too: a local
/// shard may be all padding.
Shard FlatBuffers::restOfHolders(const ShardList &local,
                                 std::span<const Shard> fragments) const {
  std::vector<uint32_t> holders, served;
  for (const Shard &shard : local)
    for (uint32_t rank : shard.ranks)
      for (int64_t part = 0; part < axisSize; ++part)
        holders.push_back(static_cast<uint32_t>(rank + part * rankStride));
  for (const Shard &fragment : fragments)
    served.insert(served.end(), fragment.ranks.begin(), fragment.ranks.end());
  std::ranges::sort(holders);
  std::ranges::sort(served);
  Shard rest{.ranks = {}, .localShape = {0}};
  std::ranges::set_difference(holders, served, std::back_inserter(rest.ranks));
  return rest;
}

Expected<std::vector<Shard>> FlatBuffers::place(const ShardList &local,
                                                const Shape &whole) {
  std::vector<Shard> fragments;
  for (const Shard &shard : local) {
    int64_t numElements = numElementsOf(shard);
    if (numElements == 0)
      continue;
    Expected<FlatShard> flat = FlatShard::make(shard, whole);
    if (!flat)
      return failWith(std::move(flat));
    // Buffers of other lengths may cut the shard alike.
    std::map<std::pair<int64_t, int64_t>, size_t> known;
    for (const auto &[offset, partElements, ranks] :
         advance(shard, numElements)) {
      int64_t lastPart = (offset + numElements - 1) / partElements;
      for (int64_t part = offset / partElements; part <= lastPart; ++part) {
        int64_t begin = std::max<int64_t>(part * partElements - offset, 0);
        int64_t end = std::min(part * partElements + (partElements - offset),
                               numElements);
        auto [at, isNew] = known.try_emplace({begin, end}, fragments.size());
        if (isNew) {
          Shard &fragment = fragments.emplace_back();
          fragment.localShape = {end - begin};
          fragment.scale = shard.scale;
          addBlocks(flat->cut(begin, end), whole, fragment);
        }
        for (uint32_t rank : ranks)
          fragments[at->second].ranks.push_back(
              static_cast<uint32_t>(rank + part * rankStride));
      }
    }
  }
  for (Shard &fragment : fragments)
    std::ranges::sort(fragment.ranks);
  if (std::ranges::find(whole, 0) != whole.end())
    if (Shard rest = restOfHolders(local, fragments); !rest.ranks.empty())
      fragments.push_back(std::move(rest));
  std::ranges::sort(fragments, {},
                    [](const Shard &shard) { return shard.ranks.front(); });
  return fragments;
}

} // namespace aoa
