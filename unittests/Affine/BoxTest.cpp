//===- BoxTest.cpp - Boxes, maps, covers by enumeration ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Box.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <numeric>
#include <random>

using namespace aoa::affine;

namespace {
using Rng = std::mt19937;

int64_t draw(Rng &rng, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(rng() % (high - low + 1));
}

Box randomBox(Rng &rng, const Box &within) {
  Box box;
  for (unsigned i = 0; i < within.rank(); ++i) {
    int64_t begin = draw(rng, 0, within.shape[i] - 1);
    box.offset.push_back(within.offset[i] + begin);
    box.shape.push_back(draw(rng, 1, within.shape[i] - begin));
  }
  return box;
}

std::vector<Extents> elementsOf(const Box &box) {
  std::vector<Extents> elements;
  if (box.isEmpty())
    return elements;
  Extents index = box.offset;
  while (true) {
    elements.push_back(index);
    unsigned i = box.rank();
    while (i > 0 && ++index[i - 1] == box.offset[i - 1] + box.shape[i - 1]) {
      index[i - 1] = box.offset[i - 1];
      --i;
    }
    if (i == 0)
      return elements;
  }
}

bool contains(const Box &box, const Extents &index) {
  for (unsigned i = 0; i < box.rank(); ++i)
    if (index[i] < box.offset[i] || index[i] >= box.offset[i] + box.shape[i])
      return false;
  return true;
}

/// Cuts `box` by random planes, each through one part only, so that most
/// results have no plane through all of it.
std::vector<Box> randomPartition(Rng &rng, const Box &box, int cuts) {
  std::vector<Box> parts = {box};
  for (; cuts > 0; --cuts) {
    size_t which = rng() % parts.size();
    Box &part = parts[which];
    if (part.rank() == 0)
      break;
    unsigned axis = rng() % part.rank();
    if (part.shape[axis] < 2)
      continue;
    int64_t at = draw(rng, 1, part.shape[axis] - 1);
    Box high = part;
    high.offset[axis] += at;
    high.shape[axis] -= at;
    part.shape[axis] = at;
    parts.push_back(high);
  }
  std::shuffle(parts.begin(), parts.end(), rng);
  return parts;
}

/// Compares checkCover with counting every element.
void expectSameAsCounting(const std::vector<Box> &boxes,
                          const std::vector<Box> &space) {
  std::map<std::vector<int64_t>, std::vector<unsigned>> writers;
  for (const Box &part : space)
    for (const Extents &index : elementsOf(part))
      writers[{index.begin(), index.end()}];
  bool outside = false, hole = false, overlap = false;
  for (unsigned i = 0; i < boxes.size(); ++i)
    for (const Extents &index : elementsOf(boxes[i])) {
      auto found = writers.find({index.begin(), index.end()});
      if (found == writers.end())
        outside = true;
      else
        found->second.push_back(i);
    }
  for (const auto &[index, by] : writers) {
    hole |= by.empty();
    overlap |= by.size() > 1;
  }

  CoverResult result = checkCover(boxes, space);
  std::vector<int64_t> key(result.index.begin(), result.index.end());
  switch (result.kind) {
  case CoverResult::Kind::Exact:
    EXPECT_FALSE(outside || hole || overlap);
    break;
  case CoverResult::Kind::Hole:
    ASSERT_TRUE(writers.contains(key));
    EXPECT_TRUE(writers[key].empty());
    break;
  case CoverResult::Kind::Overlap:
    ASSERT_TRUE(writers.contains(key));
    EXPECT_LT(result.first, result.second);
    EXPECT_TRUE(contains(boxes[result.first], result.index));
    EXPECT_TRUE(contains(boxes[result.second], result.index));
    break;
  case CoverResult::Kind::OutOfBounds:
    EXPECT_FALSE(writers.contains(key));
    EXPECT_TRUE(contains(boxes[result.first], result.index));
    break;
  }
}

Box box(Extents offset, Extents shape) {
  return {std::move(offset), std::move(shape)};
}

TEST(Box, IntersectsAndSubtractsLikeSets) {
  Rng rng(1);
  for (int round = 0; round < 500; ++round) {
    Box whole = wholeBox(Extents(1 + rng() % 3, 5));
    Box a = randomBox(rng, whole), b = randomBox(rng, whole);
    std::optional<Box> common = intersect(a, b);
    std::vector<Box> parts = subtract(a, b);
    if (common)
      parts.push_back(*common);
    EXPECT_EQ(checkCover(parts, {a}).kind, CoverResult::Kind::Exact);
    for (const Extents &index : elementsOf(whole))
      EXPECT_EQ(contains(a, index) && contains(b, index),
                common && contains(*common, index));
  }
}

TEST(Box, ScalarsMeetAlways) {
  Box scalar = wholeBox({});
  EXPECT_EQ(scalar.numElements(), 1);
  EXPECT_TRUE(intersect(scalar, scalar));
  EXPECT_TRUE(subtract(scalar, scalar).empty());
}

TEST(BoxIndex, FindsWhatAScanFinds) {
  Rng rng(3);
  for (int round = 0; round < 300; ++round) {
    Box whole = wholeBox(Extents(rng() % 4, 9));
    std::vector<Box> boxes;
    if (round % 2)
      boxes = randomPartition(rng, whole, 60);
    for (unsigned i = rng() % 40; i > 0; --i)
      boxes.push_back(randomBox(rng, whole));
    if (whole.rank() > 0 && !boxes.empty())
      boxes[rng() % boxes.size()].shape[0] = 0;
    BoxIndex index(boxes);
    for (int query = 0; query < 20; ++query) {
      Box asked = randomBox(rng, whole);
      std::vector<unsigned> found, expected;
      index.visit(asked, [&](unsigned i) { found.push_back(i); });
      for (unsigned i = 0; i < boxes.size(); ++i)
        if (intersect(boxes[i], asked))
          expected.push_back(i);
      ASSERT_EQ(found, expected);
    }
  }
}

TEST(Cover, AgreesWithCountingOnAllPairsOfBoxesOfSmallShapes) {
  for (int64_t rows = 1; rows <= 3; ++rows)
    for (int64_t columns = 1; columns <= 3; ++columns) {
      std::vector<Box> all;
      for (int64_t r = 0; r <= rows; ++r)
        for (int64_t c = 0; c <= columns; ++c)
          for (int64_t h = 0; r + h <= rows + 1; ++h)
            for (int64_t w = 0; c + w <= columns + 1; ++w)
              all.push_back(box({r, c}, {h, w}));
      std::vector<Box> space = {wholeBox({rows, columns})};
      expectSameAsCounting({}, space);
      for (const Box &a : all)
        for (const Box &b : all)
          expectSameAsCounting({a, b}, space);
    }
}

TEST(Cover, AgreesWithCountingOnAllSetsOfIntervals) {
  std::vector<Box> intervals;
  for (int64_t begin = 0; begin < 4; ++begin)
    for (int64_t end = begin + 1; end <= 4; ++end)
      intervals.push_back(box({begin}, {end - begin}));
  for (unsigned set = 0; set < 1u << intervals.size(); ++set) {
    std::vector<Box> boxes;
    for (unsigned i = 0; i < intervals.size(); ++i)
      if (set >> i & 1)
        boxes.push_back(intervals[i]);
    expectSameAsCounting(boxes, {wholeBox({4})});
    expectSameAsCounting(boxes, {box({0}, {1}), box({2}, {2})});
  }
}

TEST(Cover, AgreesWithCountingOnDamagedPartitions) {
  Rng rng(4);
  for (int round = 0; round < 3000; ++round) {
    Extents shape;
    for (unsigned i = rng() % 4; i > 0; --i)
      shape.push_back(draw(rng, 1, 6));
    Box whole = wholeBox(shape);
    std::vector<Box> space = randomPartition(rng, whole, rng() % 4);
    std::vector<Box> boxes = randomPartition(rng, whole, rng() % 20);
    if (round % 4 == 0 && space.size() > 1)
      space.pop_back();
    if (round % 3 == 0)
      boxes.erase(boxes.begin() + rng() % boxes.size());
    if (round % 3 == 1)
      boxes.push_back(randomBox(rng, whole));
    if (round % 7 == 0 && !boxes.empty() && whole.rank() > 0)
      boxes[rng() % boxes.size()].offset[0] += draw(rng, -1, 1);
    expectSameAsCounting(boxes, space);
  }
}

TEST(Cover, ProvesAPinwheel) {
  // No plane passes between the four arms.
  std::vector<Box> arms = {box({0, 0}, {1, 2}), box({0, 2}, {2, 1}),
                           box({2, 1}, {1, 2}), box({1, 0}, {2, 1})};
  CoverResult result = checkCover(arms, {wholeBox({3, 3})});
  EXPECT_EQ(result.kind, CoverResult::Kind::Hole);
  EXPECT_EQ(result.index, Extents({1, 1}));
  arms.push_back(box({1, 1}, {1, 1}));
  EXPECT_EQ(checkCover(arms, {wholeBox({3, 3})}).kind,
            CoverResult::Kind::Exact);
}

TEST(Cover, EmptyTensorsAndScalars) {
  EXPECT_EQ(checkCover({}, {wholeBox({0, 4})}).kind, CoverResult::Kind::Exact);
  EXPECT_EQ(checkCover({}, {}).kind, CoverResult::Kind::Exact);
  EXPECT_EQ(checkCover({}, {wholeBox({})}).kind, CoverResult::Kind::Hole);
  EXPECT_EQ(checkCover({wholeBox({})}, {wholeBox({})}).kind,
            CoverResult::Kind::Exact);
  EXPECT_EQ(checkCover({wholeBox({}), wholeBox({})}, {wholeBox({})}).kind,
            CoverResult::Kind::Overlap);
}

/// Runs `work` and returns its seconds.
template <typename Work> double seconds(Work work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

// The bound is loose: it tells near-linear (0.2 s) from quadratic (minutes).
constexpr double limitSeconds = 60;

TEST(Cover, ManyBoxes) {
  std::vector<Box> rows, grid, pieces, spiral;
  for (int64_t i = 0; i < 100'000; ++i)
    rows.push_back(box({i * 7, 0}, {7, 64}));
  for (int64_t i = 0; i < 320; ++i)
    for (int64_t j = 0; j < 320; ++j)
      grid.push_back(box({i * 3, j * 5}, {3, 5}));
  Rng rng(5);
  Box cube = wholeBox({1 << 20, 1 << 20, 1 << 20});
  pieces = randomPartition(rng, cube, 100'000);
  // Peels one row, then one column, and so on.
  int64_t side = 10'000;
  for (int64_t i = 0; i < side; ++i) {
    spiral.push_back(box({i, i}, {1, side - i}));
    if (i + 1 < side)
      spiral.push_back(box({i + 1, i}, {side - i - 1, 1}));
  }
  auto kindOf = [](const std::vector<Box> &boxes, const Box &space) {
    return checkCover(boxes, {space}).kind;
  };
  EXPECT_LT(seconds([&] {
              EXPECT_EQ(kindOf(rows, wholeBox({700'000, 64})),
                        CoverResult::Kind::Exact);
              EXPECT_EQ(kindOf(grid, wholeBox({960, 1600})),
                        CoverResult::Kind::Exact);
            }),
            limitSeconds);
  EXPECT_LT(seconds([&] {
              EXPECT_EQ(kindOf(pieces, cube), CoverResult::Kind::Exact);
            }),
            limitSeconds);
  EXPECT_LT(seconds([&] {
              EXPECT_EQ(kindOf(spiral, wholeBox({side, side})),
                        CoverResult::Kind::Exact);
            }),
            limitSeconds);
  BoxIndex index(grid);
  EXPECT_LT(seconds([&] {
              unsigned found = 0;
              for (const Box &cell : grid)
                index.visit(cell, [&](unsigned) { ++found; });
              EXPECT_EQ(found, grid.size());
            }),
            limitSeconds);
}
} // namespace
