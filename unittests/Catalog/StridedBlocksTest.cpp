//===- StridedBlocksTest.cpp - Strided views and blocks ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/StridedBlocks.h"

#include "aoa/Support/CheckedMath.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

using namespace aoa;

namespace {

/// Shard address → full address, of every element of a piece.
std::map<int64_t, int64_t> relationOf(const StridedBlock &piece) {
  std::vector<std::pair<int64_t, int64_t>> all = {
      {piece.shardOffset, piece.fullOffset}};
  for (size_t dim = 0; dim < piece.shape.size(); ++dim) {
    std::vector<std::pair<int64_t, int64_t>> next;
    for (auto [shard, full] : all)
      for (int64_t i = 0; i < piece.shape[dim]; ++i)
        next.emplace_back(shard + i * piece.shardStrides[dim],
                          full + i * piece.fullStrides[dim]);
    all = std::move(next);
  }
  return {all.begin(), all.end()};
}

Shape randomShape(std::mt19937_64 &random, size_t rank) {
  Shape shape;
  while (shape.size() < rank)
    shape.push_back(static_cast<int64_t>(1 + random() % 4));
  return shape;
}

// A box written with its dimensions in any order, merged or cut in two, is
// still found, and the block is the same relation.
TEST(AsBlock, FindsEveryBox) {
  uint64_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20000; ++round) {
    size_t rank = random() % 5;
    Shape full = randomShape(random, rank), local = full;
    Block block{Shape(rank), Shape(rank), Shape(rank)};
    for (size_t dim = 0; dim < rank; ++dim) {
      if (random() % 2)
        local[dim] = static_cast<int64_t>(1 + random() % 5);
      int64_t most = std::min(full[dim], local[dim]);
      block.shape[dim] =
          random() % 2 ? most
                       : static_cast<int64_t>(1 + random() % uint64_t(most));
      auto below = [&](int64_t extent) {
        return static_cast<int64_t>(
            random() % static_cast<uint64_t>(extent - block.shape[dim] + 1));
      };
      block.fullOffset[dim] = below(full[dim]);
      block.localOffset[dim] = below(local[dim]);
    }
    StridedBlock piece = stridedOf(block, full, local);
    auto relation = relationOf(piece);
    for (size_t i = 0; i < piece.shape.size(); ++i) {
      if (random() % 4 == 0 && piece.shape[i] % 2 == 0) { // Cut in two.
        piece.shape[i] /= 2;
        piece.shape.push_back(2);
        piece.fullStrides.push_back(piece.fullStrides[i] * piece.shape[i]);
        piece.shardStrides.push_back(piece.shardStrides[i] * piece.shape[i]);
      }
      size_t j = random() % piece.shape.size();
      std::swap(piece.shape[i], piece.shape[j]);
      std::swap(piece.fullStrides[i], piece.fullStrides[j]);
      std::swap(piece.shardStrides[i], piece.shardStrides[j]);
    }
    ASSERT_EQ(relationOf(piece), relation);
    auto found = asBlock(piece, full, local);
    ASSERT_TRUE(found) << formatShape(full) << formatShape(local);
    ASSERT_EQ(relationOf(stridedOf(*found, full, local)), relation);
    // A dimension of extent 1 in the tensor may be longer in the shard; but for
    // that the block is the only one.
    ASSERT_EQ(asBlock(stridedOf(*found, full, local), full, local), found);
  }
}

// Whatever is called a block must be the same relation.
TEST(AsBlock, IsNeverAnotherRelation) {
  uint64_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  int numBlocks = 0, numStrided = 0;
  for (int round = 0; round < 50000; ++round) {
    size_t rank = random() % 4;
    Shard shard;
    Shape full = randomShape(random, rank);
    shard.localShape = random() % 2 ? full : randomShape(random, rank);
    StridedBlock piece;
    auto pick = [&](const Shape &shape) {
      int64_t most = *checkedNumElements(shape);
      return static_cast<int64_t>(random() % static_cast<uint64_t>(most));
    };
    for (size_t dims = random() % 4; dims != 0; --dims) {
      piece.shape.push_back(static_cast<int64_t>(1 + random() % 3));
      piece.fullStrides.push_back(pick(full));
      piece.shardStrides.push_back(random() % 2 ? piece.fullStrides.back()
                                                : pick(shard.localShape));
    }
    piece.fullOffset = random() % 2 ? 0 : pick(full);
    piece.shardOffset = random() % 2 ? 0 : pick(shard.localShape);
    if (!addPiece(shard, full, piece))
      continue;
    if (shard.blocks.empty()) {
      ++numStrided;
      continue;
    }
    ++numBlocks;
    const Block &block = shard.blocks[0];
    for (size_t dim = 0; dim < rank; ++dim) {
      ASSERT_LE(block.fullOffset[dim] + block.shape[dim], full[dim]);
      ASSERT_LE(block.localOffset[dim] + block.shape[dim],
                shard.localShape[dim]);
    }
    ASSERT_EQ(relationOf(stridedOf(block, full, shard.localShape)),
              relationOf(piece));
  }
  EXPECT_GT(numBlocks, 1000);
  EXPECT_GT(numStrided, 1000);
}

