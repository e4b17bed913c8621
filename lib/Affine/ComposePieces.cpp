//===- ComposePieces.cpp - One piece after another --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FormBox.h"
#include "Meeting.h"
#include "aoa/Affine/Compose.h"

#include <cassert>

using namespace aoa::affine;

static PieceRef refTo(const Piece &piece) {
  return {piece.shape,      piece.src.strides, piece.dst.strides,
          piece.src.offset, piece.dst.offset,  0};
}

/// Returns the digits of the middle buffer, if the pieces agree on them.
static std::optional<Digits> digitsBetween(const Piece &aToB,
                                           const Piece &bToC) {
  llvm::SmallVector<int64_t, 16> strides;
  auto addStrides = [&](const Piece &piece, Side side) {
    llvm::ArrayRef<int64_t> all = piece.view(side).strides;
    for (unsigned dim = 0; dim < all.size(); ++dim)
      if (piece.shape[dim] > 1 && all[dim] > 0)
        strides.push_back(all[dim]);
  };
  addStrides(aToB, Side::Dst);
  addStrides(bToC, Side::Src);
  return Digits::ofNesting(strides);
}

/// Beyond so many boxes of one piece an index pays.
static constexpr int64_t manyBoxes = 16;

static bool isFewBoxes(const PieceRef &piece, Side side, const Digits &digits) {
  int64_t count = 0;
  forEachDigitBox(piece, side, digits, [&](const DigitBox &) { ++count; });
  return count <= manyBoxes;
}

void aoa::affine::compose(const Piece &aToB, const Piece &bToC,
                          llvm::function_ref<void(const Piece &)> visit) {
  if (aToB.isEmpty() || bToC.isEmpty())
    return;
  Meeting meeting;
  auto visitMeeting = [&](const DigitBox &a, const DigitBox &c) {
    if (meeting.meet(a, c))
      visit(meeting.piece());
  };
  PieceRef a = refTo(aToB), c = refTo(bToC);
  if (std::optional<Digits> digits = digitsBetween(aToB, bToC)) {
    FormBox formOfA(*digits), formOfC(*digits);
    formOfA.setForm(a, Side::Dst);
    formOfC.setForm(c, Side::Src);
    if (formOfA.isPlain() && formOfC.isPlain()) {
      std::optional<DigitBox> boxOfA = formOfA.at(a.dstOffset, a.srcOffset);
      std::optional<DigitBox> boxOfC = formOfC.at(c.srcOffset, c.dstOffset);
      if (boxOfA && boxOfC) {
        visitMeeting(*boxOfA, *boxOfC);
        return;
      }
    }
    if (formOfA.isPlain() && isFewBoxes(a, Side::Dst, *digits) &&
        formOfC.isPlain() && isFewBoxes(c, Side::Src, *digits)) {
      forEachDigitBox(a, Side::Dst, *digits, [&](const DigitBox &boxOfA) {
        forEachDigitBox(c, Side::Src, *digits, [&](const DigitBox &boxOfC) {
          visitMeeting(boxOfA, boxOfC);
        });
      });
      return;
    }
  }
  auto composed = compose(PieceSet(aToB), PieceSet(bToC),
                          [](PieceSet::Tag, PieceSet::Tag) { return 0; });
  assert(composed && "without a limit it cannot be met");
  for (size_t i = 0; i < composed->size(); ++i)
    visit((*composed)[i].piece());
}
