//===- TensorPlacer.cpp - Equal cuts placed once ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TensorPlacer.h"

#include "Holders.h"

namespace aoa {

Expected<ShardList> TensorPlacer::place(const LayoutRule &rule,
                                        std::string_view name,
                                        const Shape &shape) {
  Expected<std::vector<int64_t>> values = holdersKey(layout, rule, name);
  if (!values)
    return failWith(std::move(values));
  auto [entry, isNew] =
      known.try_emplace(Key(&rule, shape, std::move(*values)));
  if (!isNew)
    return entry->second;
  Expected<Placement> placement = placeTensor(layout, rule, name, shape);
  if (!placement) {
    // The error names this tensor; the next gets its own.
    known.erase(entry);
    return failWith(std::move(placement));
  }
  entry->second = std::move(placement->shards);
  return entry->second;
}

} // namespace aoa