TEST(AddPiece, KeepsWhatIsNoBox) {
  Shard shard;
  shard.localShape = {5};
  ASSERT_TRUE(addPiece(shard, {4, 3}, {{5}, 2, {1}, 0, {1}}));
  EXPECT_TRUE(shard.blocks.empty());
  EXPECT_EQ(shard.strided.size(), 1u);
  ASSERT_TRUE(addPiece(shard, {4, 3}, {{0, 5}, 99, {1, 1}, 99, {1, 1}}));
  EXPECT_EQ(shard.strided.size(), 1u);

  Shard rows;
  rows.localShape = {2, 3};
  ASSERT_TRUE(addPiece(rows, {4, 3}, {{6}, 6, {1}, 0, {1}}));
  EXPECT_EQ(rows.blocks, (std::vector<Block>{{{2, 0}, {0, 0}, {2, 3}}}));
  Shard scalar;
  ASSERT_TRUE(addPiece(scalar, {}, {{}, 0, {}, 0, {}}));
  EXPECT_EQ(scalar.blocks, (std::vector<Block>{{{}, {}, {}}}));
}

TEST(AddPiece, NamesTheAddressOutside) {
  Shard shard;
  shard.localShape = {2, 3};
  auto error = [&](const StridedBlock &piece) {
    auto added = addPiece(shard, {4, 3}, piece);
    EXPECT_FALSE(added);
    return added ? "" : added.error().str();
  };
  EXPECT_EQ(error({{2}, 11, {1}, 0, {1}}),
            "reaches address 12 of the tensor, which has shape [4, 3] and 12 "
            "elements");
  EXPECT_EQ(error({{2}, 0, {1}, 4, {2}}),
            "reaches address 6 of the shard, which has shape [2, 3] and 6 "
            "elements");
  EXPECT_EQ(error({{3}, 0, {INT64_MAX}, 0, {1}}),
            "reaches an address beyond 64 bits of the tensor, which has shape "
            "[4, 3] and 12 elements");
}

TEST(CheckGivenOnce, NamesTheElement) {
  auto check = [](const std::vector<StridedBlock> &pieces, bool mayPad) {
    Shard shard;
    shard.localShape = {2, 3};
    for (const StridedBlock &piece : pieces)
      EXPECT_TRUE(addPiece(shard, {4, 3}, piece));
    auto checked = checkGivenOnce(shard, {4, 3}, mayPad);
    return checked ? "" : checked.error().str();
  };
  EXPECT_EQ(check({{{2, 3}, 0, {3, 1}, 0, {3, 1}}}, false), "");
  EXPECT_EQ(check({{{3, 2}, 0, {1, 3}, 0, {2, 1}}}, false), "");
  EXPECT_EQ(check({{{5}, 0, {1}, 0, {1}}}, true), "");
  EXPECT_EQ(check({{{5}, 0, {1}, 0, {1}}}, false),
            "no piece gives element [1, 2] of the shard [2, 3]");
  EXPECT_EQ(check({{{5}, 1, {1}, 0, {1}}, {{2}, 9, {1}, 4, {1}}}, true),
            "the pieces that begin at [3, 0] and [0, 1] of the tensor both "
            "give element [1, 1] of the shard [2, 3]");
  EXPECT_EQ(check({{{2}, 9, {1}, 4, {0}}}, true),
            "the piece that begins at [3, 0] of the tensor gives element "
            "[1, 1] of the shard [2, 3] twice");
}

} // namespace
