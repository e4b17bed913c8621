//===- Catalog.cpp - What a checkpoint holds, and where ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/Catalog.h"

#include "ContentHash.h"

#include <algorithm>

namespace aoa {

const std::vector<Shard> &ShardList::all() const {
  static const std::vector<Shard> none;
  return list ? *list : none;
}

ShardList ShardLists::intern(std::vector<Shard> shards) {
  if (shards.empty())
    return {};
  ContentHash hash;
  for (const Shard &shard : shards)
    hash.add(shard);
  auto [begin, end] = lists.equal_range(hash.value());
  for (auto known = begin; known != end; ++known)
    if (known->second.all() == shards)
      return known->second;
  return lists.emplace(hash.value(), std::move(shards))->second;
}

ShardList ShardLists::whole(const Shape &shape) {
  auto [known, isNew] = wholes.try_emplace(shape);
  if (isNew)
    known->second = intern({wholeShard(shape)});
  return known->second;
}

size_t ShardLists::ShapeHash::operator()(const Shape &shape) const {
  ContentHash hash;
  hash.add(shape);
  return static_cast<size_t>(hash.value());
}

const Tensor *Catalog::find(std::string_view name) const {
  auto found = std::ranges::lower_bound(
      tensors, name, {},
      [](const Tensor &t) -> std::string_view { return t.name; });
  return found != tensors.end() && found->name == name ? &*found : nullptr;
}

std::optional<std::string> sortByName(std::vector<Tensor> &tensors) {
  std::ranges::sort(tensors, {}, &Tensor::name);
  auto twin = std::ranges::adjacent_find(tensors, {}, &Tensor::name);
  if (twin == tensors.end())
    return std::nullopt;
  return twin->name;
}

Shard wholeShard(const Shape &shape) {
  Shard shard;
  shard.ranks = {0};
  shard.localShape = shape;
  if (std::ranges::find(shape, 0) == shape.end())
    shard.blocks = {{Shape(shape.size()), Shape(shape.size()), shape}};
  return shard;
}

} // namespace aoa
