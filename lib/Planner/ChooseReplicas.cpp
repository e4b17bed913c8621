//===- ChooseReplicas.cpp - Which copy of a shard is read -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "ChooseReplicas.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa;

static uint64_t key(uint32_t first, uint32_t rank) {
  return uint64_t{first} << 32 | rank;
}

const ReplicaChooser::Replicas &ReplicaChooser::replicasOf(ir::ValueId source) {
  const Replicas *&replicas = ofValue[source.index()];
  if (!replicas && program.isFill(source))
    replicas = &known[nullptr]; // One element, stored once.
  if (!replicas) {
    const Tensor &tensor = program.sourceTensor(source);
    auto [found, isNew] = known.try_emplace(tensor.shards.identity());
    if (isNew)
      found->second = find(tensor);
    replicas = &found->second;
  }
  return *replicas;
}

uint32_t ReplicaChooser::choose(ir::ValueId source, uint32_t shard,
                                uint32_t rank) {
  const Replicas &replicas = replicasOf(source);
  if (replicas.firstOf.empty())
    return shard;
  uint32_t first = replicas.firstOf[shard];
  auto copy = replicas.copyOf.find(key(first, rank));
  return copy == replicas.copyOf.end() ? first : copy->second;
}

ReplicaChooser::Replicas ReplicaChooser::find(const Tensor &tensor) {
  Replicas replicas;
  const std::vector<Shard> &shards = tensor.shards.all();
  if (shards.size() < 2)
    return replicas;

  auto compareBlocks = [](const Block &a, const Block &b) {
    return std::tie(a.fullOffset, a.localOffset, a.shape) <
           std::tie(b.fullOffset, b.localOffset, b.shape);
  };
  auto compareStrided = [](const StridedBlock &a, const StridedBlock &b) {
    return std::tie(a.shape, a.fullOffset, a.fullStrides, a.shardOffset,
                    a.shardStrides) < std::tie(b.shape, b.fullOffset,
                                               b.fullStrides, b.shardOffset,
                                               b.shardStrides);
  };
  auto less = [&](uint32_t a, uint32_t b) {
    if (shards[a].localShape != shards[b].localShape)
      return shards[a].localShape < shards[b].localShape;
    if (shards[a].scale != shards[b].scale)
      return shards[a].scale < shards[b].scale;
    if (shards[a].blocks != shards[b].blocks)
      return std::lexicographical_compare(
          shards[a].blocks.begin(), shards[a].blocks.end(),
          shards[b].blocks.begin(), shards[b].blocks.end(), compareBlocks);
    return std::lexicographical_compare(
        shards[a].strided.begin(), shards[a].strided.end(),
        shards[b].strided.begin(), shards[b].strided.end(), compareStrided);
  };
  std::vector<uint32_t> order(shards.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return less(a, b) || (!less(b, a) && a < b);
  });

  std::vector<uint32_t> firstOf(shards.size());
  bool any = false;
  for (size_t i = 0; i < order.size(); ++i) {
    bool isCopy = i > 0 && !less(order[i - 1], order[i]);
    firstOf[order[i]] = isCopy ? firstOf[order[i - 1]] : order[i];
    any |= isCopy;
  }
  if (!any)
    return replicas;
  for (uint32_t shard = 0; shard < shards.size(); ++shard)
    for (uint32_t rank : shards[shard].ranks)
      replicas.copyOf.try_emplace(key(firstOf[shard], rank), shard);
  replicas.firstOf = std::move(firstOf);
  return replicas;
}
