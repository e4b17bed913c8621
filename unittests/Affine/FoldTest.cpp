//===- FoldTest.cpp - The fewest pieces -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Fold.h"

#include "Enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
PieceSet setOf(llvm::ArrayRef<Piece> pieces) {
  PieceSet set;
  for (const Piece &piece : pieces)
    set.add(piece);
  return set;
}

PieceSet folded(llvm::ArrayRef<Piece> pieces) {
  PieceSet set = setOf(pieces);
  fold(set);
  return set;
}

TEST(FoldDims, MergesWhatContinuesOnBothSides) {
  Piece piece{{1, 4, 8, 2}, {5, {9, 16, 2, 1}}, {3, {7, 32, 4, 1}}};
  Piece folded = foldDims(piece);
  EXPECT_EQ(pairsOf(folded), pairsOf(piece));
  EXPECT_EQ(text(folded), "piece [32, 2] src{5 : 2, 1} dst{3 : 4, 1}");
}

TEST(FoldDims, OrdersByDestination) {
  Piece transposed{{3, 4}, {0, {4, 1}}, {0, {1, 3}}};
  EXPECT_EQ(text(foldDims(transposed)),
            "piece [4, 3] src{0 : 1, 4} dst{0 : 3, 1}");
}

TEST(FoldDims, AScalarHasNoDimension) {
  EXPECT_EQ(text(foldDims({{1, 1}, {7, {1, 1}}, {9, {1, 1}}})),
            "piece [] src{7} dst{9}");
}

TEST(Fold, InterleavedHeadsBecomeOnePiece) {
  // q of 4 groups of 2 heads of 3 rows, into [q q k v] groups, width 5.
  std::vector<Piece> pieces;
  for (int64_t group = 0; group < 4; ++group)
    for (int64_t head = 0; head < 2; ++head)
      pieces.push_back({{3, 5},
                        {(group * 2 + head) * 15, {5, 1}},
                        {(group * 4 + head) * 15, {5, 1}}});
  EXPECT_EQ(text(folded(pieces)),
            "piece [4, 30] src{0 : 30, 1} dst{0 : 60, 1} #0\n");
}

TEST(Fold, UnevenPartsOfOneBlockJoin) {
  std::vector<Piece> pieces = {{{3, 4}, {0, {8, 1}}, {0, {10, 1}}},
                               {{2, 4}, {24, {8, 1}}, {30, {10, 1}}}};
  EXPECT_EQ(text(folded(pieces)),
            "piece [5, 4] src{0 : 8, 1} dst{0 : 10, 1} #0\n");
}

TEST(Fold, KeepsAGap) {
  std::vector<Piece> pieces = {{{4}, {0, {1}}, {0, {1}}},
                               {{4}, {4, {1}}, {5, {1}}},
                               {{4}, {9, {1}}, {9, {1}}}};
  EXPECT_EQ(text(folded(pieces)),
            "piece [2, 4] src{0 : 4, 1} dst{0 : 5, 1} #0\n"
            "piece [4] src{9 : 1} dst{9 : 1} #0\n");
}

TEST(Fold, DropsEmptyPieces) {
  EXPECT_TRUE(folded({{{0, 4}, {0, {4, 1}}, {0, {4, 1}}}}).empty());
}

/// Shuffles pieces that are more than one sort in the caches takes.
std::vector<Piece> shuffled(std::vector<Piece> pieces) {
  std::mt19937_64 rng(3);
  std::shuffle(pieces.begin(), pieces.end(), rng);
  return pieces;
}

TEST(Fold, ManyCellsOfAMatrixAreOnePiece) {
  // Rows of cells continue each other, the last of each narrower.
  std::vector<Piece> cells;
  for (int64_t row = 0; row < 300; row += 2)
    for (int64_t column = 0; column < 1000; column += 3) {
      int64_t height = std::min<int64_t>(2, 299 - row);
      int64_t width = std::min<int64_t>(3, 1000 - column);
      cells.push_back({{height, width},
                       {7 + column * 299 + row, {1, 299}},
                       {row * 2000 + column, {2000, 1}}});
    }
  EXPECT_GT(cells.size(), 45000u);
  EXPECT_EQ(text(folded(shuffled(cells))),
            "piece [299, 1000] src{7 : 1, 299} dst{0 : 2000, 1} #0\n");
  // Without its last cell it is two blocks.
  cells.pop_back();
  EXPECT_EQ(folded(shuffled(cells)).size(), 2u);
}

