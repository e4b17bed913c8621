//===- Digits.h - Addresses as numbers of a mixed radix ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Where strides nest (each a multiple of the next smaller one), an address is a
// number of a mixed radix and a strided view is a box of its digits, or a few:
//
//   strides 12, 4, 1: address 17 = 1·12 + 1·4 + 1, digits (1, 1, 1)
//   view [2, 3] {16 : 12, 1}  =  digits [1, 3) × [1, 2) × [0, 3)
//   view [6] {3 : 1}          =  (0, 0, 3), (0, 1, 0..3), (0, 2, 0)
//
// Boxes intersect digit by digit, whatever the sizes of the views: this is how
// folded pieces are composed and compared without unfolding them (the nested
// layouts of CuTe, the sub-axes of Shardy). Dimensions whose stride is not
// among the digits' are peeled: unfolded into one view an index.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_DIGITS_H
#define AOA_AFFINE_DIGITS_H

#include "aoa/Affine/PieceSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace aoa::affine {

class Digits {
public:
  /// The digits of a row-major tensor: one a dimension of extent above 1, at
  /// least one.
  static Digits ofShape(llvm::ArrayRef<int64_t> shape);
  /// The digits of the given strides, in any order; nothing if they do not
  /// nest. 1 need not be among them.
  static std::optional<Digits> ofNesting(llvm::ArrayRef<int64_t> strides);
  /// The digits for `side` of all `sets`: their strides as far as they nest.
  /// Of strides that do not nest those stay whose peeling would cost most.
  /// Cost: linear in the forms.
  static Digits ofViews(llvm::ArrayRef<std::pair<const PieceSet *, Side>> sets);

  /// Whether all strides on `side` of all `sets` are among these.
  bool holdAll(llvm::ArrayRef<std::pair<const PieceSet *, Side>> sets) const;

  unsigned size() const { return strides.size(); }
  /// Largest first; the last is 1.
  int64_t stride(unsigned digit) const { return strides[digit]; }
  /// How many values a digit has; INT64_MAX for the first.
  int64_t radix(unsigned digit) const {
    return digit == 0 ? INT64_MAX : strides[digit - 1] / strides[digit];
  }
  void digitsOf(int64_t address, llvm::MutableArrayRef<int64_t> digits) const;

  friend bool operator==(const Digits &, const Digits &) = default;

private:
  explicit Digits(llvm::SmallVector<int64_t, 8> strides)
      : strides(std::move(strides)) {}
  llvm::SmallVector<int64_t, 8> strides;
};

/// A box of digits of one side of a piece, and where its elements lie on the
/// other: low corner at `otherOffset`, one step of digit i is otherStrides[i]
/// (0 where the extent is 1).
struct DigitBox {
  llvm::ArrayRef<int64_t> low, extent, otherStrides;
  int64_t otherOffset;
  /// Dimensions of the piece with stride 0 on this side and an extent above 1:
  /// each element of the box is seen once for each of their indexes. Extents,
  /// and strides on the other side.
  llvm::ArrayRef<int64_t> repeats, repeatStrides;
};

/// Calls `visit` for disjoint boxes that make up `piece` seen from `side`; none
/// if it is empty. One box where the strides are among the digits' and nothing
/// carries; a range that crosses a digit's end is cut there; dimensions of
/// other strides, and those that overlap themselves (like [3, 3] {0 : 2, 1}),
/// are peeled. Cost: linear in the boxes.
void forEachDigitBox(const PieceRef &piece, Side side, const Digits &digits,
                     llvm::function_ref<void(const DigitBox &)> visit);

} // namespace aoa::affine

#endif // AOA_AFFINE_DIGITS_H
