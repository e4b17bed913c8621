//===- ComposeTest.cpp - One relation after another -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compose.h"
#include "Enumerate.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
PieceSet::Tag combine(PieceSet::Tag a, PieceSet::Tag c) { return 1000 * a + c; }

PieceSet composeSets(const PieceSet &aToB, const PieceSet &bToC) {
  Expected<PieceSet> result = compose(aToB, bToC, combine);
  EXPECT_TRUE(result);
  EXPECT_EQ(countComposed(aToB, bToC), static_cast<int64_t>(result->size()));
  return std::move(*result);
}

PieceSet composePieces(const Piece &aToB, const Piece &bToC) {
  PieceSet result;
  compose(aToB, bToC, [&](const Piece &piece) { result.add(piece); });
  return result;
}

/// Composes both ways and compares with the elements. Returns the set's.
PieceSet check(const Piece &aToB, const Piece &bToC) {
  Pairs expected = composed(pairsOf(aToB), pairsOf(bToC));
  PieceSet result = composeSets(PieceSet(aToB), PieceSet(bToC));
  EXPECT_EQ(pairsOf(result), expected) << text(aToB) << "\n" << text(bToC);
  PieceSet single = composePieces(aToB, bToC);
  EXPECT_EQ(pairsOf(single), expected) << text(aToB) << "\n" << text(bToC);
  for (size_t i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i].piece(), foldDims(result[i].piece()));
  return result;
}

TEST(Compose, TheExampleOfTheHeader) {
  Piece aToB{{4, 2}, {0, {2, 1}}, {1, {4, 1}}};
  Piece bToC{{2, 4}, {0, {4, 1}}, {0, {1, 2}}};
  EXPECT_EQ(text(check(aToB, bToC)),
            "piece [2, 2] src{0 : 1, 2} dst{2 : 2, 1} #0\n");
}

TEST(Compose, NothingWhereNothingMeets) {
  Piece low{{4}, {0, {1}}, {0, {1}}}, high{{4}, {4, {1}}, {0, {1}}};
  EXPECT_EQ(check(low, high).size(), 0u);
  Piece empty{{0}, {0, {1}}, {0, {1}}};
  EXPECT_EQ(check(low, empty).size(), 0u);
  EXPECT_EQ(check(empty, low).size(), 0u);
}

/// Tensors of up to 2 dimensions: every sub-view written against every sub-view
/// read, repeats among them, read in every order of dimensions.
TEST(Compose, AllPairsOfSubviews) {
  for (unsigned rank = 0; rank <= 2; ++rank)
    forEachShape(rank, 1, 4, [&](auto shape) {
      forEachSubview(shape, false, [&](auto block, const StridedView &ofA) {
        Piece aToB{Extents(block), wholeView(block), ofA};
        aToB.src.offset = 5;
        forEachSubview(shape, true, [&](auto blockOfC, const StridedView &b) {
          forEachOrder(rank, [&](auto order) {
            check(aToB,
                  {Extents(blockOfC), b, {7, stridesInOrder(blockOfC, order)}});
          });
        });
      });
    });
}

TEST(Compose, AllSubviewsOfThreeDimensions) {
  Random random;
  SCOPED_TRACE(random.trace());
  forEachShape(3, 1, 4, [&](auto shape) {
    forEachSubview(shape, false, [&](auto block, const StridedView &view) {
      Piece part{Extents(block), wholeView(block), view};
      std::vector<unsigned> order = random.order(3);
      Piece whole{Extents(shape), wholeView(shape), {}};
      whole.dst.strides = stridesInOrder(shape, order);
      PieceSet result = check(permuted(part, order), whole);
      // A step cuts the whole at its digit; boxes stay whole.
      bool isBox = true;
      for (unsigned dim = 0; dim < 3; ++dim)
        isBox &= view.strides[dim] == whole.src.strides[dim];
      if (isBox) {
        EXPECT_EQ(result.size(), part.isEmpty() ? 0u : 1u);
      }
      check(part, random.pieceOf(shape, Side::Src));
      std::swap(part.src, part.dst);
      std::swap(whole.src, whole.dst);
      check(whole, part);
    });
  });
}

/// Whole tensors of every shape in every order, cut at every plane.
TEST(Compose, AllSplitsOfAllPermutations) {
  for (unsigned rank = 0; rank <= 3; ++rank)
    forEachShape(rank, 0, 4, [&](auto shape) {
      Piece whole = identityPiece(shape);
      for (unsigned dim = 0; dim < rank; ++dim)
        for (int64_t at = 1; at < shape[dim]; ++at) {
          PieceSet halves;
          for (bool second : {false, true}) {
            Piece half = whole;
            half.shape[dim] = second ? shape[dim] - at : at;
            half.src.offset = half.dst.offset =
                second ? at * whole.src.strides[dim] : 0;
            halves.add(half, second);
          }
          forEachOrder(rank, [&](auto order) {
            Piece read{Extents(shape), whole.src, {3, {}}};
            read.dst.strides = stridesInOrder(shape, order);
            PieceSet set(permuted(read, order), 5);
            PieceSet result = composeSets(halves, set);
            EXPECT_EQ(pairsOf(result), composed(pairsOf(halves), pairsOf(set)));
            EXPECT_EQ(result.size(), whole.isEmpty() ? 0u : 2u);
          });
        }
    });
}

PieceSet randomSet(Random &random, const Piece &piece) {
  PieceSet set;
  for (const Piece &part : random.cutAtRandom(piece, random.number(0, 6)))
    set.add(part, random.number(0, 3));
  return set;
}

/// Shapes of one number of elements, so that two views of a buffer are as
/// different as reshapes are.
Extents reshaped(Random &random, llvm::ArrayRef<int64_t> shape) {
  Extents result;
  for (int64_t extent : shape) {
    if (!result.empty() && random.chance(3))
      result.back() *= extent;
    else
      result.push_back(extent);
  }
  if (random.chance(2))
    std::reverse(result.begin(), result.end());
  return result;
}

TEST(Compose, RandomSets) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(100000); i < cases; ++i) {
    Extents shape = random.shape(6, random.chance(3) ? 4 : 3);
    PieceSet aToB = randomSet(random, random.pieceOf(shape, Side::Dst));
    PieceSet bToC = randomSet(
        random, random.chance(4)
                    ? random.piece(3, 4, true)
                    : random.pieceOf(reshaped(random, shape), Side::Src));
    ASSERT_EQ(pairsOf(composeSets(aToB, bToC)),
              composed(pairsOf(aToB), pairsOf(bToC)))
        << text(aToB) << "\n"
        << text(bToC);
  }
}

TEST(Compose, RandomPieces) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(100000); i < cases; ++i) {
    Piece aToB = random.piece(4, 4), bToC = random.piece(4, 4, true);
    check(aToB, bToC);
    if (HasFailure())
      return;
  }
}
} // namespace
