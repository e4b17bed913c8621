//===- BoxTree.h - Boxes of digits that meet a query ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tree of bounding boxes over the boxes of a set, divided in halves along the
// digit in which they stand furthest apart for their size. 24 bytes a box and a
// few for the tree. A query costs O(log n + results) for partitions by planes,
// grids among them.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXTREE_H
#define AOA_LIB_AFFINE_BOXTREE_H

#include "aoa/Affine/Digits.h"

#include <vector>

namespace aoa::affine {

class BoxTree {
public:
  /// Requires digits that outlive the tree.
  BoxTree(const PieceSet &set, Side side, const Digits &digits);

  size_t size() const { return boxes.size(); }

  /// Collects the numbers of the boxes that meet `query`, ordered by piece,
  /// then address.
  void find(const DigitBox &query,
            llvm::SmallVectorImpl<uint32_t> &found) const;
  /// Returns how many boxes meet `query`.
  int64_t count(const DigitBox &query) const;

  /// Returns a box; its low corner is written to `low`.
  DigitBox box(uint32_t number, llvm::MutableArrayRef<int64_t> low) const;
  /// Returns the number of the piece that a box belongs to.
  uint32_t pieceOf(uint32_t number) const {
    return boxes.entries()[number].tag;
  }

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
  bool meets(const PieceSet::Entry &box, const DigitBox &query) const;
  template <typename All, typename One>
  void search(size_t node, size_t begin, size_t end, const DigitBox &query,
              All all, One one) const;

  const Digits &digits;
  /// One a box. Shape: extents of the digits, then the repeats; src: the
  /// address of the low corner; dst: the other side; tag: the piece's number.
  PieceSet boxes;
  std::vector<int64_t> bounds; ///< A node: lows of the digits, then ends.
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXTREE_H
