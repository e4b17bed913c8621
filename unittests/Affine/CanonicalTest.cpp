//===- CanonicalTest.cpp - One form whatever the cuts -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Random sets of many kinds are folded; the result is cut up by planes, down to
// single indexes, shuffled, and must fold back to exactly the same text.
// AOA_FOLD_ROUNDS and AOA_FOLD_SEED run more of them.
//===----------------------------------------------------------------------===//

#include "Enumerate.h"

#include "aoa/Affine/Compare.h"
#include "aoa/Affine/Fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace aoa::affine;
using test::pairsOf;
using test::text;

namespace {
using Rng = std::mt19937_64;

int64_t pick(Rng &rng, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(rng() % (high - low + 1));
}

/// Row-major strides with some room between, for the dimensions in `order`,
/// outermost first.
Extents strides(Rng &rng, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<unsigned> order, int64_t maxGap) {
  Extents result(shape.size());
  int64_t stride = pick(rng, 0, 3) == 0 ? pick(rng, 1, 3) : 1;
  for (size_t i = order.size(); i-- > 0;) {
    result[order[i]] = stride;
    stride = stride * shape[order[i]] +
             (pick(rng, 0, 2) == 0 ? pick(rng, 0, maxGap) : 0);
  }
  return result;
}

llvm::SmallVector<unsigned, 8> permutation(Rng &rng, unsigned rank) {
  llvm::SmallVector<unsigned, 8> order(rank);
  for (unsigned i = 0; i < rank; ++i)
    order[i] = i;
  std::shuffle(order.begin(), order.end(), rng);
  return order;
}

std::pair<Piece, Piece> cutAt(const Piece &piece, unsigned dim, int64_t at) {
  Piece low = piece, high = piece;
  low.shape[dim] = at;
  high.shape[dim] -= at;
  high.src.offset += at * high.src.strides[dim];
  high.dst.offset += at * high.dst.strides[dim];
  return {low, high};
}

/// Cuts pieces of `pieces` in two, up to `numCuts` times.
void cutUp(Rng &rng, std::vector<Piece> &pieces, int64_t numCuts) {
  for (; numCuts > 0 && !pieces.empty(); --numCuts) {
    Piece &low = pieces[pick(rng, 0, pieces.size() - 1)];
    if (low.rank() == 0)
      continue;
    unsigned dim = pick(rng, 0, low.rank() - 1);
    if (low.shape[dim] < 2)
      continue;
    int64_t at = pick(rng, 1, low.shape[dim] - 1);
    auto [first, second] = cutAt(low, dim, at);
    low = first;
    pieces.push_back(second);
  }
}

struct Maker {
  Rng &rng;
  int64_t scale = 1; ///< Of the extents.
  std::vector<Piece> pieces;

  int64_t extent(int64_t low, int64_t high) {
    int64_t small = pick(rng, low, high);
    return pick(rng, 0, 3) ? small * scale + pick(rng, 0, scale - 1) : small;
  }
  Extents randomShape(unsigned maxRank, int64_t maxExtent) {
    Extents shape(pick(rng, 1, maxRank));
    for (int64_t &dim : shape)
      dim = extent(1, maxExtent);
    return shape;
  }

  void add(Piece piece, int64_t dst, int64_t src) {
    piece.dst.offset += dst;
    piece.src.offset += src;
    pieces.push_back(std::move(piece));
  }
  int64_t dstEnd() const {
    int64_t end = 0;
    for (const Piece &piece : pieces) {
      int64_t last = piece.dst.offset;
      for (unsigned i = 0; i < piece.rank(); ++i)
        last += (piece.shape[i] - 1) * piece.dst.strides[i];
      end = std::max(end, last + 1);
    }
    return end;
  }

  Piece block(unsigned maxRank, int64_t maxExtent) {
    Extents shape = randomShape(maxRank, maxExtent);
    Piece piece;
    piece.shape = shape;
    piece.dst.strides = strides(rng, shape, permutation(rng, shape.size()), 4);
    piece.src.strides = strides(rng, shape, permutation(rng, shape.size()), 4);
    if (pick(rng, 0, 9) == 0)
      piece.src.strides[pick(rng, 0, shape.size() - 1)] = 0;
    return piece;
  }

