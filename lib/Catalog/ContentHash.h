//===- ContentHash.h - Hashes of geometry -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_CONTENTHASH_H
#define AOA_LIB_CATALOG_CONTENTHASH_H

#include "aoa/Catalog/Catalog.h"

#include <bit>

namespace aoa {

/// A hash of numbers in order. Equal lists are compared afterwards, so it needs
/// to be good, not perfect.
class ContentHash {
public:
  void add(uint64_t number) {
    state = (state ^ number) * 0x9e3779b97f4a7c15;
    state ^= state >> 29;
  }
  void add(const Shape &numbers) {
    add(numbers.size());
    for (int64_t number : numbers)
      add(static_cast<uint64_t>(number));
  }
  void add(const Shard &shard) {
    add(shard.ranks.size());
    for (uint32_t rank : shard.ranks)
      add(rank);
    add(shard.localShape);
    add(shard.blocks.size());
    for (const Block &block : shard.blocks) {
      add(block.fullOffset);
      add(block.localOffset);
      add(block.shape);
    }
    add(shard.strided.size());
    for (const StridedBlock &block : shard.strided) {
      add(block.shape);
      add(static_cast<uint64_t>(block.fullOffset));
      add(block.fullStrides);
      add(static_cast<uint64_t>(block.shardOffset));
      add(block.shardStrides);
    }
    add(std::bit_cast<uint64_t>(shard.scale));
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0x243f6a8885a308d3;
};

} // namespace aoa

#endif // AOA_LIB_CATALOG_CONTENTHASH_H
