//===- ComposeTest.cpp - One relation after another -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compose.h"
#include "Enumerate.h"
#include "aoa/Affine/Invert.h"
#include "aoa/Affine/Split.h"

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

/// The same where the first relation reads elements again and again, too: a
/// repeat of a repeat.
TEST(Compose, AllPairsOfSubviewsOfWhatIsRepeated) {
  for (unsigned rank = 0; rank <= 2; ++rank)
    forEachShape(rank, 1, 3, [&](auto shape) {
      forEachSubview(shape, false, [&](auto block, const StridedView &ofA) {
        for (unsigned still = 0; still < 1u << rank; ++still) {
          Piece aToB{Extents(block), wholeView(block), ofA};
          for (unsigned dim = 0; dim < rank; ++dim)
            if (still >> dim & 1)
              aToB.src.strides[dim] = 0;
          forEachSubview(shape, true, [&](auto blockOfC, const StridedView &b) {
            forEachOrder(rank, [&](auto order) {
              check(
                  aToB,
                  {Extents(blockOfC), b, {7, stridesInOrder(blockOfC, order)}});
            });
          });
        }
      });
    });
}

TEST(Compose, RandomSetsOfRepeats) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(30000); i < cases; ++i) {
    auto still = [&](Piece piece) {
      for (int64_t &stride : piece.src.strides)
        stride = random.chance(3) ? 0 : stride;
      return piece;
    };
    auto addTo = [&](PieceSet &set, const Piece &piece) {
      for (const Piece &part : random.cutAtRandom(piece, random.number(0, 4)))
        set.add(part, random.number(0, 3));
    };
    Extents shape = random.shape(4, 4);
    PieceSet aToB, bToC;
    addTo(aToB, still(random.pieceOf(shape, Side::Dst)));
    // Several that read the same.
    for (int64_t n = random.number(1, 3); n > 0; --n)
      addTo(bToC, still(random.chance(3) ? random.piece(3, 4, true)
                                         : random.pieceOf(shape, Side::Src)));
    ASSERT_EQ(pairsOf(*compose(aToB, bToC, combine)),
              composed(pairsOf(aToB), pairsOf(bToC)))
        << text(aToB) << "\n"
        << text(bToC);
    ASSERT_EQ(countComposed(aToB, bToC),
              static_cast<int64_t>(compose(aToB, bToC, combine)->size()));
  }
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

/// A grid of a row-major tensor, from a shard each to the tensor, its planes at
/// random; some parts may be missing, or cut once more.
PieceSet randomGrid(Random &random, llvm::ArrayRef<int64_t> shape) {
  std::vector<Piece> parts = {identityPiece(shape)};
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    std::vector<Piece> cut;
    // Planes through all parts, or others through each.
    bool isGrid = !random.chance(3);
    auto cutsOf = [&] {
      Extents cuts;
      for (int64_t at = 1; at < shape[dim]; ++at)
        if (random.chance(3))
          cuts.push_back(at);
      return cuts;
    };
    Extents cuts = cutsOf();
    for (const Piece &part : parts)
      for (const Piece &half : split(part, dim, isGrid ? cuts : cutsOf()))
        cut.push_back(half);
    parts = std::move(cut);
  }
  if (random.chance(3))
    random.shuffle(parts);
  PieceSet set;
  for (Piece &part : parts) {
    if (random.chance(12))
      continue;
    part.src = {random.number(0, 9), random.strides(part.shape)};
    set.add(random.chance(2) ? part : foldDims(part), random.number(0, 9));
  }
  return set;
}

TEST(Compose, RandomGrids) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0, cases = numRandomCases(10000); i < cases; ++i) {
    Extents shape;
    for (int64_t dim = random.number(1, 3); dim > 0; --dim)
      shape.push_back(random.number(1, dim == 1 ? 12 : 6));
    PieceSet aToB = randomGrid(random, shape);
    PieceSet bToC = invert(randomGrid(random, shape));
    ASSERT_EQ(pairsOf(composeSets(aToB, bToC)),
              composed(pairsOf(aToB), pairsOf(bToC)))
        << text(aToB) << "\n"
        << text(bToC);
  }
}