  /// A block, cut, some parts thrown away.
  void brokenBlock() {
    std::vector<Piece> parts = {block(4, 5)};
    cutUp(rng, parts, pick(rng, 0, 12));
    std::shuffle(parts.begin(), parts.end(), rng);
    for (int64_t n = pick(rng, 0, 3); n > 0 && parts.size() > 1; --n)
      parts.pop_back();
    int64_t dst = dstEnd() + pick(rng, 0, 2), src = pick(rng, 0, 50);
    for (Piece &part : parts)
      add(part, dst, src);
  }
  /// Blocks one after another.
  void row() {
    Piece piece = block(3, 4);
    int64_t dst = dstEnd() + pick(rng, 0, 2), src = pick(rng, 0, 9);
    int64_t span = 1;
    for (unsigned i = 0; i < piece.rank(); ++i)
      span += (piece.shape[i] - 1) * piece.dst.strides[i];
    span += pick(rng, 0, 2);
    int64_t step = pick(rng, 0, 30);
    for (int64_t n = pick(rng, 1, 5); n > 0; --n) {
      add(piece, dst, src);
      dst += span;
      src += pick(rng, 0, 3) ? step : pick(rng, 0, 60);
    }
  }
  /// Columns of one tensor, each with a map of its own, the width random.
  void columns() {
    int64_t rows = extent(1, 6), numColumns = pick(rng, 1, 4);
    std::vector<int64_t> widths;
    int64_t width = 0;
    for (int64_t i = 0; i < numColumns; ++i) {
      widths.push_back(extent(1, 4));
      width += widths.back();
    }
    int64_t dst = dstEnd(), at = 0;
    for (int64_t columnWidth : widths) {
      int64_t first = pick(rng, 0, 1), last = rows - pick(rng, 0, 1);
      if (first < last)
        add({{last - first, columnWidth},
             {0,
              {pick(rng, 0, 2) ? columnWidth : pick(rng, 0, 9),
               pick(rng, 0, 3) ? 1 : pick(rng, 0, 6)}},
             {0, {width, 1}}},
            dst + at + first * width, pick(rng, 0, 60));
      at += columnWidth;
    }
  }
  /// Boxes of one tensor under one map: an L, a frame, stairs.
  void boxes() {
    Piece whole = block(3, 5);
    std::vector<Piece> parts = {whole};
    cutUp(rng, parts, pick(rng, 1, 20));
    std::shuffle(parts.begin(), parts.end(), rng);
    int64_t keep = pick(rng, 1, parts.size());
    int64_t dst = dstEnd() + pick(rng, 0, 2), src = pick(rng, 0, 20);
    for (int64_t i = 0; i < keep; ++i)
      add(parts[i], dst, src);
  }
  /// A gather: blocks of src in a permuted order of two or three digits.
  void gather() {
    int64_t width = extent(1, 4);
    Extents digits;
    for (int64_t n = pick(rng, 2, 3); n > 0; --n)
      digits.push_back(pick(rng, 1, 3));
    int64_t count = 1;
    for (int64_t digit : digits)
      count *= digit;
    auto order = permutation(rng, digits.size());
    Extents gathered = strides(rng, digits, order, 0);
    int64_t dst = dstEnd(), src = pick(rng, 0, 9);
    for (int64_t n = 0; n < count; ++n) {
      int64_t rest = n, from = 0;
      for (unsigned i = digits.size(); i-- > 0; rest /= digits[i])
        from += rest % digits[i] * gathered[i];
      if (pick(rng, 0, 11))
        add({{width}, {0, {1}}, {0, {1}}}, dst + n * width, src + from * width);
    }
  }
  /// Rows taken in turn from several blocks.
  void interleaved() {
    int64_t numBlocks = pick(rng, 1, 4), rows = extent(1, 6),
            width = extent(1, 4);
    int64_t dst = dstEnd();
    for (int64_t b = 0; b < numBlocks; ++b) {
      int64_t src = pick(rng, 0, 1) ? b * rows * width : pick(rng, 0, 90);
      add({{rows - pick(rng, 0, rows > 1), width},
           {0, {width, 1}},
           {0, {numBlocks * width, 1}}},
          dst + b * width, src);
    }
  }
  /// Single elements and short runs, much of it by chance.
  void dust() {
    int64_t dst = dstEnd(), src = pick(rng, 0, 9);
    for (int64_t n = pick(rng, 1, 12); n > 0; --n) {
      int64_t count = pick(rng, 1, 3), step = pick(rng, 0, 2);
      add({{count}, {0, {step}}, {0, {1}}}, dst, src);
      dst += count + pick(rng, 0, 1);
      src += pick(rng, 0, 5);
    }
  }

