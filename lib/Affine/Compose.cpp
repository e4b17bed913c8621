//===- Compose.cpp - One relation after another -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compose.h"
#include "AxisSweep.h"
#include "BoxJoin.h"
#include "Meeting.h"

using namespace aoa;
using namespace aoa::affine;

static Digits digitsBetween(const PieceSet &aToB, const PieceSet &bToC) {
  return Digits::ofViews({{&aToB, Side::Dst}, {&bToC, Side::Src}});
}

static BoxJoin joinBetween(const PieceSet &aToB, const PieceSet &bToC,
                           const Digits &digits) {
  return {aToB, Side::Dst, bToC, Side::Src, digits};
}

/// Makes room for `count` pieces, if that many may be made.
static Expected<void> reserve(PieceSet &result, int64_t count,
                              const ComposeOptions &options,
                              const PieceSet &aToB, const PieceSet &bToC) {
  if (count > options.maxPieces)
    return fail(ErrorKind::Limit, "composing " + std::to_string(aToB.size()) +
                                      " with " + std::to_string(bToC.size()) +
                                      " pieces gives more than the limit of " +
                                      std::to_string(options.maxPieces));
  result.reserve(count);
  return {};
}

Expected<PieceSet> aoa::affine::compose(const PieceSet &aToB,
                                        const PieceSet &bToC,
                                        CombineTags combine,
                                        const ComposeOptions &options) {
  Digits digits = digitsBetween(aToB, bToC);
  int64_t stopAt =
      options.maxPieces == INT64_MAX ? INT64_MAX : options.maxPieces + 1;
  PieceSet result;
  if (auto sweep = AxisSweep::make(aToB, bToC, digits)) {
    if (auto room = reserve(result, sweep->count(stopAt), options, aToB, bToC);
        !room)
      return failWith(std::move(room));
    sweep->compose(combine, result);
    return result;
  }

  BoxJoin join = joinBetween(aToB, bToC, digits);
  if (auto room = reserve(result, join.count(stopAt), options, aToB, bToC);
      !room)
    return failWith(std::move(room));
  Meeting meeting;
  join.visit([&](size_t i, const DigitBox &a, size_t j, const DigitBox &c) {
    meeting.meet(a, c);
    result.add(
        PieceSet::Entry{meeting.srcOffset, meeting.dstOffset,
                        result.internForm(meeting.shape, meeting.srcStrides,
                                          meeting.dstStrides),
                        combine(aToB.entries()[i].tag, bToC.entries()[j].tag)});
  });
  return result;
}

int64_t aoa::affine::countComposed(const PieceSet &aToB, const PieceSet &bToC,
                                   int64_t limit) {
  Digits digits = digitsBetween(aToB, bToC);
  if (auto sweep = AxisSweep::make(aToB, bToC, digits))
    return sweep->count(limit);
  return joinBetween(aToB, bToC, digits).count(limit);
}
