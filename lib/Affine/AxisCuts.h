//===- AxisCuts.h - Sets that are sorted cuts of one axis -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The commonest sets: a tensor in chunks along one axis, in order. As boxes of
// digits they agree in all digits but one, along which they are disjoint and
// sorted: two such sets meet in one linear sweep without memory of its own.
//
//   [8, 3] {0 : 8, 1}, [8, 5] {3 : 8, 1}   digit 1 from 0 to 3, from 3 to 8
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_AXISCUTS_H
#define AOA_LIB_AFFINE_AXISCUTS_H

#include "FormBox.h"

#include <array>

namespace aoa::affine {

struct AxisCuts {
  /// The digit that the pieces differ in; nothing for a set of one piece.
  std::optional<unsigned> axis;
  /// The box of the first piece that is not empty.
  llvm::SmallVector<int64_t, 8> low, extent;
};

/// Returns how the pieces of `set`, seen from `side`, cut one axis; nothing if
/// they do not, or are all empty. Cost: linear, a division a piece.
std::optional<AxisCuts> findAxisCuts(const PieceSet &set, Side side,
                                     const Digits &digits);

/// Walks through the pieces of such a set that are not empty.
class CutCursor {
public:
  /// Takes the part of each piece from `low` on, but for `axis`, which is
  /// walked along.
  CutCursor(const PieceSet &set, Side side, const Digits &digits,
            const AxisCuts &cuts, unsigned axis, llvm::ArrayRef<int64_t> low);

  bool atEnd() const { return at == last; }
  void next() {
    ++at;
    load();
  }
  const PieceSet::Entry &entry() const { return *at; }
  /// The form of the piece as a box.
  const FormBox &formBox() {
    if (formOfBox != at->form)
      setBox();
    return form;
  }

  int64_t begin = 0, end = 0; ///< Along the axis.
  /// Where the low corner of the part lies on the other side, and one step of
  /// the axis there.
  int64_t otherOffset = 0, otherStride = 0;

private:
  /// What pieces of one form share.
  struct Slot {
    PieceSet::Form form = UINT32_MAX;
    int64_t extent = 0; ///< Along the axis; 0: empty.
    int64_t otherStride = 0;
    int64_t toLow = 0; ///< From the piece's corner to the part's.
  };
  static constexpr size_t numSlots = 64;

  void load() {
    for (; at != last; ++at) {
      Slot &slot = slots[at->form % numSlots];
      if (slot.form != at->form)
        fill(slot);
      if (slot.extent == 0)
        continue;
      bool isSrc = side == Side::Src;
      begin = (isSrc ? at->srcOffset : at->dstOffset) - base;
      if (stride != 1)
        begin /= stride;
      end = begin + slot.extent;
      otherOffset = (isSrc ? at->dstOffset : at->srcOffset) + slot.toLow;
      otherStride = slot.otherStride;
      return;
    }
  }
  void fill(Slot &slot);
  void setBox() {
    form.setForm(set.ref(*at), side);
    formOfBox = at->form;
  }

  const PieceSet &set;
  const PieceSet::Entry *at, *last;
  Side side;
  unsigned axis;
  int64_t stride, base; ///< begin = (address - base) / stride.
  llvm::SmallVector<int64_t, 8> fromCorner;
  FormBox form;
  PieceSet::Form formOfBox = UINT32_MAX;
  std::array<Slot, numSlots> slots;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_AXISCUTS_H
