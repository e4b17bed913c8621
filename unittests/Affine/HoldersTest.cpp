//===- HoldersTest.cpp - Who holds what, against enumeration ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Holders.h"
#include "Enumerate.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
std::string printed(llvm::ArrayRef<uint32_t> ranks) {
  std::string result;
  llvm::raw_string_ostream os(result);
  printRanks(os, ranks);
  return result;
}

TEST(RankSets, PrintsRanges) {
  EXPECT_EQ(printed({}), "{}");
  EXPECT_EQ(printed({3}), "{3}");
  EXPECT_EQ(printed({0, 1, 2, 3, 7}), "{0..3, 7}");
  EXPECT_EQ(printed({0, 2, 3}), "{0, 2..3}");
}

TEST(RankSets, StoresEachSetOnce) {
  RankSets sets;
  RankSetId empty = sets.intern({});
  RankSetId some = sets.intern({1, 4});
  EXPECT_NE(some, empty);
  EXPECT_NE(sets.intern({1, 5}), some);
  EXPECT_EQ(sets.intern({1, 4}), some);
  EXPECT_EQ(sets.intern({}), empty);
  EXPECT_EQ(sets[some], llvm::ArrayRef<uint32_t>({1, 4}));
  EXPECT_EQ(sets.size(), 3u);
}

using Ranks = std::vector<uint32_t>;
/// Who holds a piece, by its tag.
using Tags = std::vector<Ranks>;

HomogeneousSet split(const PieceSet &set, Side side, const Tags &tags,
                     RankSets &rankSets) {
  return splitHomogeneous(
      set, side,
      [&](PieceSet::Tag tag) { return llvm::ArrayRef<uint32_t>(tags[tag]); },
      rankSets);
}

std::string withHolders(const HomogeneousSet &result,
                        const RankSets &rankSets) {
  std::string lines;
  llvm::raw_string_ostream os(lines);
  for (size_t i = 0; i < result.pieces.size(); ++i) {
    os << text(result.pieces[i].piece()) << ' ';
    printRanks(os, rankSets[result.holders[i]]);
    os << '\n';
  }
  return lines;
}

std::map<int64_t, std::set<uint32_t>> holdersOf(const PieceSet &set, Side side,
                                                const Tags &tags) {
  std::map<int64_t, std::set<uint32_t>> holders;
  for (size_t i = 0; i < set.size(); ++i)
    for (int64_t address : addressesOf(PieceSet(set[i].piece()), side))
      holders[address].insert(tags[set[i].tag].begin(), tags[set[i].tag].end());
  return holders;
}

void expectSplitRight(const PieceSet &set, Side side, const Tags &tags) {
  RankSets rankSets;
  HomogeneousSet result = split(set, side, tags, rankSets);
  ASSERT_EQ(result.holders.size(), result.pieces.size());
  auto holders = holdersOf(set, side, tags);
  auto ranksAt = [&](int64_t address) {
    const std::set<uint32_t> &ranks = holders.at(address);
    return Ranks(ranks.begin(), ranks.end());
  };
  size_t next = 0;
  for (size_t i = 0; i < set.size(); ++i) {
    PieceSet piece(set[i].piece(), set[i].tag), parts;
    int64_t left = set[i].numElements();
    size_t first = next;
    do {
      ASSERT_LT(next, result.pieces.size()) << text(set);
      PieceRef part = result.pieces[next];
      left -= part.numElements();
      if (next > first) {
        EXPECT_LE(parts[parts.size() - 1].offset(side), part.offset(side))
            << text(set) << withHolders(result, rankSets);
      }
      parts.add(part);
      for (int64_t address : addressesOf(PieceSet(part.piece()), side))
        ASSERT_EQ(rankSets[result.holders[next]].vec(), ranksAt(address))
            << "at " << address << '\n'
            << text(set) << withHolders(result, rankSets);
      ++next;
    } while (left > 0);
    ASSERT_EQ(pairsOf(parts), pairsOf(piece))
        << text(set) << withHolders(result, rankSets);
    std::set<Ranks> different;
    for (int64_t address : addressesOf(piece, side))
      different.insert(ranksAt(address));
    if (different.size() <= 1) {
      EXPECT_EQ(parts, piece) << text(set) << withHolders(result, rankSets);
    }
  }
  EXPECT_EQ(next, result.pieces.size());
  EXPECT_EQ(checkHomogeneous(result.pieces, side, result.holders),
            std::nullopt);
}

