//===- BoxJoin.h - All boxes of two sets that meet --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Where both sets are nested bands, they are swept: meetings come in the order
// of the addresses where the bands meet. Otherwise the smaller set becomes a
// tree, and the larger one is asked for box by box, by address; meetings come
// in its order (the first set's, if equal), then in that of the other's pieces.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXJOIN_H
#define AOA_LIB_AFFINE_BOXJOIN_H

#include "BandSweep.h"
#include "BoxTree.h"

#include <optional>

namespace aoa::affine {

class BoxJoin {
public:
  /// Requires digits that outlive it.
  BoxJoin(const PieceSet &setA, Side sideOfA, const PieceSet &setB,
          Side sideOfB, const Digits &digits)
      : a(setA, sideOfA, digits), b(setB, sideOfB, digits),
        asksForA(a.size() >= b.size()) {
    a.sort();
    b.sort();
    if (!a.isNestedBands() || !b.isNestedBands())
      tree.emplace(asksForA ? b : a);
  }
  BoxJoin(const BoxJoin &) = delete;

  const BoxList &boxesOfA() const { return a; }
  const BoxList &boxesOfB() const { return b; }
  bool isSweep() const { return !tree; }

  /// Returns how many boxes meet, or `limit` if that is less.
  int64_t count(int64_t limit) const {
    if (isSweep())
      return BandSweep(a, b).count(limit);
    const BoxList &asked = asksForA ? a : b;
    llvm::SmallVector<int64_t, 8> low(a.digits().size());
    int64_t count = 0;
    for (size_t i = 0; i < asked.size() && count < limit; ++i)
      count += tree->count(asked.box(i, low));
    return std::min(count, limit);
  }

  /// Calls `visit(i, boxOfA, j, boxOfB)` for all boxes of pieces a[i] and b[j]
  /// that meet. Requires that it is not a sweep.
  template <typename Visit> void visit(Visit visit) const {
    const BoxList &asked = asksForA ? a : b;
    llvm::SmallVector<uint32_t, 32> found;
    llvm::SmallVector<int64_t, 8> low(a.digits().size()), otherLow(low);
    for (size_t i = 0; i < asked.size(); ++i) {
      DigitBox box = asked.box(i, low);
      tree->find(box, found);
      for (uint32_t j : found) {
        DigitBox other = tree->list().box(j, otherLow);
        uint32_t piece = asked.pieceOf(i), otherPiece = tree->list().pieceOf(j);
        if (asksForA)
          visit(piece, box, otherPiece, other);
        else
          visit(otherPiece, other, piece, box);
      }
    }
  }

private:
  BoxList a, b;
  bool asksForA;
  std::optional<BoxTree> tree;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXJOIN_H
