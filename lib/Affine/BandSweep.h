//===- BandSweep.h - Two lists of nested bands, walked together -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Grids, and all that is cut along one digit, then each part along the next.
// Where a band of one list meets one of the other, what they consist of is
// walked together in turn; parts that do not meet are leapt over. Cost:
// O(results · log n), and linear for grids.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BANDSWEEP_H
#define AOA_LIB_AFFINE_BANDSWEEP_H

#include "BoxList.h"

#include <algorithm>

namespace aoa::affine {

class BandSweep {
public:
  /// Requires lists that are nested bands of the same digits, and outlive it.
  BandSweep(const BoxList &a, const BoxList &c)
      : a(a), c(c), digits(a.digits()), lowOfA(digits.size()),
        lowOfC(digits.size()), low(digits.size()), extent(digits.size()) {}

  /// How many boxes meet, or `limit` if that is less.
  int64_t count(int64_t limit);

  /// Calls `startRow()` whenever another two bands of the last digit but one
  /// meet, and `meet(i, j)` for boxes a[i] and c[j] that meet, until it returns
  /// false. The arrays below say where.
  template <typename StartRow, typename Meet>
  void visit(StartRow startRow, Meet meet) {
    walk(0, {0, a.size(), 0}, {0, c.size(), 0}, startRow, meet);
  }
  llvm::ArrayRef<int64_t> cornerOfA() const { return lowOfA; }
  llvm::ArrayRef<int64_t> cornerOfC() const { return lowOfC; }
  llvm::ArrayRef<int64_t> commonCorner() const { return low; }
  llvm::ArrayRef<int64_t> commonExtent() const { return extent; }

private:
  /// Boxes of one band of the digit above, and where it begins.
  struct Span {
    size_t begin, end;
    int64_t base;
  };
  /// A band within a span.
  struct Band {
    size_t begin;
    int64_t low, high;
  };

  static int64_t lowOf(const BoxList &list, const Span &span, size_t i,
                       int64_t stride) {
    int64_t offset = list.address(i) - span.base;
    return stride == 1 ? offset : offset / stride;
  }
  /// Returns the first box from `i` on that begins behind `low`.
  static size_t leap(const BoxList &list, const Span &span, size_t i,
                     int64_t stride, int64_t low) {
    size_t step = 1;
    while (i + step < span.end && lowOf(list, span, i + step, stride) <= low) {
      i += step;
      step *= 2;
    }
    size_t end = std::min(i + step, span.end);
    while (i < end) {
      size_t middle = i + (end - i) / 2;
      if (lowOf(list, span, middle, stride) <= low)
        i = middle + 1;
      else
        end = middle;
    }
    return i;
  }
  /// Returns the first box of [begin, end] that begins at `low`, as `end` does.
  static size_t firstAt(const BoxList &list, const Span &span, size_t begin,
                        size_t end, int64_t stride, int64_t low) {
    while (begin < end) {
      size_t middle = begin + (end - begin) / 2;
      if (lowOf(list, span, middle, stride) < low)
        begin = middle + 1;
      else
        end = middle;
    }
    return end;
  }
  static Band bandAt(const BoxList &list, const Span &span, size_t i,
                     unsigned digit, int64_t stride) {
    int64_t low = lowOf(list, span, i, stride);
    return {i, low, low + list.shape(i)[digit]};
  }

  template <typename StartRow, typename Meet>
  bool walk(unsigned digit, Span ofA, Span ofC, StartRow startRow, Meet meet);

  const BoxList &a, &c;
  const Digits &digits;
  llvm::SmallVector<int64_t, 8> lowOfA, lowOfC, low, extent;
};

template <typename StartRow, typename Meet>
bool BandSweep::walk(unsigned digit, Span ofA, Span ofC, StartRow startRow,
                     Meet meet) {
  if (ofA.begin == ofA.end || ofC.begin == ofC.end)
    return true;
  bool isLast = digit + 1 == digits.size();
  if (isLast)
    startRow();
  int64_t stride = digits.stride(digit);
  Band bandOfA = bandAt(a, ofA, ofA.begin, digit, stride);
  Band bandOfC = bandAt(c, ofC, ofC.begin, digit, stride);
  // Goes to the band that holds `from` if there is one, or the first behind it.
  auto goTo = [&](const BoxList &list, const Span &span, Band &band,
                  size_t next, int64_t from) {
    while (next != span.end) {
      band = bandAt(list, span, next, digit, stride);
      if (band.high > from)
        return true;
      size_t behind = leap(list, span, next, stride, from);
      // The last band that begins at or before `from` is the only one before
      // `behind` that may hold it.
      int64_t last = lowOf(list, span, behind - 1, stride);
      size_t first = isLast
                         ? behind - 1
                         : firstAt(list, span, next, behind - 1, stride, last);
      band = bandAt(list, span, first, digit, stride);
      if (band.high > from)
        return true;
      next = behind;
    }
    return false;
  };
  auto endOf = [&](const BoxList &list, const Span &span, const Band &band) {
    return isLast ? band.begin + 1
                  : leap(list, span, band.begin, stride, band.low);
  };
  size_t endOfA = endOf(a, ofA, bandOfA), endOfC = endOf(c, ofC, bandOfC);
  while (true) {
    int64_t begin = std::max(bandOfA.low, bandOfC.low);
    int64_t end = std::min(bandOfA.high, bandOfC.high);
    if (begin < end) {
      lowOfA[digit] = bandOfA.low;
      lowOfC[digit] = bandOfC.low;
      low[digit] = begin;
      extent[digit] = end - begin;
      bool goesOn =
          isLast
              ? meet(bandOfA.begin, bandOfC.begin)
              : walk(digit + 1,
                     {bandOfA.begin, endOfA, ofA.base + bandOfA.low * stride},
                     {bandOfC.begin, endOfC, ofC.base + bandOfC.low * stride},
                     startRow, meet);
      if (!goesOn)
        return false;
    }
    bool stepA = bandOfA.high <= bandOfC.high;
    bool stepC = bandOfC.high <= bandOfA.high;
    if (stepA) {
      if (!goTo(a, ofA, bandOfA, endOfA, stepC ? INT64_MIN : bandOfC.low))
        return true;
      endOfA = endOf(a, ofA, bandOfA);
    }
    if (stepC) {
      if (!goTo(c, ofC, bandOfC, endOfC, stepA ? INT64_MIN : bandOfA.low))
        return true;
      endOfC = endOf(c, ofC, bandOfC);
    }
  }
}

inline int64_t BandSweep::count(int64_t limit) {
  int64_t count = 0;
  if (limit > 0)
    visit([] {}, [&](size_t, size_t) { return ++count < limit; });
  return count;
}

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BANDSWEEP_H
