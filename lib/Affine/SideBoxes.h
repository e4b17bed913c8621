//===- SideBoxes.h - One side of a set as boxes -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The views of a side as boxes of digits in one flat array, for proofs on them.
// Digits that every view takes whole are left out; the others are the axes.
//
//   columns [4, 3] {0 : 8, 1} and [4, 5] {3 : 8, 1} of [4, 8]
//     →  digits 8, 1, of these one axis: [0, 3), [3, 8)
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_SIDEBOXES_H
#define AOA_LIB_AFFINE_SIDEBOXES_H

#include "SideForms.h"

#include <optional>

namespace aoa::affine {

using SideViews = llvm::ArrayRef<std::pair<const PieceSet *, Side>>;

/// Digits for views of addresses below a limit, and those of them in which the
/// views differ from the whole.
struct SideAxes {
  Digits digits;
  int64_t numElements;  ///< The limit.
  int64_t firstExtent;  ///< How many values the first digit has.
  bool allBoxes = true; ///< Whether every form is a box where nothing carries.
  llvm::SmallVector<unsigned, 4> axes; ///< Digits, at least one, ascending.

  /// Requires views whose addresses lie in [0, numElements), numElements > 0.
  static SideAxes of(SideViews views, int64_t numElements);
  /// The same for a limit that may be moved up to a whole number of rounds.
  static SideAxes ofUpTo(SideViews views, int64_t numElements);

  int64_t extentOf(unsigned digit) const {
    return digit == 0 ? firstExtent : digits.radix(digit);
  }
  /// Whether the limit is the end of a round: all addresses are one box.
  bool isWhole() const { return firstExtent * digits.stride(0) == numElements; }
  void useAllDigits();
  int64_t addressOf(llvm::ArrayRef<int64_t> coordinates) const;
  /// Whether coordinates fit in 32 bits, which halves the memory.
  bool areSmall() const;

private:
  static SideAxes make(SideViews views, Digits digits, int64_t numElements);
};

template <typename Coord> struct SideBoxes {
  unsigned numAxes = 0;
  std::vector<Coord> bounds; ///< Low and high of each axis, box by box.
  /// Piece of each box; empty if box i is of piece i.
  std::vector<uint32_t> owners;
  /// The first piece that holds each of its addresses more than once.
  std::optional<uint32_t> firstRepeated;

  /// The boxes of a side. `axes` becomes all digits if a view takes a part of
  /// one that was left out. Requires fewer than 2^32 pieces.
  static SideBoxes of(const PieceSet &set, Side side, SideAxes &axes);

  size_t size() const { return bounds.size() / (2 * numAxes); }
  uint32_t ownerOf(size_t box) const {
    return owners.empty() ? box : owners[box];
  }
  /// Adds what makes the addresses a whole number of rounds, owned by the
  /// number `owner`. Requires all digits as axes.
  void fillUp(const SideAxes &axes, uint32_t owner);
  /// Bounds of all addresses.
  static llvm::SmallVector<Coord, 8> wholeOf(const SideAxes &axes);

private:
  bool tryToAdd(const PieceSet &set, Side side, const SideAxes &axes);
  bool add(const SideAxes &axes, const PieceRef &piece, Side side,
           uint32_t owner);
  void addBox(const SideAxes &axes, llvm::ArrayRef<int64_t> low,
              llvm::ArrayRef<int64_t> extent, uint32_t owner);
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_SIDEBOXES_H
