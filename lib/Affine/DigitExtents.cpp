//===- DigitExtents.cpp - Forms that are one box of digits ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SideForms.h"

using namespace aoa::affine;

DigitExtents DigitExtents::of(const PieceSet &set, PieceSet::Form form,
                              Side side, const Digits &digits) {
  DigitExtents result;
  result.extents.assign(digits.size(), 1);
  llvm::ArrayRef<int64_t> shape = set.shapeOf(form);
  result.isEmpty = llvm::is_contained(shape, 0);
  if (result.isEmpty)
    return result;
  llvm::ArrayRef<int64_t> strides = set.stridesOf(form, side);
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    int64_t extent = shape[dim];
    if (extent == 1)
      continue;
    unsigned digit = 0;
    while (digit < digits.size() && digits.stride(digit) != strides[dim])
      ++digit;
    if (digit == digits.size())
      return result;
    // A range that is longer than its digit goes on in the one above.
    for (;; --digit) {
      if (result.extents[digit] != 1)
        return result;
      int64_t radix = digits.radix(digit);
      result.extents[digit] = std::min(extent, radix);
      if (extent <= radix)
        break;
      if (extent % radix != 0)
        return result;
      extent /= radix;
    }
  }
  result.isBox = true;
  return result;
}
