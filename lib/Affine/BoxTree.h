//===- BoxTree.h - Boxes of digits that meet a query ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tree of bounding boxes over the boxes of a set, divided in halves along the
// digit in which they stand furthest apart for their size. Takes a few bytes a
// box. A query costs O(log n + results) for partitions by planes,
// grids among them.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXTREE_H
#define AOA_LIB_AFFINE_BOXTREE_H

#include "BoxList.h"

#include <vector>

namespace aoa::affine {

class BoxTree {
public:
  /// Puts `boxes` into the order of the tree. Requires that they outlive it.
  explicit BoxTree(BoxList &boxes);

  /// Collects the numbers of the boxes that meet `query`, ordered by piece,
  /// then address.
  void find(const DigitBox &query,
            llvm::SmallVectorImpl<uint32_t> &found) const;
  /// Returns how many boxes meet `query`.
  int64_t count(const DigitBox &query) const;

  const BoxList &list() const { return boxes; }

private:
  static constexpr size_t leafSize = 8;
  static size_t numLeaves(size_t numBoxes) {
    return (numBoxes + leafSize - 1) / leafSize;
  }
  /// The first half has whole leaves.
  static size_t middleOf(size_t begin, size_t end) {
    return begin + (numLeaves(end - begin) + 1) / 2 * leafSize;
  }
  /// A subtree is its node, its first half's nodes, its second half's.
  static size_t secondChild(size_t node, size_t begin, size_t middle) {
    return node + 2 * numLeaves(middle - begin);
  }
  struct Build;
  void build(Build &state, size_t node, size_t begin, size_t end);
  void setBounds(Build &state, size_t node, size_t begin, size_t end);
  bool meets(size_t box, const DigitBox &query) const;
  template <typename All, typename One>
  void search(size_t node, size_t begin, size_t end, const DigitBox &query,
              All all, One one) const;

  const BoxList &boxes;
  const Digits &digits;
  std::vector<int64_t> bounds; ///< A node: lows of the digits, then ends.
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXTREE_H
