//===- FormBox.h - Pieces that are one box of digits ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What all pieces of a form have in common as boxes of digits, worked out once
// a form: most pieces are one box then, and cost a division a digit. The others
// go through forEachDigitBox.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_FORMBOX_H
#define AOA_LIB_AFFINE_FORMBOX_H

#include "aoa/Affine/Digits.h"

namespace aoa::affine {

class FormBox {
public:
  FormBox(const Digits &digits)
      : digits(digits), extents(digits.size()), otherStrides(digits.size()),
        low(digits.size()) {}

  /// Takes the form of `piece` seen from `side`.
  void setForm(const PieceRef &piece, Side side);

  bool isEmpty() const { return empty; }
  /// Whether each dimension has a digit of its own.
  bool isPlain() const { return plain; }
  llvm::ArrayRef<int64_t> extent() const { return extents; }
  llvm::ArrayRef<int64_t> strides() const { return otherStrides; }

  /// Returns the box of a piece at `address`, valid until the next call;
  /// nothing if it is not one box. Requires a plain form.
  std::optional<DigitBox> at(int64_t address, int64_t otherOffset) {
    digits.digitsOf(address, low);
    for (unsigned i = 1; i < low.size(); ++i)
      if (low[i] + extents[i] > digits.radix(i))
        return std::nullopt;
    return box(low, otherOffset);
  }
  /// Returns the box at a low corner.
  DigitBox box(llvm::ArrayRef<int64_t> low, int64_t otherOffset) const {
    return {low, extents, otherStrides, otherOffset, repeats, repeatStrides};
  }

private:
  const Digits &digits;
  bool empty = false, plain = true;
  llvm::SmallVector<int64_t, 8> extents, otherStrides, low;
  llvm::SmallVector<int64_t, 4> repeats, repeatStrides;
};

/// Hands out the boxes of the pieces of a set, fast where neighbours share
/// their form.
class BoxSource {
public:
  BoxSource(const PieceSet &set, Side side, const Digits &digits)
      : set(set), side(side), digits(digits), form(digits) {}

  /// Calls `visit(box)` for each box of piece `index`. A box is valid during
  /// the call.
  template <typename Visit> void visit(size_t index, Visit visit) {
    const PieceSet::Entry &entry = set.entries()[index];
    if (entry.form != current) {
      form.setForm(set.ref(entry), side);
      current = entry.form;
    }
    if (form.isEmpty())
      return;
    if (form.isPlain()) {
      bool isSrc = side == Side::Src;
      if (auto box = form.at(isSrc ? entry.srcOffset : entry.dstOffset,
                             isSrc ? entry.dstOffset : entry.srcOffset)) {
        visit(*box);
        return;
      }
    }
    forEachDigitBox(set.ref(entry), side, digits, visit);
  }

private:
  const PieceSet &set;
  Side side;
  const Digits &digits;
  FormBox form;
  PieceSet::Form current = UINT32_MAX;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_FORMBOX_H