TEST(Compose, KeepsNoMoreThanTheLimit) {
  PieceSet aToB, bToC;
  for (int64_t i = 0; i < 10; ++i) {
    aToB.add(Piece{{3}, {0, {1}}, {3 * i, {1}}});
    bToC.add(Piece{{5}, {5 * i, {1}}, {0, {1}}});
  }
  EXPECT_EQ(countComposed(aToB, bToC), 14);
  EXPECT_EQ(countComposed(aToB, bToC, 14), 14);
  EXPECT_EQ(countComposed(aToB, bToC, 6), 6);
  EXPECT_EQ(countComposed(aToB, bToC, 0), 0);
  EXPECT_TRUE(compose(aToB, bToC, combine, {.maxPieces = 14}));
  auto refused = compose(aToB, bToC, combine, {.maxPieces = 13});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::Limit);
  EXPECT_EQ(refused.error().str(),
            "composing 10 with 10 pieces gives more than the limit of 13");
  // Where there is no order to sweep in, too.
  bToC.add(Piece{{50}, {0, {1}}, {0, {1}}});
  EXPECT_EQ(countComposed(aToB, bToC), 24);
  EXPECT_EQ(countComposed(aToB, bToC, 23), 23);
  EXPECT_FALSE(compose(aToB, bToC, combine, {.maxPieces = 23}));
  EXPECT_TRUE(compose(aToB, bToC, combine, {.maxPieces = 24}));
}

/// Twelve dimensions of 2, written in order, read in reverse, and in halves.
TEST(Compose, TwelveDimensions) {
  Extents shape(12, 2);
  std::vector<unsigned> reversed;
  for (unsigned dim = 12; dim-- > 0;)
    reversed.push_back(dim);
  Piece whole = identityPiece(shape);
  Piece read{shape, whole.src, {0, stridesInOrder(shape, reversed)}};
  EXPECT_EQ(check(permuted(whole, reversed), read).size(), 1u);
  PieceSet halves;
  for (const Piece &half : split(whole, 5, {1}))
    halves.add(half);
  PieceSet result = composeSets(halves, PieceSet(permuted(read, reversed)));
  EXPECT_EQ(result.size(), 2u);
  EXPECT_EQ(pairsOf(result), composed(pairsOf(halves), pairsOf(read)));
  // A flat range meets it in at most two boxes a dimension.
  EXPECT_LE(check({{3001}, {0, {1}}, {517, {1}}}, read).size(), 23u);
}

TEST(Compose, NestedStridesAreNotUnfolded) {
  // Heads of 64 of q, k and v interleaved in groups, read as rows of 3·64.
  Piece heads{{512, 64, 4096},
              {0, {64 * 4096, 4096, 1}},
              {64 * 4096, {3 * 64 * 4096, 4096, 1}}};
  Piece rows{{1536, 64 * 4096}, {0, {64 * 4096, 1}}, {0, {1, 1536}}};
  PieceSet result = composePieces(heads, rows);
  EXPECT_EQ(result.size(), 1u);
  EXPECT_EQ(result.numElements(), int64_t(512) * 64 * 4096);
  EXPECT_EQ(composeSets(PieceSet(heads), PieceSet(rows)), result);
}

TEST(Compose, StridesThatDoNotNestArePeeled) {
  // Columns of rows of 6 against columns of rows of 4: the shorter unfolds.
  Piece sixes{{40, 3}, {0, {3, 1}}, {1, {6, 1}}};
  Piece fours{{60, 2}, {0, {4, 1}}, {0, {2, 1}}};
  PieceSet result = check(sixes, fours);
  EXPECT_GT(result.size(), 1u);
  EXPECT_LE(result.size(), 120u);
  // A view that overlaps itself.
  check({{3, 3}, {0, {3, 1}}, {0, {2, 1}}}, {{9}, {0, {1}}, {0, {1}}});
  check({{3, 4}, {0, {4, 1}}, {0, {1, 1}}}, {{9}, {0, {1}}, {0, {1}}});
}

double secondsOf(llvm::function_ref<void()> run) {
  auto begin = std::chrono::steady_clock::now();
  run();
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - begin;
  return taken.count();
}

