//===- Cover.cpp - The laws, and who holds what -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Cover.h"
#include "Scale.h"
#include "aoa/Affine/Holders.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace aoa::affine;
using namespace aoa::bench;

/// Adds the box [low0, high0) × [low1, high1) of a matrix of `columns`.
static void addBox(PieceSet &set, int64_t columns, int64_t low0, int64_t high0,
                   int64_t low1, int64_t high1, PieceSet::Tag tag = 0) {
  set.add(Piece{{high0 - low0, high1 - low1},
                {0, {high1 - low1, 1}},
                {low0 * columns + low1, {columns, 1}}},
          tag);
}

static void shuffle(PieceSet &set) {
  std::mt19937_64 random(1);
  std::shuffle(set.entries().begin(), set.entries().end(), random);
}

static void require(bool asExpected) {
  if (!asExpected) {
    std::fprintf(stderr, "a benchmark's check gave another answer\n");
    std::abort();
  }
}

static int64_t proveCover(const PieceSet &set, int64_t rows, int64_t columns,
                          Clock &clock) {
  clock.start();
  Coverage coverage = checkCover(set, Side::Dst, {rows, columns});
  clock.stop();
  require(coverage == Coverage());
  return set.size();
}

static int64_t proveHeld(const PieceSet &set, int64_t rows, int64_t columns,
                         Clock &clock) {
  clock.start();
  Coverage coverage = checkHeld(set, Side::Dst, rows * columns);
  clock.stop();
  require(coverage == Coverage());
  return set.size();
}

static PieceSet columnChunks(int64_t numPieces, int64_t &columns) {
  auto beginOf = [](int64_t i) { return 3 * i + i % 3; };
  columns = beginOf(numPieces);
  PieceSet set;
  set.reserve(numPieces);
  for (int64_t i = 0; i < numPieces; ++i)
    addBox(set, columns, 0, 64, beginOf(i), beginOf(i + 1));
  return set;
}

static int64_t columns(int64_t numPieces, Clock &clock) {
  int64_t columns;
  PieceSet set = columnChunks(numPieces, columns);
  return proveCover(set, 64, columns, clock);
}
AOA_SCALE("cover/columns", columns);

static int64_t columnsInAnyOrder(int64_t numPieces, Clock &clock) {
  int64_t columns;
  PieceSet set = columnChunks(numPieces, columns);
  shuffle(set);
  return proveCover(set, 64, columns, clock);
}
AOA_SCALE("cover/columns in any order", columnsInAnyOrder);

static PieceSet gridOf(int64_t parts, int64_t extent, PieceSet::Tag tag = 0) {
  PieceSet set;
  set.reserve(parts * parts);
  for (int64_t i = 0; i < parts; ++i)
    for (int64_t j = 0; j < parts; ++j)
      addBox(set, extent, i * extent / parts, (i + 1) * extent / parts,
             j * extent / parts, (j + 1) * extent / parts, tag);
  return set;
}

static int64_t grid(int64_t numPieces, Clock &clock) {
  auto parts = static_cast<int64_t>(std::sqrt(numPieces));
  return proveCover(gridOf(parts, parts * 8), parts * 8, parts * 8, clock);
}
AOA_SCALE("cover/grid", grid);

static int64_t gridInAnyOrder(int64_t numPieces, Clock &clock) {
  auto parts = static_cast<int64_t>(std::sqrt(numPieces));
  PieceSet set = gridOf(parts, parts * 8);
  shuffle(set);
  return proveCover(set, parts * 8, parts * 8, clock);
}
AOA_SCALE("cover/grid in any order", gridInAnyOrder);

/// Rings of four boxes around each other: every plane cuts one.
static int64_t rings(int64_t numPieces, Clock &clock) {
  int64_t numRings = numPieces / 4, extent = 2 * numRings;
  PieceSet set;
  for (int64_t low = 0; low < numRings; ++low) {
    int64_t high = extent - low, in = low + 1, out = high - 1;
    addBox(set, extent, low, in, low, out);
    addBox(set, extent, low, out, out, high);
    addBox(set, extent, out, high, in, high);
    addBox(set, extent, in, high, low, in);
  }
  return proveCover(set, extent, extent, clock);
}
AOA_SCALE("cover/rings", rings, 1'000'000);

