//===- FormBox.cpp - Pieces that are one box of digits ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FormBox.h"

#include <algorithm>

using namespace aoa::affine;

void FormBox::setForm(const PieceRef &piece, Side side) {
  llvm::ArrayRef<int64_t> strides = piece.strides(side);
  llvm::ArrayRef<int64_t> others =
      piece.strides(side == Side::Src ? Side::Dst : Side::Src);
  empty = piece.isEmpty();
  plain = true;
  std::fill(extents.begin(), extents.end(), 1);
  std::fill(otherStrides.begin(), otherStrides.end(), 0);
  repeats.clear();
  repeatStrides.clear();
  for (unsigned dim = 0; dim < piece.rank(); ++dim) {
    if (piece.shape[dim] <= 1)
      continue;
    if (strides[dim] == 0) {
      repeats.push_back(piece.shape[dim]);
      repeatStrides.push_back(others[dim]);
      continue;
    }
    unsigned digit = 0;
    while (digit < digits.size() && digits.stride(digit) != strides[dim])
      ++digit;
    if (digit == digits.size() || extents[digit] > 1) {
      plain = false;
      return;
    }
    extents[digit] = piece.shape[dim];
    otherStrides[digit] = others[dim];
  }
}