TEST(Compose, HugeExtentsCostWhatSmallOnesDo) {
  int64_t rows = 3'000'000, columns = 1'000'001;
  Piece aToB{{rows, columns}, {0, {columns, 1}}, {0, {columns, 1}}};
  Piece transposed{{rows, columns}, {0, {columns, 1}}, {0, {1, rows}}};
  Piece range{{int64_t(2'000'000'000'003)}, {0, {1}}, {777, {1}}};
  EXPECT_LT(secondsOf([&] {
              EXPECT_EQ(composePieces(aToB, transposed).size(), 1u);
              EXPECT_EQ(composePieces(range, transposed).size(), 3u);
              EXPECT_EQ(composePieces(range, transposed).numElements(),
                        range.shape[0]);
            }),
            0.05);
  // As far as addresses reach.
  int64_t end = (int64_t(1) << 62) - 1;
  Piece far{{end}, {0, {1}}, {0, {1}}};
  Piece sparse{{2, 2}, {0, {end / 2, 1}}, {0, {end / 2, 1}}};
  EXPECT_EQ(composePieces(far, far).numElements(), end);
  EXPECT_EQ(composePieces(far, sparse).numElements(), 4);
  EXPECT_EQ(composePieces(sparse, far).numElements(), 4);
}

/// Tensors of row lengths that do not nest, one behind the other.
TEST(Compose, EachTensorOfABufferHasDigitsOfItsOwn) {
  PieceSet aToB, bToC;
  int64_t base = 3;
  for (int64_t columns = 20; columns < 40; ++columns) {
    int64_t rows = 200;
    for (int64_t part = 0; part < 2; ++part) {
      int64_t half = columns / 2;
      aToB.add(Piece{{rows, half},
                     {0, {half, 1}},
                     {base + part * half, {columns, 1}}},
               part);
      bToC.add(
          Piece{{rows, 10}, {base + part * 10, {columns, 1}}, {0, {1, rows}}});
    }
    base += rows * columns + columns % 3;
  }
  PieceSet result = composeSets(aToB, bToC);
  EXPECT_EQ(pairsOf(result), composed(pairsOf(aToB), pairsOf(bToC)));
  auto size = static_cast<int64_t>(result.size());
  EXPECT_TRUE(compose(aToB, bToC, combine, {.maxPieces = size}));
  EXPECT_FALSE(compose(aToB, bToC, combine, {.maxPieces = size - 1}));
  EXPECT_EQ(countComposed(aToB, bToC, size - 1), size - 1);
  // Two parts by two, and where a row of the digits ends within one.
  EXPECT_LE(result.size(), 20u * 6);
}

/// Bands that meet a few of many: neither side may be walked through each time.
TEST(Compose, ADiagonalIsNotAllPairs) {
  int64_t count = 50'000;
  PieceSet columns, diagonal;
  for (int64_t i = 0; i < count; ++i) {
    columns.add(Piece{{count, 2}, {0, {2, 1}}, {2 * i, {2 * count, 1}}});
    diagonal.add(
        Piece{{1, 2}, {2 * count * i + 2 * i, {2 * count, 1}}, {0, {2, 1}}});
  }
  EXPECT_LT(secondsOf([&] {
              EXPECT_EQ(composeSets(columns, diagonal).size(), size_t(count));
              EXPECT_EQ(composeSets(invert(diagonal), invert(columns)).size(),
                        size_t(count));
            }),
            5);
}

/// Parts that no order of digits makes bands of: columns cut at rows of their
/// own, in an order of their own.
TEST(Compose, StaggeredColumns) {
  Random random;
  SCOPED_TRACE(random.trace());
  int64_t width = 200, height = 1000;
  auto staggered = [&] {
    std::vector<Piece> parts;
    for (int64_t column = 0; column < width; ++column)
      for (int64_t row = 0, next = 0; row < height; row = next) {
        next = std::min(height, row + random.number(1, 19));
        parts.push_back(
            {{next - row}, {0, {1}}, {row * width + column, {width}}});
      }
    random.shuffle(parts);
    PieceSet set;
    for (const Piece &part : parts)
      set.add(part);
    return set;
  };
  PieceSet aToB = staggered(), bToC = invert(staggered());
  EXPECT_LT(secondsOf([&] {
              PieceSet result = composeSets(aToB, bToC);
              EXPECT_EQ(result.numElements(), width * height);
              EXPECT_LE(result.size(), aToB.size() + bToC.size());
            }),
            5);
}
} // namespace
