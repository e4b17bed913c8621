//===- FoldTest.cpp - The fewest pieces -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Fold.h"
#include "aoa/Affine/Box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace aoa::affine;

namespace {
using Relation = std::vector<std::pair<int64_t, int64_t>>; // dst, src

void enumerate(const Piece &piece, unsigned dim, int64_t src, int64_t dst,
               Relation &relation) {
  if (dim == piece.shape.size()) {
    relation.emplace_back(dst, src);
    return;
  }
  for (int64_t i = 0; i < piece.shape[dim]; ++i)
    enumerate(piece, dim + 1, src + i * piece.src.strides[dim],
              dst + i * piece.dst.strides[dim], relation);
}

Relation relationOf(const std::vector<Piece> &pieces) {
  Relation relation;
  for (const Piece &piece : pieces)
    enumerate(piece, 0, piece.src.offset, piece.dst.offset, relation);
  std::sort(relation.begin(), relation.end());
  return relation;
}

std::string text(const std::vector<Piece> &pieces) {
  std::string result;
  llvm::raw_string_ostream os(result);
  for (const Piece &piece : pieces) {
    print(os, piece, "src", "dst");
    os << '\n';
  }
  return result;
}

TEST(FoldDims, MergesWhatContinuesOnBothSides) {
  Piece piece{{1, 4, 8, 2}, {5, {9, 16, 2, 1}}, {3, {7, 32, 4, 1}}};
  Piece folded = foldDims(piece);
  EXPECT_EQ(relationOf({folded}), relationOf({piece}));
  EXPECT_EQ(text({folded}), "piece [32, 2] src{5 : 2, 1} dst{3 : 4, 1}\n");
}

TEST(FoldDims, OrdersByDestination) {
  Piece transposed{{3, 4}, {0, {4, 1}}, {0, {1, 3}}};
  EXPECT_EQ(text({foldDims(transposed)}),
            "piece [4, 3] src{0 : 1, 4} dst{0 : 3, 1}\n");
}

TEST(FoldDims, AScalarHasNoDimension) {
  EXPECT_EQ(text({foldDims({{1, 1}, {7, {1, 1}}, {9, {1, 1}}})}),
            "piece [] src{7} dst{9}\n");
}

TEST(Fold, InterleavedHeadsBecomeOnePiece) {
  // q of 4 groups of 2 heads of 3 rows, into [q q k v] groups, width 5.
  std::vector<Piece> pieces;
  for (int64_t group = 0; group < 4; ++group)
    for (int64_t head = 0; head < 2; ++head)
      pieces.push_back({{3, 5},
                        {(group * 2 + head) * 15, {5, 1}},
                        {(group * 4 + head) * 15, {5, 1}}});
  EXPECT_EQ(text(fold(pieces)),
            "piece [4, 30] src{0 : 30, 1} dst{0 : 60, 1}\n");
}

TEST(Fold, UnevenPartsOfOneBlockJoin) {
  std::vector<Piece> pieces = {{{3, 4}, {0, {8, 1}}, {0, {10, 1}}},
                               {{2, 4}, {24, {8, 1}}, {30, {10, 1}}}};
  EXPECT_EQ(text(fold(pieces)), "piece [5, 4] src{0 : 8, 1} dst{0 : 10, 1}\n");
}

TEST(Fold, KeepsAGap) {
  std::vector<Piece> pieces = {{{4}, {0, {1}}, {0, {1}}},
                               {{4}, {4, {1}}, {5, {1}}},
                               {{4}, {9, {1}}, {9, {1}}}};
  EXPECT_EQ(text(fold(pieces)), "piece [2, 4] src{0 : 4, 1} dst{0 : 5, 1}\n"
                                "piece [4] src{9 : 1} dst{9 : 1}\n");
}

TEST(Fold, DropsEmptyPieces) {
  EXPECT_TRUE(fold({{{0, 4}, {0, {4, 1}}, {0, {4, 1}}}}).empty());
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
  EXPECT_EQ(text(fold(shuffled(cells))),
            "piece [299, 1000] src{7 : 1, 299} dst{0 : 2000, 1}\n");
  // Without its last cell it is two blocks.
  cells.pop_back();
  EXPECT_EQ(fold(shuffled(cells)).size(), 2u);
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
  std::string whole = text(pieces);
  EXPECT_EQ(text(fold(shuffled(pieces))), whole);
  EXPECT_EQ(text(fold(shuffled(parts))), whole);
}

TEST(Fold, KeepsTheRelationIdempotentWhateverTheOrder) {
  std::mt19937 rng(7);
  for (int round = 0; round < 2000; ++round) {
    unsigned rank = 1 + rng() % 3;
    Extents shape, srcStrides(rank), dstStrides(rank);
    for (unsigned i = 0; i < rank; ++i)
      shape.push_back(1 + rng() % 6);
    llvm::SmallVector<unsigned, 4> perm(rank);
    for (unsigned i = 0; i < rank; ++i)
      perm[i] = i;
    std::shuffle(perm.begin(), perm.end(), rng);
    int64_t src = 1, dst = 1;
    for (unsigned i = rank; i-- > 0;) {
      dstStrides[i] = dst;
      dst *= shape[i] + (rng() % 3 == 0);
    }
    for (unsigned i = rank; i-- > 0;) {
      srcStrides[perm[i]] = src;
      src *= shape[perm[i]] + (rng() % 3 == 0);
    }
    std::vector<Box> boxes = {wholeBox(shape)};
    for (int cut = rng() % 12; cut > 0; --cut) {
      Box &part = boxes[rng() % boxes.size()];
      unsigned axis = rng() % rank;
      if (part.shape[axis] < 2)
        continue;
      int64_t at = 1 + rng() % (part.shape[axis] - 1);
      Box high = part;
      high.offset[axis] += at;
      high.shape[axis] -= at;
      part.shape[axis] = at;
      boxes.push_back(high);
    }
    if (rng() % 2)
      boxes.erase(boxes.begin() + rng() % boxes.size());
    std::vector<Piece> pieces;
    for (const Box &box : boxes) {
      Piece piece{box.shape, {3, srcStrides}, {2, dstStrides}};
      for (unsigned i = 0; i < rank; ++i) {
        piece.src.offset += box.offset[i] * srcStrides[i];
        piece.dst.offset += box.offset[i] * dstStrides[i];
      }
      pieces.push_back(piece);
    }
    std::vector<Piece> folded = fold(pieces);
    ASSERT_EQ(relationOf(folded), relationOf(pieces));
    EXPECT_LE(folded.size(), pieces.size()) << text(pieces) << text(folded);
    EXPECT_EQ(text(fold(folded)), text(folded));
    std::shuffle(pieces.begin(), pieces.end(), rng);
    EXPECT_EQ(text(fold(pieces)), text(folded));
  }
}
} // namespace
