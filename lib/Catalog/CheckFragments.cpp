//===- CheckFragments.cpp - Stored fragments against placed ones ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/ModelPlacement.h"

#include <fmt/format.h>

namespace aoa {

namespace {

std::unexpected<Error> refuse(std::string message) {
  return fail(ErrorKind::Mismatch, std::move(message));
}

} // namespace

Expected<void> checkFragments(const Layout &layout, std::string_view name,
                              const Shape &whole, const ShardList &shards,
                              std::span<const LocalShape> localShapes) {
  auto showRank = [&](uint32_t rank) {
    return fmt::format("rank {} (`{}`)", rank,
                       layout.files.fileOf(rank, layout.mesh));
  };
  auto expected = [&](const Shape &shape) {
    return fmt::format("expected {} as its fragment of shape {}",
                       formatShape(shape), formatShape(whole));
  };
  std::map<uint32_t, const Shape *> stored;
  for (const LocalShape &entry : localShapes)
    if (!stored.emplace(entry.rank, &entry.shape).second)
      return refuse(
          fmt::format("{} has `{}` twice", showRank(entry.rank), name));
  for (const Shard &shard : shards)
    for (uint32_t rank : shard.ranks) {
      auto entry = stored.find(rank);
      if (entry == stored.end())
        return refuse(fmt::format("{} does not have `{}`, {}", showRank(rank),
                                  name, expected(shard.localShape)));
      if (*entry->second != shard.localShape)
        return refuse(fmt::format(
            "{} has `{}` with shape {}, {}", showRank(rank), name,
            formatShape(*entry->second), expected(shard.localShape)));
      stored.erase(entry);
    }
  for (const auto &[rank, shape] : stored)
    if (*shape != Shape{0})
      return refuse(fmt::format("{} has `{}` with shape {}, {}", showRank(rank),
                                name, formatShape(*shape), expected({0})));
  return {};
}

} // namespace aoa
