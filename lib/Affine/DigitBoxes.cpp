//===- DigitBoxes.cpp - A strided view as boxes of digits -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Digits are placed from the last to the first. What a dimension has beyond the
// end of its digit carries: a head up to the end, whole rounds (which become a
// dimension of the digit above), and a tail are boxes of their own. Where two
// dimensions meet in one digit, the shorter is unfolded.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Digits.h"

#include <algorithm>

using namespace aoa::affine;

namespace {
/// A dimension: extent, and stride on the other side.
struct Run {
  int64_t extent = 1;
  int64_t stride = 0;
};

class BoxPlacer {
public:
  BoxPlacer(const Digits &digits,
            llvm::function_ref<void(const DigitBox &)> visit)
      : digits(digits), visit(visit), runs(digits.size()),
        offsets(digits.size()), low(digits.size()), extent(digits.size()),
        otherStrides(digits.size()) {}

  void place(const PieceRef &piece, Side side);

private:
  struct Peeled {
    int64_t extent, stride, otherStride;
  };
  void addDim(int64_t extent, int64_t stride, int64_t otherStride);
  void placePeeled(unsigned index, int64_t address, int64_t other);
  /// Places digits 0 … `numLeft` - 1. `carry` and `carried` come from below.
  void placeDigits(unsigned numLeft, int64_t carry, Run own, Run carried,
                   int64_t other);
  void placeRun(unsigned digit, int64_t first, Run run, int64_t carry,
                Run carried, int64_t other);

  const Digits &digits;
  llvm::function_ref<void(const DigitBox &)> visit;
  llvm::SmallVector<Run, 8> runs; ///< Of the piece, one a digit.
  llvm::SmallVector<Peeled, 4> peeled;
  llvm::SmallVector<int64_t, 4> repeats, repeatStrides;
  llvm::SmallVector<int64_t, 8> offsets; ///< Digits of the address.
  llvm::SmallVector<int64_t, 8> low, extent, otherStrides;
};

void BoxPlacer::place(const PieceRef &piece, Side side) {
  Side otherSide = side == Side::Src ? Side::Dst : Side::Src;
  llvm::ArrayRef<int64_t> strides = piece.strides(side);
  llvm::ArrayRef<int64_t> others = piece.strides(otherSide);
  for (unsigned dim = 0; dim < piece.rank(); ++dim) {
    if (piece.shape[dim] == 0)
      return;
    if (piece.shape[dim] > 1)
      addDim(piece.shape[dim], strides[dim], others[dim]);
  }
  placePeeled(0, piece.offset(side), piece.offset(otherSide));
}

void BoxPlacer::addDim(int64_t extent, int64_t stride, int64_t otherStride) {
  if (stride == 0) {
    repeats.push_back(extent);
    repeatStrides.push_back(otherStride);
    return;
  }
  for (unsigned digit = 0; digit < digits.size(); ++digit) {
    if (digits.stride(digit) != stride)
      continue;
    Run &run = runs[digit];
    if (extent > run.extent) {
      std::swap(extent, run.extent);
      std::swap(otherStride, run.stride);
    }
    break;
  }
  if (extent > 1)
    peeled.push_back({extent, stride, otherStride});
}

void BoxPlacer::placePeeled(unsigned index, int64_t address, int64_t other) {
  if (index == peeled.size()) {
    digits.digitsOf(address, offsets);
    placeDigits(digits.size(), 0, runs.back(), {}, other);
    return;
  }
  const Peeled &dim = peeled[index];
  for (int64_t i = 0; i < dim.extent; ++i)
    placePeeled(index + 1, address + i * dim.stride,
                other + i * dim.otherStride);
}

void BoxPlacer::placeDigits(unsigned numLeft, int64_t carry, Run own,
                            Run carried, int64_t other) {
  if (numLeft == 0) {
    visit({low, extent, otherStrides, other, repeats, repeatStrides});
    return;
  }
  if (own.extent > 1 && carried.extent > 1) {
    if (own.extent < carried.extent)
      std::swap(own, carried);
    for (int64_t i = 0; i < carried.extent; ++i)
      placeDigits(numLeft, carry + i, own, {}, other + i * carried.stride);
    return;
  }
  Run run = own.extent > 1 ? own : carried;
  unsigned digit = numLeft - 1;
  int64_t radix = digits.radix(digit);
  int64_t first = offsets[digit] + carry;
  carry = digit == 0 ? 0 : first / radix;
  first -= digit == 0 ? 0 : carry * radix;
  if (run.extent <= radix - first) {
    placeRun(digit, first, run, carry, {}, other);
    return;
  }
  if (first > 0) {
    int64_t head = radix - first;
    placeRun(digit, first, {head, run.stride}, carry++, {}, other);
    run.extent -= head;
    other += head * run.stride;
  }
  if (int64_t rounds = run.extent / radix) {
    // With one round the product may not fit, and is not needed.
    Run above = rounds > 1 ? Run{rounds, radix * run.stride} : Run{};
    placeRun(digit, 0, {radix, run.stride}, carry, above, other);
    carry += rounds;
    run.extent -= rounds * radix;
    if (run.extent > 0)
      other += rounds * radix * run.stride;
  }
  if (run.extent > 0)
    placeRun(digit, 0, run, carry, {}, other);
}

void BoxPlacer::placeRun(unsigned digit, int64_t first, Run run, int64_t carry,
                         Run carried, int64_t other) {
  low[digit] = first;
  extent[digit] = run.extent;
  otherStrides[digit] = run.extent > 1 ? run.stride : 0;
  placeDigits(digit, carry, digit > 0 ? runs[digit - 1] : Run{}, carried,
              other);
}
} // namespace

void aoa::affine::forEachDigitBox(
    const PieceRef &piece, Side side, const Digits &digits,
    llvm::function_ref<void(const DigitBox &)> visit) {
  BoxPlacer(digits, visit).place(piece, side);
}
