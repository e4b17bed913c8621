//===- SplitTest.cpp - Pieces cut, sides exchanged --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Split.h"
#include "Enumerate.h"
#include "aoa/Affine/Invert.h"

#include <gtest/gtest.h>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
TEST(Split, TheExampleOfTheHeader) {
  Piece piece{{5}, {10, {2}}, {0, {3}}};
  PieceSet parts;
  for (const Piece &part : split(piece, 0, {2, 3}))
    parts.add(part);
  EXPECT_EQ(text(parts), "piece [2] src{10 : 2} dst{0 : 3} #0\n"
                         "piece [1] src{14 : 2} dst{6 : 3} #0\n"
                         "piece [2] src{16 : 2} dst{9 : 3} #0\n");
}

/// Every shape, every dimension, every set of cuts.
TEST(Split, AllCutsOfAllShapes) {
  for (unsigned rank = 1; rank <= 3; ++rank)
    forEachShape(rank, 0, 4, [&](auto shape) {
      forEachOrder(rank, [&](auto order) {
        Piece piece = identityPiece(shape);
        piece.dst = {3, stridesInOrder(shape, order)};
        for (unsigned dim = 0; dim < rank; ++dim) {
          unsigned numPlaces = shape[dim] > 1 ? shape[dim] - 1 : 0;
          for (unsigned places = 0; places < 1u << numPlaces; ++places) {
            Extents cuts;
            for (unsigned i = 0; i < numPlaces; ++i)
              if (places >> i & 1)
                cuts.push_back(i + 1);
            PieceSet parts;
            for (const Piece &part : split(piece, dim, cuts))
              parts.add(part);
            EXPECT_EQ(parts.size(), cuts.size() + 1);
            EXPECT_EQ(pairsOf(parts), pairsOf(piece));
          }
        }
      });
    });
}

TEST(Invert, ExchangesTheSides) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int i = 0; i < 1000; ++i) {
    PieceSet set;
    for (int j = 0; j < 8; ++j)
      set.add(random.piece(4, 3, true), random.number(0, 3));
    Pairs expected;
    for (const Pair &pair : pairsOf(set))
      expected.push_back({pair.dst, pair.src, pair.tag});
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(pairsOf(invert(set)), expected);
    ASSERT_EQ(invert(invert(set)), set);
    ASSERT_EQ(pairsOf(invert(set[0].piece()), set[0].tag),
              pairsOf(PieceSet(invert(set)[0].piece(), set[0].tag)));
  }
}
} // namespace
