//===- SideForms.h - What the forms of a set say about one side -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most pieces share their form with many others. What follows from the form
// alone (how far it reaches, which digits it fills) is worked out once for a
// form and kept in a table of fixed size: sets in which every piece has a form
// of its own pay for it each time, and take no memory for it.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_SIDEFORMS_H
#define AOA_LIB_AFFINE_SIDEFORMS_H

#include "aoa/Affine/Digits.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

namespace aoa::affine {

/// Returns the distance from the first to the last address of a form, or -1 if
/// it is empty.
inline int64_t reachOf(const PieceSet &set, PieceSet::Form form, Side side) {
  llvm::ArrayRef<int64_t> shape = set.shapeOf(form);
  // First: the strides of an empty piece may be anything.
  if (llvm::is_contained(shape, 0))
    return -1;
  int64_t reach = 0;
  llvm::ArrayRef<int64_t> strides = set.stridesOf(form, side);
  for (unsigned i = 0; i < shape.size(); ++i)
    reach += (shape[i] - 1) * strides[i];
  return reach;
}

inline int64_t offsetOf(const PieceSet::Entry &entry, Side side) {
  return side == Side::Src ? entry.srcOffset : entry.dstOffset;
}

/// Returns the last address of `side`, or -1 if there is none.
int64_t findLastAddress(const PieceSet &set, Side side);

/// How many values of each digit a form takes, where that is one box for every
/// offset at which nothing carries.
struct DigitExtents {
  bool isEmpty = false;
  bool isBox = false; ///< Not for empty forms.
  llvm::SmallVector<int64_t, 4> extents;

  static DigitExtents of(const PieceSet &set, PieceSet::Form form, Side side,
                         const Digits &digits);
};

/// Remembers `make(form)` for the forms used last.
template <typename Fact> class FormCache {
public:
  template <typename Make>
  const Fact &get(PieceSet::Form form, const Make &make) {
    Slot &slot = slots[form % slots.size()];
    if (slot.form != form) {
      slot.form = form;
      slot.fact = make(form);
    }
    return slot.fact;
  }

private:
  struct Slot {
    PieceSet::Form form = UINT32_MAX;
    Fact fact{};
  };
  std::array<Slot, 64> slots;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_SIDEFORMS_H
