//===- CompareTest.cpp - Whether two sets are one relation ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace aoa::affine;

namespace {
using Rng = std::mt19937_64;
using Relation = std::set<std::tuple<uint32_t, int64_t, int64_t>>;

int64_t pick(Rng &rng, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(rng() % (high - low + 1));
}

Relation relationOf(const PieceSet &set) {
  Relation relation;
  for (size_t p = 0; p < set.size(); ++p) {
    PieceRef piece = set[p];
    if (piece.isEmpty())
      continue;
    for (int64_t n = 0, count = piece.numElements(); n < count; ++n) {
      int64_t src = piece.srcOffset, dst = piece.dstOffset, rest = n;
      for (unsigned i = piece.rank(); i-- > 0; rest /= piece.shape[i]) {
        src += rest % piece.shape[i] * piece.srcStrides[i];
        dst += rest % piece.shape[i] * piece.dstStrides[i];
      }
      relation.emplace(piece.tag, dst, src);
    }
  }
  return relation;
}

/// Cuts a random piece of `set` in two, `numCuts` times.
std::vector<std::pair<Piece, uint32_t>> cutUp(Rng &rng, const PieceSet &set,
                                              int64_t numCuts) {
  std::vector<std::pair<Piece, uint32_t>> pieces;
  for (size_t i = 0; i < set.size(); ++i)
    pieces.emplace_back(set[i].piece(), set[i].tag);
  for (; numCuts > 0 && !pieces.empty(); --numCuts) {
    auto &[low, tag] = pieces[pick(rng, 0, pieces.size() - 1)];
    if (low.rank() == 0)
      continue;
    unsigned dim = pick(rng, 0, low.rank() - 1);
    if (low.shape[dim] < 2)
      continue;
    int64_t at = pick(rng, 1, low.shape[dim] - 1);
    Piece high = low;
    low.shape[dim] = at;
    high.shape[dim] -= at;
    high.src.offset += at * high.src.strides[dim];
    high.dst.offset += at * high.dst.strides[dim];
    pieces.emplace_back(high, tag);
  }
  std::shuffle(pieces.begin(), pieces.end(), rng);
  return pieces;
}

/// A few blocks one after another on the dst side, of any strides.
PieceSet randomSet(Rng &rng) {
  PieceSet set;
  for (uint32_t tag = 0; tag < 2; ++tag) {
    int64_t dst = pick(rng, 0, 3);
    for (int64_t n = pick(rng, 0, 3); n > 0; --n) {
      unsigned rank = pick(rng, 0, 4);
      Piece piece;
      piece.shape.resize(rank);
      piece.src.strides.resize(rank);
      piece.dst.strides.resize(rank);
      piece.src.offset = pick(rng, 0, 20);
      piece.dst.offset = dst;
      int64_t stride = pick(rng, 1, 2);
      for (unsigned i = rank; i-- > 0;) {
        piece.shape[i] = pick(rng, 0, 40) ? pick(rng, 1, 4) : 0;
        piece.src.strides[i] = pick(rng, 0, 9);
        piece.dst.strides[i] = stride;
        stride = stride * std::max<int64_t>(piece.shape[i], 1) +
                 (pick(rng, 0, 2) ? 0 : pick(rng, 0, 4));
      }
      set.add(piece, tag);
      dst += stride;
    }
  }
  return set;
}

void expectRight(const PieceSet &a, const PieceSet &b) {
  Relation inA = relationOf(a), inB = relationOf(b);
  std::optional<RelationDifference> difference = findDifference(a, b);
  EXPECT_EQ(equivalent(a, b), inA == inB);
  ASSERT_EQ(!difference, inA == inB);
  if (!difference)
    return;
  std::tuple pair(difference->tag, difference->dstAddress,
                  difference->srcAddress);
  EXPECT_EQ(inA.contains(pair), difference->inFirst);
  EXPECT_EQ(inB.contains(pair), !difference->inFirst);
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
  uint64_t seed = 1;
  for (uint64_t round = 0; round < 6000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed + round));
    Rng rng(seed + round);
    PieceSet a = randomSet(rng), b;
    auto parts = cutUp(rng, a, pick(rng, 0, 12));
    // Equal, or one number of one part is changed, or a part is missing.
    int64_t change = pick(rng, 0, 5);
    if (!parts.empty()) {
      Piece &piece = parts.front().first;
      if (change == 1)
        ++piece.src.offset;
      else if (change == 2 && piece.rank() > 0)
        ++piece.src.strides[pick(rng, 0, piece.rank() - 1)];
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
