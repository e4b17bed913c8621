//===- BoxRemains.h - What other boxes leave of a piece ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A box is halved at faces of what blocks it until a part is free, or taken
// whole. A part between two blockers is not cut by others. Cost: near-linear in
// the blockers where planes separate them.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXREMAINS_H
#define AOA_LIB_AFFINE_BOXREMAINS_H

#include "BoxTree.h"
#include "FormBox.h"

namespace aoa::affine {

class BoxRemains {
public:
  /// Takes from pieces of `set`, seen from `side`, what boxes of `tree` hold.
  /// Requires all to outlive it.
  BoxRemains(const PieceSet &set, Side side, const BoxTree &tree,
             const Digits &digits)
      : set(set), side(side), tree(tree), digits(digits),
        source(set, side, digits) {}

  /// Adds to `result` what boxes of pieces below `numBlocking` leave of piece
  /// `index`; the piece itself if they do not meet it.
  void add(size_t index, uint32_t numBlocking, PieceSet &result);

private:
  /// A box of digits: lows, then ends.
  using Corners = llvm::SmallVector<int64_t, 8>;
  struct Plane {
    unsigned axis = 0;
    int64_t at = 0;
    size_t numBoxes = SIZE_MAX; ///< On both sides.
  };
  bool findBlockers(const DigitBox &box, uint32_t numBlocking);
  void takeFrom(const DigitBox &box, Corners part,
                llvm::ArrayRef<uint32_t> blockers, PieceSet::Tag tag,
                PieceSet &result);
  Plane findPlane(const Corners &part, llvm::ArrayRef<uint32_t> blockers);
  void addPart(const DigitBox &box, const Corners &part, PieceSet::Tag tag,
               PieceSet &result);
  llvm::ArrayRef<int64_t> cornersOf(uint32_t blocker) const {
    return llvm::ArrayRef(corners).slice(2 * digits.size() * blocker,
                                         2 * digits.size());
  }

  const PieceSet &set;
  Side side;
  const BoxTree &tree;
  const Digits &digits;
  BoxSource source;
  llvm::SmallVector<uint32_t, 32> found;
  std::vector<int64_t> corners; ///< Of the boxes that block the current one.
  std::vector<int64_t> faces;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXREMAINS_H
