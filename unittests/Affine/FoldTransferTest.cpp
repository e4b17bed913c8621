//===- FoldTransferTest.cpp - Plans of published layouts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Transfers between tensor-parallel layouts, folded: never more pieces than the
// shortest of the known composers makes (DeepSpeed's planner with adjacency
// merging, its specification's composer, boxes folded first), whatever the size
// of a head or of the hidden dimension.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Compare.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Fold.h"
#include "aoa/Affine/Invert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace aoa::affine;

namespace {
/// Full tensor to shard, the rank as the tag.
using Layout = PieceSet;

/// A shard as a list of parts of one axis of F. Axis 0: rows.
class LayoutMaker {
public:
  LayoutMaker(int64_t rows, int64_t columns, unsigned axis)
      : rows(rows), columns(columns), axis(axis) {}

  struct Part {
    int64_t begin, extent;
    bool owned = true; ///< Whether no lower rank holds it.
  };
  void addRank(uint32_t rank, const std::vector<Part> &parts) {
    int64_t total = 0;
    for (const Part &part : parts)
      total += part.extent;
    int64_t at = 0;
    for (const Part &part : parts) {
      Piece piece;
      if (axis == 0)
        piece = {{part.extent, columns},
                 {part.begin * columns, {columns, 1}},
                 {at * columns, {columns, 1}}};
      else
        piece = {
            {rows, part.extent}, {part.begin, {columns, 1}}, {at, {total, 1}}};
      all.add(piece, rank);
      if (part.owned)
        owned.add(piece, rank);
      at += part.extent;
    }
  }

  Layout all, owned;

private:
  int64_t rows, columns;
  unsigned axis;
};

LayoutMaker codeGen(int64_t block, int64_t n, int64_t total, int64_t columns) {
  LayoutMaker layout(total * block, columns, 0);
  // Twelve blocks a rank, of the size that many ranks give.
  int64_t rows = total / (12 * n) * block;
  std::vector<LayoutMaker::Part> order;
  for (int64_t group = 0; group < 4; ++group)
    for (int64_t sub = 0; sub < n; ++sub)
      for (int64_t part = 0; part < 3; ++part)
        order.push_back({(3 * n * group + n * part + sub) * rows, rows});
  for (int64_t rank = 0; rank < n; ++rank)
    layout.addRank(
        rank, {order.begin() + 12 * rank, order.begin() + 12 * (rank + 1)});
  return layout;
}

LayoutMaker bigCode(int64_t queries, int64_t shared, int64_t n,
                    int64_t columns) {
  LayoutMaker layout(queries + shared, columns, 0);
  for (int64_t rank = 0; rank < n; ++rank)
    layout.addRank(rank, {{rank * queries / n, queries / n},
                          {queries, shared, rank == 0}});
  return layout;
}

LayoutMaker yuan(int64_t rows, int64_t heads, int64_t width, int64_t n) {
  LayoutMaker layout(rows, heads * width, 1);
  int64_t mine = heads / n;
  for (int64_t rank = 0; rank < n; ++rank) {
    std::vector<LayoutMaker::Part> parts;
    for (int64_t half : {int64_t(0), heads / 2})
      for (int64_t k = 0; k < (mine + 1) / 2; ++k)
        parts.push_back({((rank * mine + 2 * k) / 2 + half) * width, width});
    layout.addRank(rank, parts);
  }
  return layout;
}

LayoutMaker even(int64_t rows, int64_t columns, unsigned axis, int64_t n) {
  LayoutMaker layout(rows, columns, axis);
  int64_t extent = axis == 0 ? rows : columns;
  for (int64_t rank = 0; rank < n; ++rank) {
    int64_t begin = extent * rank / n;
    layout.addRank(rank, {{begin, extent * (rank + 1) / n - begin}});
  }
  return layout;
}

size_t countFolded(const LayoutMaker &source, const LayoutMaker &target) {
  auto transfer = compose(invert(source.owned), target.all,
                          [](uint32_t a, uint32_t b) { return a * 1000 + b; });
  EXPECT_TRUE(transfer.has_value());
  PieceSet folded = *transfer;
  fold(folded);
  EXPECT_TRUE(equivalent(folded, *transfer));
  EXPECT_EQ(folded.numElements(), target.all.numElements());
  return folded.size();
}

const int64_t scales[] = {1, 2, 3, 8, 64, 512};

TEST(FoldTransfer, CodeGenKeepsItsBlockPattern) {
  for (int64_t columns : scales)
    for (int64_t block : {1, 2, 8, 128}) {
      SCOPED_TRACE(std::to_string(columns) + ", " + std::to_string(block));
      auto four = codeGen(block, 4, 96, columns);
      auto eight = codeGen(block, 8, 96, columns);
      EXPECT_EQ(countFolded(four, eight), 8u);
      EXPECT_EQ(countFolded(eight, four), 8u);
    }
}

TEST(FoldTransfer, BigCodeJoinsQueriesAndSharedRows) {
  for (int64_t columns : scales)
    for (int64_t scale : {1, 8, 128}) {
      SCOPED_TRACE(std::to_string(columns) + ", " + std::to_string(scale));
      auto two = bigCode(32 * scale, 16 * scale, 2, columns);
      auto four = bigCode(32 * scale, 16 * scale, 4, columns);
      EXPECT_EQ(countFolded(two, four), 7u);
      EXPECT_EQ(countFolded(four, two), 6u);
    }
}

TEST(FoldTransfer, YuanHeadsStackAcrossHalves) {
  for (int64_t rows : {1, 8, 64, 4096, 65536})
    for (int64_t width : scales) {
      SCOPED_TRACE(std::to_string(rows) + ", " + std::to_string(width));
      auto two = yuan(rows, 8, width, 2);
      auto four = yuan(rows, 8, width, 4);
      EXPECT_EQ(countFolded(four, two), 4u);
      EXPECT_EQ(countFolded(two, four), 4u);
    }
}

TEST(FoldTransfer, RowsAgainstColumnsAreOnePieceAPair) {
  for (int64_t scale : scales) {
    EXPECT_EQ(countFolded(even(8 * scale, 8 * scale, 0, 2),
                          even(8 * scale, 8 * scale, 1, 4)),
              8u);
    EXPECT_EQ(countFolded(even(8 * scale, 8 * scale, 1, 4),
                          even(8 * scale, 8 * scale, 1, 2)),
              4u);
    EXPECT_EQ(
        countFolded(even(8 * scale + 3, 8, 0, 3), even(8 * scale + 3, 8, 0, 5)),
        7u);
  }
}
} // namespace