TEST(Fold, ManyBlocksInOppositeOrdersStay) {
  std::mt19937_64 rng(5);
  std::vector<Piece> pieces, parts;
  int64_t src = int64_t{1} << 40, dst = 0;
  for (int i = 0; i < 50000; ++i) {
    int64_t rows = 1 + rng() % 4, columns = 3 + rng() % 9;
    Piece piece = foldDims({{rows, columns}, {0, {20, 1}}, {0, {12, 1}}});
    src -= 20 * rows + rng() % 3;
    piece.src.offset = src;
    // Crowded at the end: most keys share their first digit.
    piece.dst.offset = dst;
    dst += i < 100 ? int64_t{1} << 32 : 12 * rows + rng() % 2;
    pieces.push_back(piece);
    int64_t at = columns / 2;
    Piece low = piece, high = piece;
    low.shape.back() = at;
    high.shape.back() -= at;
    high.src.offset += at;
    high.dst.offset += at;
    parts.push_back(low);
    parts.push_back(high);
  }
  std::string whole = text(setOf(pieces));
  EXPECT_EQ(text(folded(shuffled(pieces))), whole);
  EXPECT_EQ(text(folded(shuffled(parts))), whole);
}

TEST(Fold, KeepsTheRelationIdempotentWhateverTheOrder) {
  Random random;
  SCOPED_TRACE(random.trace());
  int64_t cases = numRandomCases(2000), numLonger = 0;
  for (int64_t i = 0; i < cases; ++i) {
    std::vector<Piece> pieces =
        random.cutAtRandom(random.piece(3, 6), random.number(0, 11));
    if (random.chance(2))
      pieces.pop_back();
    PieceSet given = setOf(pieces), once = folded(pieces), again = once;
    ASSERT_EQ(pairsOf(once), pairsOf(given)) << text(given);
    numLonger += once.size() > given.size();
    fold(again);
    EXPECT_EQ(text(again), text(once));
    random.shuffle(pieces);
    EXPECT_EQ(text(folded(pieces)), text(once));
  }
  // The canonical form may need more pieces than a clever cut; not often.
  EXPECT_LE(numLonger * 40, cases);
}

/// Calls `visit` with every small piece some of whose dimensions see one
/// element of src again and again.
void forEachRepeating(llvm::function_ref<void(const Piece &)> visit) {
  for (unsigned rank = 1; rank <= 3; ++rank)
    forEachShape(rank, 1, 4, [&](auto shape) {
      forEachOrder(rank, [&](auto order) {
        for (unsigned still = 1; still < 1u << rank; ++still) {
          Piece piece{Extents(shape), {5, {}}, {3, {}}};
          piece.src.strides = rowMajorStrides(shape);
          piece.dst.strides = stridesInOrder(shape, order);
          for (unsigned dim = 0; dim < rank; ++dim)
            if (still >> dim & 1)
              piece.src.strides[dim] = 0;
          visit(piece);
        }
      });
    });
}

TEST(FoldDims, KeepsRepeats) {
  forEachRepeating([](const Piece &piece) {
    EXPECT_EQ(pairsOf(foldDims(piece)), pairsOf(piece)) << text(piece);
  });
  EXPECT_EQ(text(foldDims({{2, 3, 4}, {7, {0, 0, 0}}, {0, {12, 4, 1}}})),
            "piece [24] src{7 : 0} dst{0 : 1}");
}

TEST(Fold, RepeatsComeBackFromEveryTwoCutsAndFromTheirElements) {
  Random random;
  SCOPED_TRACE(random.trace());
  forEachRepeating([&](const Piece &piece) {
    PieceSet whole = folded({piece});
    ASSERT_EQ(pairsOf(whole), pairsOf(piece)) << text(piece);
    for (unsigned numCuts : {1u, 2u, 1000u}) {
      std::vector<Piece> parts = random.cutAtRandom(piece, numCuts);
      random.shuffle(parts);
      EXPECT_EQ(text(folded(parts)), text(whole)) << text(setOf(parts));
    }
  });
}

TEST(Fold, RepeatsBesideOtherPiecesWhateverTheOrder) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(4000); i < cases; ++i) {
    std::vector<Piece> pieces;
    int64_t dst = 0;
    for (int64_t n = random.number(1, 4); n > 0; --n) {
      Piece piece = random.piece(3, 5);
      for (int64_t &stride : piece.src.strides)
        stride = random.chance(2) ? 0 : stride;
      if (random.chance(2))
        piece.src.offset = random.number(0, 3);
      piece.dst.offset = dst;
      for (unsigned dim = 0; dim < piece.rank(); ++dim)
        dst +=
            std::max<int64_t>(piece.shape[dim] - 1, 0) * piece.dst.strides[dim];
      dst += random.number(1, 2);
      for (const Piece &part : random.cutAtRandom(piece, random.number(0, 6)))
        pieces.push_back(part);
    }
    PieceSet given = setOf(pieces), once = folded(pieces), again = once;
    ASSERT_EQ(pairsOf(once), pairsOf(given)) << text(given);
    fold(again);
    EXPECT_EQ(text(again), text(once)) << text(given);
    random.shuffle(pieces);
    ASSERT_EQ(text(folded(pieces)), text(once)) << text(given);
  }
}
} // namespace
