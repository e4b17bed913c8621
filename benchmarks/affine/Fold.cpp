//===- Fold.cpp - Folding sets ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Fold.h"
#include "Scale.h"
#include "aoa/Affine/Compare.h"

#include <algorithm>
#include <random>
#include <utility>

using namespace aoa::affine;
using namespace aoa::bench;

static int64_t measureFold(PieceSet set, Clock &clock) {
  int64_t given = set.size();
  clock.start();
  fold(set);
  clock.stop();
  return given;
}

/// Chunks of one axis in order, all of one tag: one piece.
static int64_t foldChunks(int64_t numPieces, Clock &clock) {
  PieceSet set;
  set.reserve(numPieces);
  Piece piece{{8, 64}, {0, {4096, 1}}, {0, {64, 1}}};
  for (int64_t i = 0; i < numPieces; ++i) {
    piece.src.offset = i * 8 * 4096;
    piece.dst.offset = i * 8 * 64;
    set.add(piece);
  }
  return measureFold(std::move(set), clock);
}
AOA_SCALE("fold/one progression", foldChunks);

/// Blocks that nothing follows: every one stays.
static int64_t foldNothing(int64_t numPieces, Clock &clock) {
  PieceSet set;
  set.reserve(numPieces);
  Piece piece{{64}, {0, {1}}, {0, {1}}};
  for (int64_t i = 0; i < numPieces; ++i) {
    piece.src.offset = (numPieces - i) * 100;
    piece.dst.offset = i * 66 + i % 3;
    set.add(piece);
  }
  return measureFold(std::move(set), clock);
}
AOA_SCALE("fold/nothing to fold", foldNothing);

/// Many source shards, one or two pieces each.
template <int64_t piecesPerTag, bool sorted>
static int64_t foldShards(int64_t numPieces, Clock &clock) {
  PieceSet set;
  set.reserve(numPieces);
  Piece piece{{2, 64}, {0, {4096, 1}}, {0, {64, 1}}};
  int64_t numTags = numPieces / piecesPerTag;
  for (int64_t i = 0; i < numTags; ++i)
    for (int64_t part = 0; part < piecesPerTag; ++part) {
      piece.shape[0] = 3 + part;
      piece.src.offset = part * 3 * 4096;
      piece.dst.offset = (part * numTags + i) * 10 * 64;
      set.add(piece, sorted ? i : (i * 2654435761) % numTags);
    }
  return measureFold(std::move(set), clock);
}
AOA_SCALE("fold/a piece a tag", (foldShards<1, true>));
AOA_SCALE("fold/a piece a tag, any order", (foldShards<1, false>));
AOA_SCALE("fold/two pieces a tag", (foldShards<2, true>));

/// A matrix cut into cells, shuffled: one piece.
static int64_t foldCells(int64_t numPieces, Clock &clock) {
  PieceSet set;
  int64_t side = 1;
  while ((side + 1) * (side + 1) <= numPieces)
    ++side;
  Piece piece{{4, 16}, {0, {side * 16, 1}}, {0, {side * 32, 1}}};
  for (int64_t i = 0; i < side * side; ++i) {
    int64_t row = i / side * 4, column = i % side * 16;
    piece.src.offset = row * side * 16 + column;
    piece.dst.offset = row * side * 32 + column;
    set.add(piece);
  }
  std::mt19937_64 rng(1);
  for (size_t i = set.size(); i > 1; --i)
    std::swap(set.entries()[i - 1], set.entries()[rng() % i]);
  return measureFold(std::move(set), clock);
}
AOA_SCALE("fold/shuffled cells of a matrix", foldCells, 1'000'000);

/// A matrix cut in two again and again, at random, and shuffled.
static PieceSet randomCuts(int64_t numPieces, uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Piece> pieces = {
      {{1 << 14, 1 << 14}, {0, {1 << 14, 1}}, {0, {1 << 15, 1}}}};
  while (static_cast<int64_t>(pieces.size()) < numPieces) {
    Piece &low = pieces[rng() % pieces.size()];
    unsigned dim = low.shape[0] >= low.shape[1] ? 0 : 1;
    if (low.shape[dim] < 2)
      continue;
    int64_t at = 1 + rng() % (low.shape[dim] - 1);
    Piece high = low;
    low.shape[dim] = at;
    high.shape[dim] -= at;
    high.src.offset += at * high.src.strides[dim];
    high.dst.offset += at * high.dst.strides[dim];
    pieces.push_back(high);
  }
  std::shuffle(pieces.begin(), pieces.end(), rng);
  PieceSet set;
  for (const Piece &piece : pieces)
    set.add(piece);
  return set;
}

static int64_t foldCuts(int64_t numPieces, Clock &clock) {
  return measureFold(randomCuts(numPieces, 1), clock);
}
AOA_SCALE("fold/random cuts of a matrix", foldCuts, 100'000);

static int64_t compareCuts(int64_t numPieces, Clock &clock) {
  PieceSet a = randomCuts(numPieces, 1), b = randomCuts(numPieces, 2);
  clock.start();
  bool same = equivalent(a, b);
  clock.stop();
  return same ? 2 * numPieces : 0;
}
AOA_SCALE("compare/random cuts of a matrix", compareCuts, 100'000);
