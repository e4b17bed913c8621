//===- FlatShard.h - Ranges of a flattened shard ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A shard is a row-major box, its elements in order are one row. What lies in a
// range of that row is, for each block of the shard, at most 2·ndim − 1 boxes:
// of [3, 4, 5] the range [7, 58) is
//
//   [0, 1, 2:5]  [0, 2:4, :]  [1, :, :]  [2, 0:3, :]  [2, 3, 0:3]
//
// A bounding slice would not do: from three dimensions on it is not the range.
// Dimensions that are contiguous on both sides count as one.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_FLATSHARD_H
#define AOA_LIB_CATALOG_FLATSHARD_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/Error.h"

namespace aoa {

class FlatShard {
public:
  /// Prepares a shard of a tensor of shape `whole`. Requires blocks that lie
  /// inside of both. Fails where strided blocks are so interleaved that they
  /// fall into more than 2^22 blocks. Cost: blocks, sorted.
  static Expected<FlatShard> make(const Shard &shard, const Shape &whole);

  /// Returns what lies in elements [begin, end) of the row, as blocks of a
  /// shard of shape [end − begin]; padding is in none. Requires a range inside
  /// of the row. Cost: the blocks that the range meets, and a binary search.
  std::vector<StridedBlock> cut(int64_t begin, int64_t end) const;

private:
  /// Strides in the shard descend, and an index that is greater in
  /// lexicographic order lies further on.
  struct OrderedBlock {
    StridedBlock block;
    Shape innerElements; ///< For each dimension, elements of one index.
    int64_t lastInShard;
  };
  Expected<void> add(StridedBlock block);
  void finish();

  std::vector<OrderedBlock> blocks; ///< By their first elements.
  Shape lastSoFar; ///< Greatest `lastInShard` of the blocks up to each.
};

} // namespace aoa

#endif // AOA_LIB_CATALOG_FLATSHARD_H
