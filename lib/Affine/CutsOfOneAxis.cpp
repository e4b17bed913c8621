//===- CutsOfOneAxis.cpp - Covers of intervals ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A view that is whole in all other digits is the interval
// [offset, offset + extent · stride) of addresses on the axis' digit, provided
// the offset is a multiple of the stride and the interval ends within the
// digit. Intervals that follow each other need no division to see that.
//===----------------------------------------------------------------------===//

#include "CutsOfOneAxis.h"

#include "RadixSort.h"

#include <algorithm>

using namespace aoa::affine;

namespace {
class Sweep {
public:
  Sweep(int64_t unit, int64_t limit, CoverLaw law)
      : unit(unit), limit(limit), law(law) {}

  enum class Step { GoOn, Found, NotCuts };
  /// Adds an interval that begins at or behind those before.
  Step add(int64_t begin, int64_t length, uint32_t piece) {
    if (begin != reached) {
      if (begin % unit != 0)
        return Step::NotCuts;
      if (begin > reached) {
        if (firstHole < 0)
          firstHole = reached;
      } else if (!law.meet && begin + length <= limit) {
        result = {Coverage::Kind::Overlap, begin, std::min(farthest, piece),
                  std::max(farthest, piece)};
        return Step::Found;
      }
    }
    if (length > limit - begin)
      return Step::NotCuts;
    if (begin + length > reached) {
      reached = begin + length;
      farthest = piece;
    }
    return Step::GoOn;
  }
  Coverage finish() {
    if (firstHole < 0 && reached < limit)
      firstHole = reached;
    if (!law.leaveHoles && firstHole >= 0)
      result = {Coverage::Kind::Hole, firstHole, 0, 0};
    return result;
  }

  Coverage result;

private:
  const int64_t unit, limit;
  const CoverLaw law;
  int64_t reached = 0, firstHole = -1;
  uint32_t farthest = 0;
};

struct Interval {
  int64_t begin;
  uint32_t piece;
  PieceSet::Form form;
  friend bool operator<(const Interval &a, const Interval &b) {
    return std::pair(a.begin, a.piece) < std::pair(b.begin, b.piece);
  }
};
} // namespace

std::optional<Coverage> aoa::affine::checkCutsOfOneAxis(const PieceSet &set,
                                                        Side side,
                                                        const SideAxes &axes,
                                                        CoverLaw law) {
  if (axes.axes.size() != 1 || !axes.allBoxes || !axes.isWhole())
    return std::nullopt;
  unsigned digit = axes.axes.front();
  int64_t unit = axes.digits.stride(digit);
  int64_t limit = axes.extentOf(digit) * unit;
  FormCache<int64_t> lengths;
  auto lengthOf = [&](PieceSet::Form form) {
    return lengths.get(form, [&](PieceSet::Form missing) {
      auto extents = DigitExtents::of(set, missing, side, axes.digits);
      return extents.isEmpty ? 0 : extents.extents[digit] * unit;
    });
  };

  // `forEachInterval(next)` calls `next(begin, length, piece)` in order until
  // it returns false.
  auto sweep = [&](auto forEachInterval) -> std::optional<Coverage> {
    Sweep state(unit, limit, law);
    auto step = Sweep::Step::GoOn;
    forEachInterval([&](int64_t begin, int64_t length, uint32_t piece) {
      step = state.add(begin, length, piece);
      return step == Sweep::Step::GoOn;
    });
    switch (step) {
    case Sweep::Step::GoOn:
      return state.finish();
    case Sweep::Step::Found:
      return state.result;
    case Sweep::Step::NotCuts:
      break;
    }
    return std::nullopt;
  };

  llvm::ArrayRef<PieceSet::Entry> entries = set.entries();
  bool isSorted = true;
  std::optional<Coverage> result = sweep([&](auto next) {
    int64_t lastBegin = 0;
    for (size_t i = 0; i < entries.size(); ++i) {
      int64_t length = lengthOf(entries[i].form);
      int64_t begin = offsetOf(entries[i], side);
      if (length == 0)
        continue;
      isSorted = begin >= lastBegin;
      if (!isSorted || !next(begin, length, i))
        return;
      lastBegin = begin;
    }
  });
  if (isSorted)
    return result;

  std::vector<Interval> intervals, scratch;
  intervals.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i)
    if (lengthOf(entries[i].form) > 0)
      intervals.push_back({offsetOf(entries[i], side), static_cast<uint32_t>(i),
                           entries[i].form});
  radixSort(intervals, scratch,
            [](const Interval &interval) { return interval.begin; });
  return sweep([&](auto next) {
    for (const Interval &interval : intervals)
      if (!next(interval.begin, lengthOf(interval.form), interval.piece))
        return;
  });
}
