//===- CompareTest.cpp - Whether two sets are one relation ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compare.h"

#include "Enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
/// Cuts each piece of `set` at random planes.
std::vector<std::pair<Piece, uint32_t>>
cutUp(Random &random, const PieceSet &set, int64_t numCuts) {
  std::vector<std::pair<Piece, uint32_t>> pieces;
  for (size_t i = 0; i < set.size(); ++i)
    for (const Piece &part : random.cutAtRandom(set[i].piece(), numCuts))
      pieces.emplace_back(part, set[i].tag);
  random.shuffle(pieces);
  return pieces;
}

/// A few blocks one after another on the dst side, of any strides.
PieceSet randomSet(Random &random) {
  PieceSet set;
  for (uint32_t tag = 0; tag < 2; ++tag) {
    int64_t dst = random.number(0, 3);
    for (int64_t n = random.number(0, 3); n > 0; --n) {
      unsigned rank = random.number(0, 4);
      Piece piece;
      piece.shape.resize(rank);
      piece.src.strides.resize(rank);
      piece.dst.strides.resize(rank);
      piece.src.offset = random.number(0, 20);
      piece.dst.offset = dst;
      int64_t stride = random.number(1, 2);
      for (unsigned i = rank; i-- > 0;) {
        piece.shape[i] = random.number(0, 40) ? random.number(1, 4) : 0;
        piece.src.strides[i] = random.number(0, 9);
        piece.dst.strides[i] = stride;
        stride = stride * std::max<int64_t>(piece.shape[i], 1) +
                 (random.number(0, 2) ? 0 : random.number(0, 4));
      }
      set.add(piece, tag);
      dst += stride;
    }
  }
  return set;
}

void expectRight(const PieceSet &a, const PieceSet &b) {
  Pairs inA = pairsOf(a), inB = pairsOf(b);
  std::optional<RelationDifference> difference = findDifference(a, b);
  EXPECT_EQ(equivalent(a, b), inA == inB);
  ASSERT_EQ(!difference, inA == inB);
  if (!difference)
    return;
  Pair pair{difference->srcAddress, difference->dstAddress, difference->tag};
  EXPECT_EQ(std::ranges::binary_search(inA, pair), difference->inFirst);
  EXPECT_EQ(std::ranges::binary_search(inB, pair), !difference->inFirst);
}

TEST(Compare, EmptySetsAreOneRelation) {
  PieceSet none, empty(Piece{{3, 0}, {0, {1, 1}}, {0, {1, 1}}});
  EXPECT_FALSE(findDifference(none, none));
  EXPECT_FALSE(findDifference(none, empty));
  EXPECT_FALSE(findDifference(empty, none));
}

TEST(Compare, RowsAgainstColumns) {
  PieceSet rows, columns;
  for (int64_t i = 0; i < 4; ++i)
    rows.add(Piece{{6}, {i, {4}}, {i * 6, {1}}});
  for (int64_t i = 0; i < 6; ++i)
    columns.add(Piece{{4}, {i * 4, {1}}, {i, {6}}});
  EXPECT_TRUE(equivalent(rows, columns));
}

TEST(Compare, ShowsThePairThatOnlyOneHas) {
  PieceSet a(Piece{{8}, {0, {1}}, {0, {1}}});
  PieceSet b(Piece{{7}, {0, {1}}, {0, {1}}});
  auto difference = findDifference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->dstAddress, 7);
  EXPECT_EQ(difference->srcAddress, 7);
  EXPECT_TRUE(difference->inFirst);
  difference = findDifference(b, a);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->dstAddress, 7);
  EXPECT_FALSE(difference->inFirst);
}

TEST(Compare, TagsAreKeptApart) {
  Piece piece{{8}, {0, {1}}, {0, {1}}};
  PieceSet a(piece, 1), b(piece, 2);
  auto difference = findDifference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->tag, 1u);
  b.add(piece, 1);
  difference = findDifference(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->tag, 2u);
  EXPECT_FALSE(difference->inFirst);
  a.add(piece, 2);
  EXPECT_TRUE(equivalent(a, b));
}

TEST(Compare, HugePiecesCostNothing) {
  int64_t n = int64_t(1) << 20;
  PieceSet whole(Piece{{n, n}, {0, {1, n}}, {0, {n, 1}}}), halves;
  halves.add(Piece{{n, n / 2}, {0, {1, n}}, {0, {n, 1}}});
  halves.add(
      Piece{{n, n / 2 - 1}, {n / 2 * n + n, {1, n}}, {n / 2 + 1, {n, 1}}});
  auto difference = findDifference(whole, halves);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->dstAddress % n, n / 2);
  halves.add(Piece{{n}, {n / 2 * n, {1}}, {n / 2, {n}}});
  EXPECT_TRUE(equivalent(whole, halves));
}

TEST(Compare, RandomSetsAgainstEnumeration) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(6000); i < cases; ++i) {
    PieceSet a = randomSet(random), b;
    auto parts = cutUp(random, a, random.number(0, 4));
    // Equal, or one number of one part is changed, or a part is missing.
    int64_t change = random.number(0, 5);
    if (!parts.empty()) {
      Piece &piece = parts.front().first;
      if (change == 1)
        ++piece.src.offset;
      else if (change == 2 && piece.rank() > 0)
        ++piece.src.strides[random.number(0, piece.rank() - 1)];
      else if (change == 3 && piece.rank() > 0 && piece.shape[0] > 0)
        --piece.shape[0];
      else if (change == 4)
        parts.erase(parts.begin());
    }
    for (const auto &[piece, tag] : parts)
      b.add(piece, tag);
    expectRight(a, b);
    expectRight(b, a);
    if (HasFailure())
      return;
  }
}
} // namespace