TEST(SplitHomogeneous, CutsWhereHoldersChange) {
  PieceSet set;
  set.add({{4, 5}, {0, {5, 1}}, {0, {5, 1}}}, 0);
  set.add({{4, 5}, {0, {5, 1}}, {10, {5, 1}}}, 1);
  RankSets rankSets;
  EXPECT_EQ(withHolders(split(set, Side::Dst, {{0}, {1}}, rankSets), rankSets),
            "piece [10] src{0 : 1} dst{0 : 1} {0}\n"
            "piece [10] src{10 : 1} dst{10 : 1} {0..1}\n"
            "piece [10] src{0 : 1} dst{10 : 1} {0..1}\n"
            "piece [10] src{10 : 1} dst{20 : 1} {1}\n");
}

TEST(SplitHomogeneous, ReplicasStayWhole) {
  PieceSet set;
  for (uint32_t rank : {0, 1, 2, 3})
    for (int64_t row : {0, 4})
      set.add({{2, 3}, {0, {3, 1}}, {row, {8, 1}}}, rank);
  Tags tags = {{0}, {1}, {2}, {3}};
  RankSets rankSets;
  HomogeneousSet result = split(set, Side::Dst, tags, rankSets);
  EXPECT_EQ(result.pieces, set);
  for (RankSetId holders : result.holders)
    EXPECT_EQ(rankSets[holders], llvm::ArrayRef<uint32_t>({0, 1, 2, 3}));
  expectSplitRight(set, Side::Dst, tags);
}

/// 8 ranks of 2 query heads each, 4 groups of keys and values: two ranks share
/// a group.
TEST(SplitHomogeneous, KeyValueHeadsOfMoreRanksThanGroups) {
  PieceSet set;
  Tags tags;
  const int64_t hidden = 6;
  for (int64_t rank = 0; rank < 8; ++rank) {
    tags.push_back({uint32_t(rank)});
    set.add({{2, hidden}, {0, {hidden, 1}}, {rank * 2 * hidden, {hidden, 1}}},
            rank);
    for (int64_t keyOrValue : {16, 20})
      set.add({{1, hidden},
               {0, {hidden, 1}},
               {(keyOrValue + rank / 2) * hidden, {hidden, 1}}},
              rank);
  }
  RankSets rankSets;
  HomogeneousSet result = split(set, Side::Dst, tags, rankSets);
  EXPECT_EQ(result.pieces, set) << withHolders(result, rankSets);
  for (size_t i = 0; i < set.size(); ++i)
    EXPECT_EQ(rankSets[result.holders[i]].size(), i % 3 == 0 ? 1u : 2u);
  expectSplitRight(set, Side::Dst, tags);
}

/// The queries are split, one block of keys and values is held by all; one rank
/// holds all of it as one piece.
TEST(SplitHomogeneous, KeysAndValuesHeldByAll) {
  PieceSet set;
  Tags tags;
  for (int64_t rank = 0; rank < 4; ++rank) {
    tags.push_back({uint32_t(rank)});
    set.add({{2, 3}, {0, {3, 1}}, {rank * 6, {3, 1}}}, rank);
    set.add({{2, 3}, {6, {3, 1}}, {24, {3, 1}}}, rank);
  }
  tags.push_back({7});
  set.add({{10, 3}, {0, {3, 1}}, {0, {3, 1}}}, 4);
  RankSets rankSets;
  HomogeneousSet result = split(set, Side::Dst, tags, rankSets);
  EXPECT_EQ(result.pieces.size(), 8u + 5u) << withHolders(result, rankSets);
  expectSplitRight(set, Side::Dst, tags);
}

/// Rows on one rank and columns on another: all is held by both, and as long as
/// nothing is missing no row meets each column one by one.
TEST(SplitHomogeneous, RowsUnderColumns) {
  constexpr int64_t extent = 20000;
  PieceSet set;
  for (int64_t i = 0; i < extent; ++i) {
    set.add({{1, extent}, {0, {1, 1}}, {i * extent, {extent, 1}}}, 0);
    set.add({{extent, 1}, {0, {1, 1}}, {i, {extent, 1}}}, 1);
  }
  RankSets rankSets;
  HomogeneousSet result = split(set, Side::Dst, {{0}, {1}}, rankSets);
  EXPECT_EQ(result.pieces, set);
  for (RankSetId holders : result.holders)
    ASSERT_EQ(rankSets[holders].size(), 2u);
  // Without the last row the columns end before it, in two pieces each.
  set.entries()[2 * extent - 2] = set.entries()[2 * extent - 1];
  set.truncate(2 * extent - 1);
  result = split(set, Side::Dst, {{0}, {1}}, rankSets);
  EXPECT_EQ(result.pieces.size(), size_t(extent - 1 + 2 * extent));
}

