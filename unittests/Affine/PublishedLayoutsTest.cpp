//===- PublishedLayoutsTest.cpp - The laws on published layouts -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// test/Inputs/layouts.json: what each rank holds of a tensor, as the elements
// of its shard (`indices`), as pieces, and who else holds each piece.
//===----------------------------------------------------------------------===//

#include "Enumerate.h"
#include "aoa/Affine/Cover.h"
#include "aoa/Affine/Holders.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
using Ranks = std::vector<uint32_t>;
using llvm::json::Array;
using llvm::json::Object;

template <typename List = Extents> List numbers(const Array &array) {
  List list;
  for (const llvm::json::Value &value : array)
    list.push_back(*value.getAsInteger());
  return list;
}

struct RankPart {
  uint32_t rank;
  Extents shape;
  std::vector<int64_t> indices;
  PieceSet pieces; ///< From the tensor to the shard.
  std::vector<Ranks> locations;
};

struct PublishedLayout {
  std::string id;
  Extents shape;
  bool coversTensor;
  std::vector<RankPart> parts;
};

StridedView viewOf(const Array &array) {
  return {*array[0].getAsInteger(), numbers(*array[1].getAsArray())};
}

std::vector<PublishedLayout> readLayouts() {
  std::ifstream file(AOA_TEST_INPUTS "/layouts.json");
  std::stringstream text;
  text << file.rdbuf();
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text.str());
  if (!document) {
    ADD_FAILURE() << llvm::toString(document.takeError());
    return {};
  }
  std::vector<PublishedLayout> layouts;
  for (const auto &each : *document->getAsObject()->getArray("layouts")) {
    const Object &entry = *each.getAsObject();
    PublishedLayout layout{entry.getString("id")->str(),
                           numbers(*entry.getArray("logical_shape")),
                           *entry.getBoolean("covers_F"),
                           {}};
    for (const auto &[name, value] : *entry.getObject("ranks")) {
      const Object &rank = *value.getAsObject();
      RankPart part{static_cast<uint32_t>(std::stoul(name.str())),
                    numbers(*rank.getArray("shard_shape")),
                    numbers<std::vector<int64_t>>(*rank.getArray("indices")),
                    {},
                    {}};
      for (const auto &listed : *rank.getArray("pieces")) {
        const Object &piece = *listed.getAsObject();
        part.pieces.add(Piece{numbers(*piece.getArray("shape")),
                              viewOf(*piece.getArray("source")),
                              viewOf(*piece.getArray("dest"))},
                        part.rank);
        part.locations.push_back(numbers<Ranks>(*piece.getArray("locations")));
      }
      layout.parts.push_back(std::move(part));
    }
    llvm::sort(layout.parts, [](const RankPart &a, const RankPart &b) {
      return a.rank < b.rank;
    });
    layouts.push_back(std::move(layout));
  }
  return layouts;
}

/// Joins pieces that continue along their first dimension on both sides: what a
/// rank holds without regard to the others.
PieceSet joined(const PieceSet &pieces) {
  PieceSet result;
  for (size_t i = 0; i < pieces.size(); ++i) {
    Piece piece = pieces[i].piece();
    while (i + 1 < pieces.size() && piece.rank() > 0) {
      PieceRef next = pieces[i + 1];
      if (next.srcStrides != llvm::ArrayRef<int64_t>(piece.src.strides) ||
          next.dstStrides != llvm::ArrayRef<int64_t>(piece.dst.strides) ||
          next.shape.drop_front() !=
              llvm::ArrayRef<int64_t>(piece.shape).drop_front() ||
          next.srcOffset !=
              piece.src.offset + piece.shape[0] * piece.src.strides[0] ||
          next.dstOffset !=
              piece.dst.offset + piece.shape[0] * piece.dst.strides[0])
        break;
      piece.shape[0] += next.shape[0];
      ++i;
    }
    result.add(piece, pieces[i].tag);
  }
  return result;
}

TEST(PublishedLayouts, AreCoveredAndHomogeneous) {
  std::vector<PublishedLayout> layouts = readLayouts();
  EXPECT_GE(layouts.size(), 35u);
  bool sawOverlap = false;
  for (const PublishedLayout &layout : layouts) {
    SCOPED_TRACE(layout.id);
    PieceSet all, firstHolders, uncut;
    RankSets rankSets;
    std::vector<RankSetId> claims;
    std::map<int64_t, Ranks> holders;
    int64_t numElements = 1;
    for (int64_t extent : layout.shape)
      numElements *= extent;
    for (const RankPart &part : layout.parts) {
      // The shard is covered, and by the right elements.
      EXPECT_EQ(checkCover(part.pieces, Side::Dst, part.shape), Coverage());
      Pairs expected;
      for (size_t i = 0; i < part.indices.size(); ++i)
        expected.push_back(
            {part.indices[i], static_cast<int64_t>(i), part.rank});
      llvm::sort(expected);
      EXPECT_EQ(pairsOf(part.pieces), expected);
      for (int64_t address : part.indices)
        holders[address].push_back(part.rank);
      for (size_t i = 0; i < part.pieces.size(); ++i) {
        all.add(part.pieces[i]);
        claims.push_back(rankSets.intern(part.locations[i]));
        if (part.locations[i].front() == part.rank)
          firstHolders.add(part.pieces[i]);
      }
      PieceSet own = joined(part.pieces);
      for (size_t i = 0; i < own.size(); ++i)
        uncut.add(own[i]);
    }
    EXPECT_EQ(checkHeld(all, Side::Src, numElements).kind ==
                  Coverage::Kind::Exact,
              layout.coversTensor);
    EXPECT_EQ(checkCover(firstHolders, Side::Src, layout.shape), Coverage());
    Coverage single = checkDisjoint(all, Side::Src, numElements);
    bool overlaps = llvm::any_of(
        holders, [](const auto &at) { return at.second.size() > 1; });
    EXPECT_EQ(single.kind,
              overlaps ? Coverage::Kind::Overlap : Coverage::Kind::Exact);
    if (llvm::StringRef(layout.id).starts_with("yuan_overlap")) {
      EXPECT_EQ(single.kind, Coverage::Kind::Overlap);
      EXPECT_GT(holders[single.address].size(), 1u);
      EXPECT_LT(uncut.size(), all.size());
      sawOverlap = true;
    }

    // The locations are right, and found again from what each rank holds.
    EXPECT_EQ(checkHomogeneous(all, Side::Src, claims), std::nullopt);
    std::vector<Ranks> ranks;
    for (uint32_t rank = 0; rank <= layout.parts.back().rank; ++rank)
      ranks.push_back({rank});
    HomogeneousSet split = splitHomogeneous(
        uncut, Side::Src,
        [&](PieceSet::Tag tag) { return llvm::ArrayRef<uint32_t>(ranks[tag]); },
        rankSets);
    EXPECT_EQ(pairsOf(split.pieces), pairsOf(all));
    EXPECT_LE(split.pieces.size(), all.size());
    for (size_t i = 0; i < split.pieces.size(); ++i)
      for (int64_t address :
           addressesOf(PieceSet(split.pieces[i].piece()), Side::Src))
        EXPECT_EQ(rankSets[split.holders[i]].vec(), holders[address]);
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(rankSets[claims[i]].vec(),
                holders[addressesOf(PieceSet(all[i].piece()), Side::Src)[0]]);
  }
  EXPECT_TRUE(sawOverlap);
}
} // namespace
