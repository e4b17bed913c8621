//===- Compose.cpp - One relation after another -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compose.h"
#include "AddressParts.h"
#include "AxisSweep.h"
#include "BoxJoin.h"
#include "Meeting.h"

using namespace aoa;
using namespace aoa::affine;

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

namespace {
/// Two sets with digits that suit both, and the fastest way to join them.
class Joint {
public:
  Joint(const PieceSet &aToB, const PieceSet &bToC, Digits digits)
      : aToB(aToB), bToC(bToC), digits(std::move(digits)),
        sweep(AxisSweep::make(aToB, bToC, this->digits)) {
    if (!sweep)
      join.emplace(aToB, Side::Dst, bToC, Side::Src, this->digits);
  }
  Joint(const Joint &) = delete;

  int64_t count(int64_t limit) const {
    return sweep ? sweep->count(limit) : join->count(limit);
  }
  void compose(CombineTags combine, PieceSet &result) const {
    Parents parents{aToB, bToC, combine};
    if (sweep)
      sweep->compose(combine, result);
    else if (join->isSweep())
      composeBands(join->boxesOfA(), join->boxesOfB(), parents, result);
    else
      composeTree(*join, parents, result);
  }

private:
  const PieceSet &aToB, &bToC;
  Digits digits;
  std::optional<AxisSweep> sweep;
  std::optional<BoxJoin> join;
};
} // namespace

namespace {
/// The parts of two sets that are composed on their own: one where all strides
/// nest.
class Joints {
public:
  Joints(const PieceSet &aToB, const PieceSet &bToC)
      : aToB(aToB), bToC(bToC), digits(digitsOf(aToB, bToC)) {
    if (!digits.holdAll({{&aToB, Side::Dst}, {&bToC, Side::Src}}))
      parts = takeApart(aToB, Side::Dst, bToC, Side::Src);
  }

  /// Whether no parts were taken apart.
  bool isOne() const { return parts.empty(); }
  void visit(llvm::function_ref<void(const Joint &)> visit) const {
    if (isOne())
      visit(Joint(aToB, bToC, digits));
    for (const AddressPart &part : parts)
      visit(Joint(part.a, part.b, digitsOf(part.a, part.b)));
  }
  int64_t count(int64_t limit) const {
    int64_t count = 0;
    visit([&](const Joint &joint) { count += joint.count(limit - count); });
    return count;
  }

private:
  static Digits digitsOf(const PieceSet &a, const PieceSet &b) {
    return Digits::ofViews({{&a, Side::Dst}, {&b, Side::Src}});
  }
  const PieceSet &aToB, &bToC;
  Digits digits;
  std::vector<AddressPart> parts;
};
} // namespace

Expected<PieceSet> aoa::affine::compose(const PieceSet &aToB,
                                        const PieceSet &bToC,
                                        CombineTags combine,
                                        const ComposeOptions &options) {
  int64_t most = options.maxPieces;
  int64_t stopAt = most == INT64_MAX ? most : most + 1;
  PieceSet result;
  Joints joints(aToB, bToC);
  int64_t count = joints.isOne() ? 0 : joints.count(stopAt);
  if (count <= most) {
    result.reserve(count);
    joints.visit([&](const Joint &joint) {
      if (joints.isOne()) {
        count = joint.count(stopAt);
        if (count > most)
          return;
        result.reserve(count);
      }
      joint.compose(combine, result);
    });
  }
  if (count > most)
    return fail(ErrorKind::Limit, "composing " + std::to_string(aToB.size()) +
                                      " with " + std::to_string(bToC.size()) +
                                      " pieces gives more than the limit of " +
                                      std::to_string(most));
  return result;
}

int64_t aoa::affine::countComposed(const PieceSet &aToB, const PieceSet &bToC,
                                   int64_t limit) {
  return Joints(aToB, bToC).count(limit);
}
