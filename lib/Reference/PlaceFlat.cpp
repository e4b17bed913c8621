//===- PlaceFlat.cpp - Buffers of several tensors, cut evenly ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "PlaceFlat.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::reference;

namespace {

/// One place of a buffer: padding belongs to no tensor.
struct Cell {
  const FlatTensor *of = nullptr;
  std::string bytes;
};

class Buffer {
public:
  Buffer(const Layout &layout, const FlattenRule &rule, int64_t firstRank)
      : layout(layout), rule(rule), firstRank(firstRank) {}

  void add(const FlatTensor &of, const WholeTensor &shard) {
    size_t size = bytesPerElement(shard.dtype);
    if (!shard.bytes.empty())
      padTo(rule.alignEach);
    for (size_t at = 0; at < shard.bytes.size(); at += size)
      cells.push_back({&of, shard.bytes.substr(at, size)});
    if (std::ranges::find(of.tensor->shape, 0) != of.tensor->shape.end())
      emptyTensors.push_back(&of);
  }

  Expected<bool> deal(const PutFragment &put) {
    int64_t numParts = layout.mesh.axes[rule.axis].size;
    padTo(rule.align * numParts);
    size_t partSize = cells.size() / numParts;
    for (int64_t part = 0; part != numParts; ++part) {
      std::map<const FlatTensor *, WholeTensor> fragments;
      for (const FlatTensor *of : emptyTensors)
        fragments[of] = {of->tensor->dtype, {0}, ""};
      for (size_t i = part * partSize; i != (part + 1) * partSize; ++i) {
        const FlatTensor *of = cells[i].of;
        if (!of)
          continue;
        auto [it, isNew] =
            fragments.try_emplace(of, WholeTensor{of->tensor->dtype, {0}, ""});
        ++it->second.shape[0];
        it->second.bytes += cells[i].bytes;
      }
      for (auto &[of, fragment] : fragments)
        if (auto done = put(rankOfPart(part), of->name, std::move(fragment));
            !done)
          return done;
    }
    return true;
  }

private:
  void padTo(int64_t multiple) {
    while (cells.size() % multiple != 0)
      cells.emplace_back();
  }

  int64_t rankOfPart(int64_t part) const {
    auto wanted = layout.mesh.coordinates(firstRank);
    wanted[rule.axis] = part;
    int64_t rank = 0;
    for (size_t axis = 0; axis != wanted.size(); ++axis)
      rank = rank * layout.mesh.axes[axis].size + wanted[axis];
    return rank;
  }

  const Layout &layout;
  const FlattenRule &rule;
  int64_t firstRank;
  std::vector<Cell> cells;
  std::vector<const FlatTensor *> emptyTensors;
};

/// Which tensors share buffers.
std::string groupOf(const FlatTensor &tensor) {
  const FlattenRule &rule = *tensor.rule->flatten;
  if (rule.each)
    return "tensor " + tensor.name;
  if (rule.group.empty())
    return "rule " + tensor.rule->path;
  return "group " + rule.group;
}

size_t patternOf(const FlatTensor &tensor) {
  const std::vector<NamePattern> &order = tensor.rule->flatten->order;
  size_t i = 0;
  while (i != order.size() && !order[i].matches(tensor.name))
    ++i;
  return i;
}

} // namespace

Expected<bool> reference::placeFlat(const Layout &layout,
                                    std::vector<FlatTensor> tensors,
                                    const LocalShard &localShard,
                                    const PutFragment &put) {
  std::map<std::string, std::vector<FlatTensor>> groups;
  for (FlatTensor &tensor : tensors)
    groups[groupOf(tensor)].push_back(std::move(tensor));
  for (auto &[group, members] : groups) {
    std::sort(members.begin(), members.end(),
              [](const FlatTensor &a, const FlatTensor &b) {
                return std::pair(patternOf(a), a.name) <
                       std::pair(patternOf(b), b.name);
              });
    const FlattenRule &rule = *members.front().rule->flatten;
    for (int64_t rank = 0; rank != layout.mesh.numRanks(); ++rank) {
      if (layout.mesh.coordinates(rank)[rule.axis] != 0)
        continue;
      Buffer buffer(layout, rule, rank);
      for (const FlatTensor &member : members) {
        auto shard = localShard(member, rank);
        if (!shard)
          return failWith(std::move(shard), "placing `" + member.name + "`");
        if (*shard)
          buffer.add(member, **shard);
      }
      if (auto done = buffer.deal(put); !done)
        return done;
    }
  }
  return true;
}
