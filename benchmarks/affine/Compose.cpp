//===- Compose.cpp - One relation after another -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compose.h"
#include "Scale.h"
#include "aoa/Affine/Invert.h"

#include <cmath>
#include <random>

using namespace aoa::affine;
using namespace aoa::bench;

/// Returns the shards of a matrix of `rows` × `columns` cut in `rowParts` ×
/// `columnParts`, from a shard each (src) to the matrix (dst).
static PieceSet shardsOf(int64_t rows, int64_t columns, int64_t rowParts,
                         int64_t columnParts) {
  PieceSet set;
  set.reserve(rowParts * columnParts);
  for (int64_t i = 0; i < rowParts; ++i)
    for (int64_t j = 0; j < columnParts; ++j) {
      int64_t row = i * rows / rowParts, column = j * columns / columnParts;
      int64_t height = (i + 1) * rows / rowParts - row;
      int64_t width = (j + 1) * columns / columnParts - column;
      set.add(foldDims({{height, width},
                        {0, {width, 1}},
                        {row * columns + column, {columns, 1}}}),
              i * columnParts + j);
    }
  return set;
}

static int64_t composeSets(const PieceSet &src, const PieceSet &dst,
                           Clock &clock) {
  PieceSet read = invert(dst);
  clock.start();
  auto result = compose(
      src, read, [](PieceSet::Tag a, PieceSet::Tag c) { return a * 31 + c; });
  clock.stop();
  return result->size();
}

/// n source chunks of rows against about as many target chunks.
static int64_t rows(int64_t numPieces, Clock &clock) {
  int64_t parts = numPieces / 2;
  return composeSets(shardsOf(parts * 100, 64, parts, 1),
                     shardsOf(parts * 100, 64, parts + 1, 1), clock);
}
AOA_SCALE("compose/rows", rows);

static int64_t columns(int64_t numPieces, Clock &clock) {
  int64_t parts = numPieces / 2;
  return composeSets(shardsOf(64, parts * 100, 1, parts),
                     shardsOf(64, parts * 100, 1, parts + 1), clock);
}
AOA_SCALE("compose/columns", columns);

/// Chunks whose lengths nearly all differ: nearly each piece has a form.
static int64_t lengths(int64_t numPieces, Clock &clock) {
  std::mt19937_64 random(1);
  auto chunks = [&] {
    PieceSet set;
    set.reserve(numPieces / 2);
    int64_t at = 0;
    for (int64_t i = 0; i < numPieces / 2; ++i) {
      auto length = static_cast<int64_t>(random() % 1'000'000'000);
      set.add(Piece{{length}, {0, {1}}, {at, {1}}}, i);
      at += length;
    }
    return set;
  };
  PieceSet src = chunks(), dst = chunks();
  return composeSets(src, dst, clock);
}
AOA_SCALE("compose/lengths", lengths);

/// Grids on both sides, their planes at different places.
static int64_t grids(int64_t numPieces, Clock &clock) {
  auto parts = static_cast<int64_t>(std::sqrt(numPieces) / 2);
  int64_t extent = parts * 32;
  return composeSets(shardsOf(extent, extent, parts, parts),
                     shardsOf(extent, extent, parts + 1, parts + 1), clock);
}
AOA_SCALE("compose/grids", grids);

/// Rows on one side, columns on the other: all meet all.
static int64_t rowsAndColumns(int64_t numPieces, Clock &clock) {
  auto parts = static_cast<int64_t>(std::sqrt(numPieces));
  int64_t extent = parts * 32;
  return composeSets(shardsOf(extent, extent, parts, 1),
                     shardsOf(extent, extent, 1, parts), clock);
}
AOA_SCALE("compose/rows x columns", rowsAndColumns);

/// Flat chunks against tiles: a chunk is up to 3 boxes.
static int64_t flatAndTiles(int64_t numPieces, Clock &clock) {
  int64_t parts = numPieces / 8;
  int64_t rows = parts, columns = 192;
  PieceSet flat;
  for (int64_t i = 0; i < parts; ++i) {
    int64_t begin = i * rows * columns / parts + (i % 7);
    int64_t end = (i + 1) * rows * columns / parts + ((i + 1) % 7);
    if (i + 1 == parts)
      end = rows * columns;
    flat.add(Piece{{end - begin}, {0, {1}}, {begin, {1}}}, i);
  }
  return composeSets(flat, shardsOf(rows, columns, 8, 4), clock);
}
AOA_SCALE("compose/flat x tiles", flatAndTiles);

/// The same two boxes again and again, piece by piece.
static int64_t pairs(int64_t numPieces, Clock &clock) {
  Piece aToB{{64, 96}, {0, {96, 1}}, {32, {256, 1}}};
  Piece bToC{{128, 100}, {0, {256, 1}}, {0, {100, 1}}};
  int64_t count = 0;
  clock.start();
  for (int64_t i = 0; i < numPieces; ++i) {
    aToB.dst.offset = 256 * (i % 100);
    compose(aToB, bToC, [&](const Piece &) { ++count; });
  }
  clock.stop();
  return count;
}
AOA_SCALE("compose/pairs of pieces", pairs, 1'000'000);
