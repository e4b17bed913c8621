//===- Catalog.cpp - What a checkpoint holds, and where ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/Catalog.h"

#include <algorithm>

namespace aoa {

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
