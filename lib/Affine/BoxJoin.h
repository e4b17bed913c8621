//===- BoxJoin.h - All boxes of two sets that meet --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The smaller set becomes a tree, the larger one is asked for piece by piece:
// meetings come in the order of the larger set (the first, if equal), then of
// the other.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXJOIN_H
#define AOA_LIB_AFFINE_BOXJOIN_H

#include "BoxTree.h"
#include "FormBox.h"

namespace aoa::affine {

class BoxJoin {
public:
  /// Requires all three to outlive it.
  BoxJoin(const PieceSet &a, Side sideOfA, const PieceSet &b, Side sideOfB,
          const Digits &digits)
      : asksForA(a.size() >= b.size()), asked(asksForA ? a : b),
        sideOfAsked(asksForA ? sideOfA : sideOfB), digits(digits),
        tree(asksForA ? b : a, asksForA ? sideOfB : sideOfA, digits) {}

  /// Returns how many boxes meet, or `limit` if that is less.
  int64_t count(int64_t limit) const {
    BoxSource source(asked, sideOfAsked, digits);
    int64_t count = 0;
    for (size_t i = 0; i < asked.size() && count < limit; ++i)
      source.visit(i, [&](const DigitBox &box) {
        if (count < limit)
          count += tree.count(box);
      });
    return std::min(count, limit);
  }

  /// Calls `visit(i, boxOfA, j, boxOfB)` for all boxes of pieces a[i] and b[j]
  /// that meet.
  template <typename Visit> void visit(Visit visit) const {
    BoxSource source(asked, sideOfAsked, digits);
    llvm::SmallVector<uint32_t, 32> found;
    llvm::SmallVector<int64_t, 8> low(digits.size());
    for (size_t i = 0; i < asked.size(); ++i)
      source.visit(i, [&](const DigitBox &box) {
        tree.find(box, found);
        for (uint32_t j : found) {
          DigitBox other = tree.box(j, low);
          if (asksForA)
            visit(i, box, tree.pieceOf(j), other);
          else
            visit(tree.pieceOf(j), other, i, box);
        }
      });
  }

private:
  bool asksForA;
  const PieceSet &asked;
  Side sideOfAsked;
  const Digits &digits;
  BoxTree tree;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXJOIN_H
