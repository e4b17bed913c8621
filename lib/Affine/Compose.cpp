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

namespace {
struct Parents {
  const PieceSet &aToB, &bToC;
  CombineTags combine;
  PieceSet::Tag tagOf(size_t i, size_t j) const {
    return combine(aToB.entries()[i].tag, bToC.entries()[j].tag);
  }
};
} // namespace

static void composeTree(const BoxJoin &join, const Parents &parents,
                        PieceSet &result) {
  Meeting meeting;
  join.visit([&](size_t i, const DigitBox &a, size_t j, const DigitBox &c) {
    meeting.meet(a, c);
    result.add(
        PieceSet::Entry{meeting.srcOffset, meeting.dstOffset,
                        result.internForm(meeting.shape, meeting.srcStrides,
                                          meeting.dstStrides),
                        parents.tagOf(i, j)});
  });
}

static void composeBands(const BoxList &a, const BoxList &c,
                         const Parents &parents, PieceSet &result) {
  unsigned numDigits = a.digits().size();
  BandSweep sweep(a, c);
  auto formOf = [&](size_t i, size_t j) {
    llvm::SmallVector<int64_t, 8> lowOfA(numDigits), lowOfC(numDigits);
    Meeting meeting;
    meeting.insertAll(sweep.commonExtent(), a.box(i, lowOfA), c.box(j, lowOfC));
    return result.internForm(meeting.shape, meeting.srcStrides,
                             meeting.dstStrides);
  };
  // Pieces of one form share much with those of another only, in many sizes.
  struct Slot {
    int64_t length = 0;
    PieceSet::Form a = 0, c = 0, rowForm = 0, form = 0;
  };
  constexpr size_t numSlots = 1024;
  std::vector<Slot> slots(numSlots);
  // A form a row: what the extents of all digits but the last are.
  PieceSet rows;
  PieceSet::Form rowForm = 0;
  auto startRow = [&] {
    auto extents = sweep.commonExtent().drop_back();
    rowForm = rows.internForm(extents, extents, extents);
  };
  sweep.visit(startRow, [&](size_t i, size_t j) {
    int64_t length = sweep.commonExtent().back();
    Slot &slot = slots[(static_cast<uint64_t>(length) + 31 * a.formOf(i) +
                        517 * c.formOf(j) + 101 * rowForm) %
                       numSlots];
    if (slot.length != length || slot.a != a.formOf(i) ||
        slot.c != c.formOf(j) || slot.rowForm != rowForm)
      slot = {length, a.formOf(i), c.formOf(j), rowForm, formOf(i, j)};
    int64_t src = a.otherOffset(i), dst = c.otherOffset(j);
    llvm::ArrayRef<int64_t> srcStrides = a.otherStrides(i);
    llvm::ArrayRef<int64_t> dstStrides = c.otherStrides(j);
    for (unsigned digit = 0; digit < numDigits; ++digit) {
      int64_t low = sweep.commonCorner()[digit];
      src += (low - sweep.cornerOfA()[digit]) * srcStrides[digit];
      dst += (low - sweep.cornerOfC()[digit]) * dstStrides[digit];
    }
    result.add(PieceSet::Entry{src, dst, slot.form,
                               parents.tagOf(a.pieceOf(i), c.pieceOf(j))});
    return true;
  });
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

  BoxJoin join(aToB, Side::Dst, bToC, Side::Src, digits);
  if (auto room = reserve(result, join.count(stopAt), options, aToB, bToC);
      !room)
    return failWith(std::move(room));
  if (join.isSweep())
    composeBands(join.boxesOfA(), join.boxesOfB(), {aToB, bToC, combine},
                 result);
  else
    composeTree(join, {aToB, bToC, combine}, result);
  return result;
}

int64_t aoa::affine::countComposed(const PieceSet &aToB, const PieceSet &bToC,
                                   int64_t limit) {
  Digits digits = digitsBetween(aToB, bToC);
  if (auto sweep = AxisSweep::make(aToB, bToC, digits))
    return sweep->count(limit);
  return BoxJoin(aToB, Side::Dst, bToC, Side::Src, digits).count(limit);
}