  void one() {
    switch (pick(rng, 0, 6)) {
    case 0:
      return brokenBlock();
    case 1:
      return row();
    case 2:
      return columns();
    case 3:
      return boxes();
    case 4:
      return gather();
    case 5:
      return interleaved();
    default:
      return dust();
    }
  }
};

PieceSet setOf(llvm::ArrayRef<Piece> pieces) {
  PieceSet set;
  for (const Piece &piece : pieces)
    set.add(piece);
  return set;
}

uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *value = std::getenv(variable);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// Folds random sets; what comes out must come back from any cuts of it.
/// `tolerance` of 100 rounds may fail: in small relations none.
void checkRounds(uint64_t rounds, int64_t scale, uint64_t tolerance) {
  uint64_t seed = numberFrom("AOA_FOLD_SEED", 1);
  rounds = numberFrom("AOA_FOLD_ROUNDS", rounds);
  uint64_t failures = 0, longer = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE("AOA_FOLD_SEED=" + std::to_string(seed + round));
    Rng rng(seed + round);
    Maker maker{rng, scale, {}};
    for (int64_t n = pick(rng, 1, 3); n > 0; --n)
      maker.one();
    PieceSet given = setOf(maker.pieces);
    PieceSet folded = given;
    fold(folded);
    if (scale == 1) {
      ASSERT_EQ(pairsOf(folded), pairsOf(given)) << text(given);
    }
    ASSERT_TRUE(equivalent(folded, given)) << text(given) << text(folded);
    longer += folded.size() > given.size();
    PieceSet again = folded;
    fold(again);
    std::vector<Piece> parts;
    for (size_t i = 0; i < folded.size(); ++i)
      parts.push_back(folded[i].piece());
    cutUp(rng, parts,
          pick(rng, 0, 2) ? pick(rng, 0, 12)
                          : 300 / std::min<int64_t>(scale, 6));
    std::shuffle(parts.begin(), parts.end(), rng);
    PieceSet back = setOf(parts);
    fold(back);
    PieceSet other = given;
    std::shuffle(other.entries().begin(), other.entries().end(), rng);
    fold(other);
    if (text(again) != text(folded) || text(back) != text(folded) ||
        text(other) != text(folded)) {
      if (++failures <= rounds * tolerance / 100 || failures > 3)
        continue;
      ADD_FAILURE() << "folded\n"
                    << text(folded) << "again\n"
                    << text(again) << "cut\n"
                    << text(setOf(parts)) << "back\n"
                    << text(back) << "other\n"
                    << text(other);
    }
  }
  EXPECT_LE(failures * 100, rounds * tolerance) << failures;
  // A canonical form may need more pieces than a clever cut; not often.
  EXPECT_LE(longer * 40, rounds) << longer;
}

TEST(Canonical, EverySmallPieceComesBackFromEveryTwoCutsAndFromItsElements) {
  for (unsigned rank = 1; rank <= 3; ++rank)
    test::forEachShape(rank, 1, 4, [&](llvm::ArrayRef<int64_t> shape) {
      test::forEachOrder(rank, [&](llvm::ArrayRef<unsigned> order) {
        for (int64_t gap : {1, 2, 3}) {
          Piece piece{Extents(shape),
                      {5, test::stridesInOrder(shape, order)},
                      {3, rowMajorStrides(shape)}};
          for (int64_t &stride : piece.dst.strides)
            stride *= gap;
          piece.dst.strides[0] += gap / 3;
          std::string whole = text(setOf(foldDims(piece)));
          auto expectBack = [&](llvm::ArrayRef<Piece> parts) {
            PieceSet back = setOf(parts);
            fold(back);
            EXPECT_EQ(text(back), whole);
          };
          std::vector<Piece> elements = {piece};
          for (unsigned a = 0; a < rank; ++a) {
            for (int64_t i = 1; i < shape[a]; ++i) {
              auto [low, high] = cutAt(piece, a, i);
              expectBack({high, low});
              for (unsigned b = 0; b < rank; ++b)
                for (int64_t j = 1; j < low.shape[b]; ++j) {
                  auto [first, second] = cutAt(low, b, j);
                  expectBack({second, high, first});
                }
            }
            std::vector<Piece> thin;
            for (const Piece &part : elements)
              for (int64_t i = 0; i < shape[a]; ++i) {
                thin.push_back(part);
                thin.back().shape[a] = 1;
                thin.back().src.offset += i * part.src.strides[a];
                thin.back().dst.offset += i * part.dst.strides[a];
              }
            elements = std::move(thin);
            expectBack(elements);
          }
        }
      });
    });
}

TEST(Canonical, CutUpAndShuffledFoldsBackToTheSameText) {
  checkRounds(10000, 1, 0);
}

TEST(Canonical, LargePiecesToo) { checkRounds(400, 100, 1); }
} // namespace
