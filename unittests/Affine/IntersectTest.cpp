//===- IntersectTest.cpp - What two sets share on one side ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Intersect.h"
#include "Enumerate.h"

#include <gtest/gtest.h>

#include <set>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
constexpr Side sides[] = {Side::Src, Side::Dst};

int64_t addressOn(Side side, const Pair &pair) {
  return side == Side::Src ? pair.src : pair.dst;
}

/// Checks restrict and subtract against the elements.
void check(const PieceSet &set, Side side, const PieceSet &region,
           Side regionSide) {
  std::vector<int64_t> addresses = addressesOf(region, regionSide);
  Pairs inside, outside;
  for (const Pair &pair : pairsOf(set))
    (std::binary_search(addresses.begin(), addresses.end(),
                        addressOn(side, pair))
         ? inside
         : outside)
        .push_back(pair);
  auto shown = [&] { return text(set) + "\n" + text(region); };
  EXPECT_EQ(pairsOf(restrict(set, side, region, regionSide)), inside)
      << shown();
  EXPECT_EQ(pairsOf(subtract(set, side, region, regionSide)), outside)
      << shown();
}

/// Checks keepFirst against the elements.
PieceSet checkKeepFirst(const PieceSet &set, Side side) {
  std::set<int64_t> held;
  Pairs expected;
  for (size_t i = 0; i < set.size(); ++i) {
    Pairs ofPiece = pairsOf(set[i].piece(), set[i].tag);
    for (const Pair &pair : ofPiece)
      if (!held.contains(addressOn(side, pair)))
        expected.push_back(pair);
    for (const Pair &pair : ofPiece)
      held.insert(addressOn(side, pair));
  }
  std::sort(expected.begin(), expected.end());
  PieceSet kept = keepFirst(set, side);
  EXPECT_EQ(pairsOf(kept), expected) << text(set);
  return kept;
}

TEST(Restrict, LeavesTagsAndWhatIsInside) {
  PieceSet set(Piece{{10}, {0, {1}}, {100, {1}}}, 7);
  PieceSet region(Piece{{4}, {3, {1}}, {0, {1}}});
  EXPECT_EQ(text(restrict(set, Side::Src, region, Side::Src)),
            "piece [4] src{3 : 1} dst{103 : 1} #7\n");
  EXPECT_EQ(text(subtract(set, Side::Src, region, Side::Src)),
            "piece [3] src{0 : 1} dst{100 : 1} #7\n"
            "piece [3] src{7 : 1} dst{107 : 1} #7\n");
}

TEST(Subtract, LeavesAPieceThatIsNotMetAsItIs) {
  Piece piece{{2, 3}, {0, {3, 1}}, {50, {3, 1}}};
  PieceSet region(Piece{{4}, {6, {1}}, {0, {1}}});
  EXPECT_EQ(subtract(PieceSet(piece), Side::Src, region, Side::Src),
            PieceSet(piece));
}

TEST(Subtract, ManyHolesInOnePiece) {
  PieceSet set(Piece{{1 << 20}, {0, {1}}, {0, {1}}}), region;
  for (int64_t i = 0; i < 100000; ++i)
    region.add(Piece{{3}, {10 * i + 2, {1}}, {0, {1}}});
  PieceSet rest = subtract(set, Side::Src, region, Side::Src);
  EXPECT_EQ(rest.size(), 100001u);
  EXPECT_EQ(rest.numElements(), (1 << 20) - 300000);
}

TEST(Intersect, AllPairsOfSubviews) {
  for (unsigned rank = 0; rank <= 2; ++rank)
    forEachShape(rank, 1, 4, [&](auto shape) {
      forEachSubview(shape, true, [&](auto block, const StridedView &view) {
        Piece piece{Extents(block), view, wholeView(block)};
        PieceSet set(piece, 3);
        forEachSubview(shape, false, [&](auto other, const StridedView &hole) {
          check(set, Side::Src,
                PieceSet({Extents(other), wholeView(other), hole}), Side::Dst);
        });
      });
    });
}

TEST(Intersect, RandomSets) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(100000); i < cases; ++i) {
    Extents shape = random.shape(6, 3);
    Side side = sides[random.number(0, 1)];
    Side regionSide = sides[random.number(0, 1)];
    PieceSet set, region;
    for (const Piece &piece :
         random.cutAtRandom(random.pieceOf(shape, side), random.number(0, 4)))
      set.add(piece, random.number(0, 3));
    for (const Piece &piece : random.cutAtRandom(
             random.pieceOf(shape, regionSide), random.number(0, 4)))
      if (!random.chance(3))
        region.add(piece);
    check(set, side, region, regionSide);
    if (HasFailure())
      return;
  }
}

TEST(KeepFirst, ReplicasCountOnce) {
  PieceSet set;
  for (PieceSet::Tag rank = 0; rank < 4; ++rank)
    for (int64_t i = 0; i < 3; ++i)
      set.add(Piece{{2, 3}, {6 * i, {3, 1}}, {0, {3, 1}}}, rank);
  PieceSet kept = keepFirst(set, Side::Src);
  ASSERT_EQ(kept.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(kept[i].tag, 0u);
}

TEST(KeepFirst, OfAnOverlapTheEarlierKeepsIt) {
  PieceSet set;
  set.add(Piece{{4}, {2, {1}}, {0, {1}}}, 1);
  set.add(Piece{{8}, {0, {1}}, {10, {1}}}, 2);
  EXPECT_EQ(text(keepFirst(set, Side::Src)),
            "piece [4] src{2 : 1} dst{0 : 1} #1\n"
            "piece [2] src{0 : 1} dst{10 : 1} #2\n"
            "piece [2] src{6 : 1} dst{16 : 1} #2\n");
}

TEST(KeepFirst, AllPairsOfSubviews) {
  for (unsigned rank = 0; rank <= 2; ++rank)
    forEachShape(rank, 1, 4, [&](auto shape) {
      forEachSubview(shape, true, [&](auto block, const StridedView &view) {
        Piece first{Extents(block), view, wholeView(block)};
        forEachSubview(shape, false, [&](auto other, const StridedView &next) {
          PieceSet set(first, 1);
          set.add({Extents(other), next, wholeView(other)}, 2);
          checkKeepFirst(set, Side::Src);
        });
      });
    });
}

TEST(KeepFirst, RandomSets) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(100000); i < cases; ++i) {
    Extents shape = random.shape(5, 3);
    Side side = sides[random.number(0, 1)];
    PieceSet set;
    for (int copy = 0; copy < 2; ++copy)
      for (const Piece &piece :
           random.cutAtRandom(random.pieceOf(shape, side), random.number(0, 3)))
        set.add(piece, copy);
    checkKeepFirst(set, side);
    if (HasFailure())
      return;
  }
}
} // namespace
