//===- BoxList.h - The boxes of a set in little memory ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A box of digits is the address of its low corner, an offset on the other
// side, and a form: 24 bytes, as in PieceSet, which holds them.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXLIST_H
#define AOA_LIB_AFFINE_BOXLIST_H

#include "aoa/Affine/Digits.h"

namespace aoa::affine {

class BoxList {
public:
  /// Lists the boxes of the pieces of `set` in order. Requires digits that
  /// outlive it.
  BoxList(const PieceSet &set, Side side, const Digits &digits);

  const Digits &digits() const { return theDigits; }
  size_t size() const { return boxes.size(); }
  /// Address of the low corner.
  int64_t address(size_t i) const { return boxes.entries()[i].srcOffset; }
  int64_t otherOffset(size_t i) const { return boxes.entries()[i].dstOffset; }
  /// The number of the piece that a box is of.
  uint32_t pieceOf(size_t i) const { return boxes.entries()[i].tag; }
  PieceSet::Form formOf(size_t i) const { return boxes.entries()[i].form; }
  /// Extents of the digits, then of the repeats.
  llvm::ArrayRef<int64_t> shape(size_t i) const {
    return boxes.shapeOf(formOf(i));
  }
  /// Steps on the other side, of the digits, then of the repeats.
  llvm::ArrayRef<int64_t> otherStrides(size_t i) const {
    return boxes.stridesOf(formOf(i), Side::Dst);
  }
  /// Returns a box; its low corner is written to `low`.
  DigitBox box(size_t i, llvm::MutableArrayRef<int64_t> low) const;

  /// Sorts by address. Ties stay in the order of their pieces.
  void sort();
  /// Reorders: box i becomes what `order[i]` was.
  void reorder(llvm::ArrayRef<uint32_t> order);
  /// Whether the boxes are nested bands: in the first digit in intervals that
  /// are equal or follow each other, those of one interval so in the second,
  /// and so on; no two equal in all. Cost: linear.
  bool isNestedBands() const;

private:
  const Digits &theDigits;
  PieceSet boxes; ///< Shape and dst as above; src: the address; tag: the piece.
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXLIST_H