/// Cut at random planes, each through one box.
static int64_t randomCuts(int64_t numPieces, Clock &clock) {
  constexpr int64_t extent = 1'000'000;
  struct Box {
    int64_t low[2], high[2];
  };
  std::vector<Box> boxes = {{{0, 0}, {extent, extent}}};
  std::mt19937_64 random(1);
  for (size_t next = 0; static_cast<int64_t>(boxes.size()) < numPieces;) {
    Box &box = boxes[next++ % boxes.size()];
    unsigned axis = random() % 2;
    int64_t length = box.high[axis] - box.low[axis];
    if (length < 2)
      continue;
    int64_t at =
        box.low[axis] + 1 +
        static_cast<int64_t>(random() % static_cast<uint64_t>(length - 1));
    Box upper = box;
    upper.low[axis] = box.high[axis] = at;
    boxes.push_back(upper);
  }
  PieceSet set;
  for (const Box &box : boxes)
    addBox(set, extent, box.low[0], box.high[0], box.low[1], box.high[1]);
  return proveCover(set, extent, extent, clock);
}
AOA_SCALE("cover/random cuts", randomCuts, 1'000'000);

/// All rows, and all columns.
static int64_t rowsAndColumns(int64_t numPieces, Clock &clock) {
  int64_t extent = numPieces / 2;
  PieceSet set;
  for (int64_t i = 0; i < extent; ++i) {
    addBox(set, extent, i, i + 1, 0, extent);
    addBox(set, extent, 0, extent, i, i + 1);
  }
  return proveHeld(set, extent, extent, clock);
}
AOA_SCALE("held/rows and columns", rowsAndColumns, 1'000'000);

/// Eight replicas, each a grid of its own.
static int64_t replicas(int64_t numPieces, Clock &clock) {
  constexpr int64_t extent = 1'000'000;
  auto parts = static_cast<int64_t>(std::sqrt(numPieces / 8));
  PieceSet set;
  for (int64_t replica = 0; replica < 8; ++replica) {
    PieceSet grid = gridOf(parts + replica, extent);
    for (size_t i = 0; i < grid.size(); ++i)
      set.add(grid[i]);
  }
  return proveHeld(set, extent, extent, clock);
}
AOA_SCALE("held/replicas", replicas, 1'000'000);

static int64_t split(const PieceSet &set, uint32_t numRanks, Clock &clock) {
  std::vector<uint32_t> ranks(numRanks);
  for (uint32_t rank = 0; rank < numRanks; ++rank)
    ranks[rank] = rank;
  RankSets rankSets;
  clock.start();
  HomogeneousSet result = splitHomogeneous(
      set, Side::Dst,
      [&](PieceSet::Tag tag) { return llvm::ArrayRef(ranks[tag]); }, rankSets);
  clock.stop();
  return result.pieces.size();
}

/// Each of 16,384 ranks holds parts of its own.
static int64_t oneHolder(int64_t numPieces, Clock &clock) {
  PieceSet set;
  for (int64_t i = 0; i < numPieces; ++i)
    set.add(Piece{{100}, {0, {1}}, {i * 100, {1}}}, i % 16384);
  return split(set, 16384, clock);
}
AOA_SCALE("split/one holder", oneHolder);

/// Groups of eight ranks hold the same part.
static int64_t equalParts(int64_t numPieces, Clock &clock) {
  PieceSet set;
  for (int64_t i = 0; i < numPieces; ++i)
    set.add(Piece{{100}, {0, {1}}, {i / 8 * 100, {1}}}, i % 16384);
  return split(set, 16384, clock);
}
AOA_SCALE("split/equal parts", equalParts, 1'000'000);

/// Each part reaches into the next one.
static int64_t partsThatMeet(int64_t numPieces, Clock &clock) {
  PieceSet set;
  for (int64_t i = 0; i < numPieces / 3; ++i)
    set.add(Piece{{150}, {0, {1}}, {i * 100, {1}}}, i % 16384);
  return split(set, 16384, clock);
}
AOA_SCALE("split/parts that meet", partsThatMeet, 1'000'000);
