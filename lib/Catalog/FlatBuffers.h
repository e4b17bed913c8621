//===- FlatBuffers.h - Where tensors lie in flat buffers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of `flatten`. The ranks that differ in one mesh axis only, of
// size d, share a buffer; the tensors' local shards are laid into it one after
// the other, and it is cut in d parts of
//
//   P = ⌈length / (align · d)⌉ · align
//
// elements. A tensor of k elements at `offset` has on rank c of the axis what
// [c·P, (c+1)·P) and [offset, offset + k) have in common.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_FLATBUFFERS_H
#define AOA_LIB_CATALOG_FLATBUFFERS_H

#include "aoa/Catalog/Layout.h"

namespace aoa {

/// All buffers of one group. Used in two passes over the group's tensors, in
/// their order: `measure` each, then `place` each.
class FlatBuffers {
public:
  FlatBuffers(const Mesh &mesh, const FlattenRule &rule);

  /// Appends a tensor's local shards, those of the ranks at coordinate 0 of the
  /// axis. Fails for a buffer of 2^62 elements or more.
  Expected<void> measure(const ShardList &local);

  /// Returns the fragments of a tensor of shape `whole`, ordered by their first
  /// ranks; empty ones are left out, unless the tensor is empty. Requires all
  /// tensors to have been measured. Cost: ranks, plus blocks and fragments.
  Expected<std::vector<Shard>> place(const ShardList &local,
                                     const Shape &whole);

private:
  /// Ranks that have a tensor's local shard at one offset of equal buffers.
  struct Alike {
    int64_t offset;
    int64_t partElements;
    std::vector<uint32_t> ranks;
  };
  std::vector<Alike> advance(const Shard &shard, int64_t numElements);
  Shard restOfHolders(const ShardList &local,
                      std::span<const Shard> fragments) const;
  size_t bufferOf(uint32_t rank) const;
  int64_t startAfter(int64_t end) const;

  int64_t axisSize;
  int64_t rankStride; ///< Between neighbours along the axis.
  const FlattenRule &rule;
  std::vector<int64_t> measured; ///< For each buffer the end of its tensors.
  std::vector<int64_t> placed;   ///< The end of those placed so far.
};

} // namespace aoa

#endif // AOA_LIB_CATALOG_FLATBUFFERS_H