TEST(SplitHomogeneous, EmptyThings) {
  PieceSet set;
  expectSplitRight(set, Side::Src, {});
  set.add({{0}, {0, {1}}, {5, {1}}}, 0);
  set.add({{}, {3, {}}, {4, {}}}, 1);
  set.add({{1, 1}, {3, {7, 1}}, {0, {1, 7}}}, 2);
  expectSplitRight(set, Side::Src, {{0}, {1}, {}});
  expectSplitRight(set, Side::Dst, {{0}, {1}, {}});
}

TEST(SplitHomogeneous, FewestPartsOfIntervals) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(2000); ++i) {
    PieceSet set;
    Tags tags;
    for (int64_t count = random.number(1, 6); count > 0; --count) {
      int64_t begin = random.number(0, 15), length = random.number(1, 10);
      set.add({{length}, {0, {1}}, {begin, {1}}}, tags.size());
      tags.push_back({uint32_t(random.number(0, 3))});
    }
    auto holders = holdersOf(set, Side::Dst, tags);
    size_t numParts = 0;
    for (size_t piece = 0; piece < set.size(); ++piece)
      for (int64_t address = set[piece].dstOffset;
           address < set[piece].dstOffset + set[piece].shape[0]; ++address)
        numParts += address == set[piece].dstOffset ||
                    holders[address] != holders[address - 1];
    RankSets rankSets;
    HomogeneousSet result = split(set, Side::Dst, tags, rankSets);
    ASSERT_EQ(result.pieces.size(), numParts)
        << text(set) << withHolders(result, rankSets);
  }
}

TEST(SplitHomogeneous, RandomPieces) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(15000); ++i) {
    Extents shape = random.shape(4, 5);
    Tags tags;
    for (int64_t count = random.number(1, 4); count > 0; --count) {
      std::set<uint32_t> ranks;
      for (int64_t numRanks = random.number(0, 3); numRanks > 0; --numRanks)
        ranks.insert(random.number(0, 4));
      tags.emplace_back(ranks.begin(), ranks.end());
    }
    PieceSet set;
    for (int64_t count = random.number(0, 6); count > 0; --count) {
      Piece piece = random.pieceOf(shape, Side::Dst);
      if (random.chance(6)) {
        piece.shape.push_back(2); // Seen twice on one side.
        piece.src.strides.push_back(100);
        piece.dst.strides.push_back(0);
      }
      set.add(piece, random.number(0, tags.size() - 1));
    }
    expectSplitRight(set, Side::Dst, tags);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i;
      return;
    }
  }
}

/// Partitions of one tensor by several holders, each cut in its own way.
TEST(SplitHomogeneous, RandomReplicas) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(5000); ++i) {
    Extents shape = random.shape(4, 6);
    PieceSet set;
    Tags tags;
    for (int64_t count = random.number(1, 3); count > 0; --count) {
      for (const Piece &piece :
           random.cutAtRandom(identityPiece(shape), random.number(0, 6)))
        if (!random.chance(6))
          set.add(piece, tags.size());
      tags.push_back({uint32_t(random.number(0, 2))});
    }
    expectSplitRight(set, random.chance(2) ? Side::Src : Side::Dst, tags);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i;
      return;
    }
  }
}

TEST(CheckHomogeneous, RandomClaims) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(30000); ++i) {
    Extents shape = random.shape(5, 5);
    PieceSet set;
    std::vector<RankSetId> claims;
    bool alike = random.chance(2);
    // More pieces than are compared pair by pair, now and then.
    int64_t numCuts = random.chance(4) ? 60 : 6;
    for (int64_t count = random.number(0, 3); count > 0; --count)
      for (const Piece &piece :
           random.chance(3) ? std::vector{random.pieceOf(shape, Side::Dst)}
                            : random.cutAtRandom(identityPiece(shape),
                                                 random.number(0, numCuts))) {
        if (random.chance(4))
          continue;
        set.add(piece);
        claims.emplace_back(alike && !random.chance(12) ? 0
                                                        : random.number(0, 2));
      }
    std::map<int64_t, std::set<RankSetId>> at;
    std::map<int64_t, std::set<size_t>> pieces;
    bool conflict = false;
    for (size_t piece = 0; piece < set.size(); ++piece)
      for (int64_t address :
           addressesOf(PieceSet(set[piece].piece()), Side::Dst)) {
        at[address].insert(claims[piece]);
        pieces[address].insert(piece);
        conflict |= at[address].size() > 1;
      }
    auto found = checkHomogeneous(set, Side::Dst, claims);
    ASSERT_EQ(found.has_value(), conflict) << text(set);
    if (found) {
      EXPECT_NE(claims[found->first], claims[found->second]) << text(set);
      EXPECT_TRUE(pieces[found->address].count(found->first)) << text(set);
      EXPECT_TRUE(pieces[found->address].count(found->second)) << text(set);
    }
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i;
      return;
    }
  }
}
} // namespace
