//===- CoverTest.cpp - The laws against enumeration -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Cover.h"
#include "Enumerate.h"
#include "aoa/Support/CheckedMath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

using namespace aoa::affine;
using namespace aoa::affine::test;
using aoa::elementLimit;

namespace {
using Kind = Coverage::Kind;

/// Pieces at each address, one entry each time it is held.
using Held = std::map<int64_t, std::vector<size_t>>;

void hold(const PieceRef &piece, Side side, unsigned dim, int64_t address,
          size_t index, Held &held) {
  if (dim == piece.rank()) {
    held[address].push_back(index);
    return;
  }
  for (int64_t i = 0; i < piece.shape[dim]; ++i)
    hold(piece, side, dim + 1, address + i * piece.strides(side)[dim], index,
         held);
}

Held heldBy(const PieceSet &set, Side side) {
  Held held;
  for (size_t i = 0; i < set.size(); ++i)
    if (!set[i].isEmpty()) // Which may have any strides.
      hold(set[i], side, 0, set[i].offset(side), i, held);
  return held;
}

/// One address held by two views, or twice by one.
bool meetAt(const Held &held, int64_t address, size_t first, size_t second) {
  auto at = held.find(address);
  if (at == held.end())
    return false;
  if (first == second)
    return llvm::count(at->second, first) >= 2;
  return llvm::is_contained(at->second, first) &&
         llvm::is_contained(at->second, second);
}

/// Checks an answer about `held`, where addresses in `space` may be held, must
/// be if `mustHold`, and only once unless `mayMeet`.
void expectRight(const Coverage &coverage, const Held &held,
                 const std::vector<int64_t> &space, bool mustHold, bool mayMeet,
                 const PieceSet &set) {
  auto isInSpace = [&](int64_t address) {
    return std::binary_search(space.begin(), space.end(), address);
  };
  bool outside = false, overlap = false, hole = false;
  for (const auto &[address, pieces] : held) {
    outside |= !isInSpace(address);
    overlap |= pieces.size() > 1;
  }
  for (int64_t address : space)
    hole |= !held.count(address);
  Kind expected = outside               ? Kind::OutOfBounds
                  : overlap && !mayMeet ? Kind::Overlap
                  : hole && mustHold    ? Kind::Hole
                                        : Kind::Exact;
  ASSERT_EQ(coverage.kind, expected) << text(set);
  switch (coverage.kind) {
  case Kind::Exact:
    return;
  case Kind::OutOfBounds:
    EXPECT_FALSE(isInSpace(coverage.address)) << text(set);
    EXPECT_TRUE(held.count(coverage.address) &&
                llvm::is_contained(held.at(coverage.address), coverage.first))
        << text(set);
    return;
  case Kind::Overlap:
    EXPECT_TRUE(meetAt(held, coverage.address, coverage.first, coverage.second))
        << "at " << coverage.address << " pieces " << coverage.first << ", "
        << coverage.second << '\n'
        << text(set);
    return;
  case Kind::Hole:
    EXPECT_TRUE(isInSpace(coverage.address) && !held.count(coverage.address))
        << "at " << coverage.address << '\n'
        << text(set);
    return;
  }
}

std::vector<int64_t> upTo(int64_t numElements) {
  std::vector<int64_t> addresses(numElements);
  std::iota(addresses.begin(), addresses.end(), 0);
  return addresses;
}

void checkAllLaws(const PieceSet &set, Side side,
                  llvm::ArrayRef<int64_t> shape) {
  int64_t numElements = 1;
  for (int64_t extent : shape)
    numElements *= extent;
  Held held = heldBy(set, side);
  std::vector<int64_t> space = upTo(numElements);
  expectRight(checkCover(set, side, shape), held, space, true, false, set);
  expectRight(checkDisjoint(set, side, numElements), held, space, false, false,
              set);
  expectRight(checkHeld(set, side, numElements), held, space, true, true, set);
  std::optional<size_t> outside = findOutOfBounds(set, side, numElements);
  std::optional<size_t> expected;
  for (const auto &[address, pieces] : held)
    if (address >= numElements)
      for (size_t piece : pieces)
        expected = std::min(expected.value_or(piece), piece);
  EXPECT_EQ(outside, expected) << text(set);
}

/// A view whose other side does not matter.
Piece seen(Extents shape, int64_t offset, Extents strides, Side side) {
  Piece piece;
  StridedView other{0, Extents(shape.size(), 0)};
  StridedView own{offset, std::move(strides)};
  piece.shape = std::move(shape);
  piece.src = side == Side::Src ? own : other;
  piece.dst = side == Side::Src ? other : own;
  return piece;
}

int64_t below(Random &random, int64_t limit) {
  return random.number(0, limit - 1);
}

/// Cuts boxes at random planes.
struct RandomBox {
  Extents low, high;
};
std::vector<RandomBox>
cutAtRandom(Random &random, llvm::ArrayRef<int64_t> shape, unsigned numCuts) {
  std::vector<RandomBox> boxes = {{Extents(shape.size(), 0), Extents(shape)}};
  for (unsigned i = 0; i < numCuts && !shape.empty(); ++i) {
    size_t box = below(random, boxes.size());
    unsigned axis = below(random, shape.size());
    int64_t extent = boxes[box].high[axis] - boxes[box].low[axis];
    if (extent < 2)
      continue;
    int64_t at = boxes[box].low[axis] + 1 + below(random, extent - 1);
    RandomBox upper = boxes[box];
    upper.low[axis] = at;
    boxes[box].high[axis] = at;
    boxes.push_back(upper);
  }
  return boxes;
}

void addBox(PieceSet &set, const RandomBox &box, llvm::ArrayRef<int64_t> shape,
            Side side, Random *random = nullptr) {
  Extents strides = rowMajorStrides(shape), extents;
  int64_t offset = 0;
  for (unsigned axis = 0; axis < shape.size(); ++axis) {
    extents.push_back(box.high[axis] - box.low[axis]);
    offset += box.low[axis] * strides[axis];
  }
  Piece piece = seen(extents, offset, strides, side);
  if (random) {
    // Dimensions of a view have no order.
    for (unsigned i = 1; i < shape.size(); ++i) {
      unsigned j = below(*random, i + 1);
      std::swap(piece.shape[i], piece.shape[j]);
      std::swap(piece.src.strides[i], piece.src.strides[j]);
      std::swap(piece.dst.strides[i], piece.dst.strides[j]);
    }
    if (random->chance(2) && side == Side::Dst)
      piece = foldDims(piece);
  }
  set.add(piece);
}

void shuffle(PieceSet &set, Random &random) {
  std::vector<PieceSet::Entry> entries = set.entries().vec();
  random.shuffle(entries);
  set.replaceEntries(std::move(entries));
}

TEST(CheckCover, Examples) {
  PieceSet rows;
  rows.add(seen({2, 3}, 0, {3, 1}, Side::Dst));
  rows.add(seen({2, 3}, 6, {3, 1}, Side::Dst));
  EXPECT_EQ(checkCover(rows, Side::Dst, {4, 3}), Coverage());
  EXPECT_EQ(checkCover(rows, Side::Dst, {5, 3}),
            (Coverage{Kind::Hole, 12, 0, 0}));
  EXPECT_EQ(checkCover(rows, Side::Dst, {3, 3}).kind, Kind::OutOfBounds);
  rows.add(seen({1, 1}, 7, {3, 1}, Side::Dst));
  EXPECT_EQ(checkCover(rows, Side::Dst, {4, 3}),
            (Coverage{Kind::Overlap, 7, 1, 2}));
  EXPECT_EQ(checkHeld(rows, Side::Dst, 12), Coverage());
}

TEST(CheckCover, EmptyThings) {
  PieceSet none;
  for (const Extents &shape :
       {Extents{}, Extents{0}, Extents{3, 0}, Extents{1, 1}, Extents{2, 3}})
    checkAllLaws(none, Side::Src, shape);
  PieceSet empty;
  empty.add(seen({0}, 100, {1}, Side::Src));
  empty.add(seen({2, 0, 5}, 3, {1, 1, 7}, Side::Src));
  empty.add(seen({1 << 30, 0}, INT64_MAX, {INT64_MAX, 1}, Side::Src));
  checkAllLaws(empty, Side::Src, {});
  checkAllLaws(empty, Side::Src, {0, 2});
  checkAllLaws(empty, Side::Src, {2, 2});
  PieceSet scalar;
  scalar.add(seen({}, 0, {}, Side::Src));
  checkAllLaws(scalar, Side::Src, {});
  checkAllLaws(scalar, Side::Src, {0});
  checkAllLaws(scalar, Side::Src, {2});
  scalar.add(seen({0}, 0, {1}, Side::Src));
  scalar.add(seen({1, 1}, 0, {5, 9}, Side::Src));
  checkAllLaws(scalar, Side::Src, {});
}

TEST(CheckCover, AViewThatHoldsAnAddressSeveralTimesOverlapsItself) {
  PieceSet set(seen({3, 4}, 0, {0, 1}, Side::Dst));
  EXPECT_EQ(checkCover(set, Side::Dst, {4}),
            (Coverage{Kind::Overlap, 0, 0, 0}));
  EXPECT_EQ(checkHeld(set, Side::Dst, 4), Coverage());
  PieceSet folded(seen({3, 3}, 0, {2, 1}, Side::Dst));
  Coverage coverage = checkCover(folded, Side::Dst, {7});
  EXPECT_EQ(coverage.kind, Kind::Overlap);
  EXPECT_EQ(coverage.first, 0u);
  EXPECT_EQ(coverage.second, 0u);
  checkAllLaws(folded, Side::Dst, {7});
}

TEST(CheckCover, EvenAndOddRows) {
  for (int64_t shift : {0, 1, 2}) {
    PieceSet set;
    set.add(seen({3, 5}, 0, {10, 1}, Side::Dst));
    set.add(seen({3, 5}, 5 * shift, {10, 1}, Side::Dst));
    checkAllLaws(set, Side::Dst, {6, 5});
  }
}

/// All views with up to two dimensions, alone and in pairs.
TEST(CheckCover, AllPairsOfSmallViews) {
  for (int64_t numElements : {4, 6, 8}) {
    std::vector<Piece> views;
    for (int64_t a : {1, 2, 3, 4})
      for (int64_t b : {1, 2, 3})
        for (int64_t s : {0, 1, 2, 3, 4})
          for (int64_t t : {0, 1, 2, 3})
            for (int64_t offset = 0; offset < numElements; ++offset) {
              if ((a == 1 && s > 1) || (b == 1 && t > 0) ||
                  offset + (a - 1) * s + (b - 1) * t > numElements)
                continue;
              views.push_back(seen({a, b}, offset, {s, t}, Side::Src));
            }
    size_t step = 1 + views.size() / 300;
    for (size_t i = 0; i < views.size(); ++i) {
      checkAllLaws(PieceSet(views[i]), Side::Src, {numElements});
      for (size_t j = i % step; j < views.size(); j += step) {
        PieceSet set(views[i]);
        set.add(views[j]);
        checkAllLaws(set, Side::Src, {numElements});
        if (::testing::Test::HasFailure())
          return;
      }
    }
  }
}

/// All sets of up to three boxes of [3, 3], exact covers among them.
TEST(CheckCover, AllTriplesOfSmallBoxes) {
  std::vector<RandomBox> boxes;
  for (int64_t a = 0; a < 3; ++a)
    for (int64_t b = a + 1; b <= 3; ++b)
      for (int64_t c = 0; c < 3; ++c)
        for (int64_t d = c + 1; d <= 3; ++d)
          boxes.push_back({{a, c}, {b, d}});
  for (size_t i = 0; i < boxes.size(); ++i)
    for (size_t j = i; j < boxes.size(); ++j)
      for (size_t k = j; k < boxes.size(); ++k) {
        PieceSet set;
        addBox(set, boxes[i], {3, 3}, Side::Src);
        addBox(set, boxes[j], {3, 3}, Side::Src);
        addBox(set, boxes[k], {3, 3}, Side::Src);
        checkAllLaws(set, Side::Src, {3, 3});
        if (::testing::Test::HasFailure())
          return;
      }
}

/// Random partitions, as they are and with a piece changed, dropped or added.
TEST(CheckCover, RandomPartitions) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(60000); ++i) {
    Extents shape(below(random, 7), 1);
    int64_t numElements = 1;
    for (int64_t &extent : shape) {
      extent = 1 + below(random, 5);
      if (numElements * extent > 200)
        extent = 1;
      numElements *= extent;
    }
    Side side = random.chance(2) ? Side::Src : Side::Dst;
    // More boxes than are compared pair by pair, now and then.
    bool isLarge = random.chance(4);
    auto boxes = cutAtRandom(random, shape, below(random, isLarge ? 120 : 14));
    if (random.chance(2)) {
      RandomBox &box = boxes[below(random, boxes.size())];
      if (!shape.empty()) {
        unsigned axis = below(random, shape.size());
        int64_t &bound = random.chance(2) ? box.low[axis] : box.high[axis];
        bound = std::clamp<int64_t>(bound + below(random, 3) - 1, 0,
                                    shape[axis] + random.chance(30));
        if (box.low[axis] > box.high[axis])
          std::swap(box.low[axis], box.high[axis]);
      }
    }
    PieceSet set;
    for (const RandomBox &box : boxes)
      addBox(set, box, shape, side, &random);
    if (random.chance(8)) // A second replica, cut elsewhere.
      for (const RandomBox &box :
           cutAtRandom(random, shape, below(random, isLarge ? 90 : 9)))
        if (!random.chance(9))
          addBox(set, box, shape, side, &random);
    if (random.chance(2))
      shuffle(set, random);
    checkAllLaws(set, side, shape);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i;
      return;
    }
  }
}

/// Views of any strides.
TEST(CheckCover, RandomViews) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(40000); ++i) {
    int64_t numElements = 1 + below(random, 40);
    PieceSet set;
    for (unsigned count = below(random, 5); count-- > 0;) {
      Extents shape, strides;
      for (unsigned dims = below(random, 4); dims-- > 0;) {
        shape.push_back(random.chance(40) ? 0 : 1 + below(random, 5));
        strides.push_back(random.chance(3) ? int64_t(1) << below(random, 4)
                                           : below(random, 8));
      }
      set.add(seen(shape, below(random, numElements), strides, Side::Dst));
    }
    numElements += below(random, 30);
    checkAllLaws(set, Side::Dst, {numElements});
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i;
      return;
    }
  }
}

/// Spaces that are a part of a tensor, like a shard without its padding.
TEST(CheckCover, RandomSpaces) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t i = 0; i < numRandomCases(20000); ++i) {
    Extents shape;
    for (unsigned dims = 1 + below(random, 3); dims-- > 0;)
      shape.push_back(1 + below(random, 6));
    PieceSet space, set;
    std::vector<RandomBox> boxes = cutAtRandom(random, shape, below(random, 6));
    boxes.resize(1 + below(random, boxes.size()));
    for (const RandomBox &box : boxes) {
      addBox(space, box, shape, Side::Src, &random);
      Extents extents;
      for (unsigned axis = 0; axis < shape.size(); ++axis)
        extents.push_back(box.high[axis] - box.low[axis]);
      for (RandomBox part : cutAtRandom(random, extents, below(random, 4))) {
        for (unsigned axis = 0; axis < shape.size(); ++axis) {
          part.low[axis] += box.low[axis];
          part.high[axis] += box.low[axis];
        }
        if (random.chance(20)) {
          unsigned axis = below(random, shape.size());
          int64_t &high = part.high[axis];
          high += high < shape[axis] && random.chance(2) ? 1 : -1;
        }
        addBox(set, part, shape, Side::Dst, &random);
      }
    }
    shuffle(set, random);
    std::vector<int64_t> addresses;
    for (const auto &[address, pieces] : heldBy(space, Side::Src))
      addresses.push_back(address);
    expectRight(checkCover(set, Side::Dst, space, Side::Src),
                heldBy(set, Side::Dst), addresses, true, false, set);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "case " << i << ", space\n" << text(space);
      return;
    }
  }
}
/// Rings of four boxes around each other, from the outside in: every plane cuts
/// one. `turned`: like a pinwheel.
std::vector<RandomBox> rings(int64_t numRings, bool turned) {
  std::vector<RandomBox> boxes;
  int64_t extent = 2 * numRings + 1;
  for (int64_t low = 0; low < numRings; ++low) {
    int64_t high = extent - low, in = low + 1, out = high - 1;
    if (turned) {
      boxes.push_back({{low, low}, {in, out}});
      boxes.push_back({{low, out}, {out, high}});
      boxes.push_back({{out, in}, {high, high}});
      boxes.push_back({{in, low}, {high, in}});
    } else {
      boxes.push_back({{low, low}, {in, high}});
      boxes.push_back({{out, low}, {high, high}});
      boxes.push_back({{in, low}, {out, in}});
      boxes.push_back({{in, out}, {out, high}});
    }
  }
  boxes.push_back({{numRings, numRings}, {numRings + 1, numRings + 1}});
  return boxes;
}

/// One arm that winds inwards.
std::vector<RandomBox> spiral(int64_t extent) {
  std::vector<RandomBox> boxes;
  int64_t top = 0, bottom = extent, left = 0, right = extent;
  for (int turn = 0; top < bottom && left < right; turn = (turn + 1) % 4) {
    RandomBox arm{{top, left}, {bottom, right}};
    if (turn == 0)
      arm.high[0] = ++top;
    else if (turn == 1)
      arm.low[1] = --right;
    else if (turn == 2)
      arm.low[0] = --bottom;
    else
      arm.high[1] = ++left;
    boxes.push_back(arm);
  }
  return boxes;
}

/// Checks a partition of [extent, extent], and that it is seen when one box is
/// gone or one element is held twice.
void checkLargePartition(const std::vector<RandomBox> &boxes, int64_t extent,
                         Random &random) {
  PieceSet set;
  for (const RandomBox &box : boxes)
    addBox(set, box, {extent, extent}, Side::Dst);
  if (random.chance(2))
    shuffle(set, random);
  int64_t numElements = extent * extent;
  EXPECT_EQ(checkCover(set, Side::Dst, {extent, extent}), Coverage());
  EXPECT_EQ(checkDisjoint(set, Side::Dst, numElements), Coverage());
  EXPECT_EQ(checkHeld(set, Side::Dst, numElements), Coverage());

  PieceSet damaged = set;
  size_t gone = below(random, set.size());
  damaged.entries()[gone] = damaged.entries()[set.size() - 1];
  damaged.truncate(set.size() - 1);
  for (const Coverage &coverage :
       {checkCover(damaged, Side::Dst, {extent, extent}),
        checkHeld(damaged, Side::Dst, numElements)}) {
    EXPECT_EQ(coverage.kind, Kind::Hole);
    EXPECT_TRUE(llvm::is_contained(
        addressesOf(PieceSet(set[gone].piece()), Side::Dst), coverage.address));
  }
  EXPECT_EQ(checkDisjoint(damaged, Side::Dst, numElements), Coverage());

  int64_t twice = below(random, numElements);
  PieceSet doubled = set;
  doubled.add(seen({1}, twice, {1}, Side::Dst));
  for (const Coverage &coverage :
       {checkCover(doubled, Side::Dst, {extent, extent}),
        checkDisjoint(doubled, Side::Dst, numElements)}) {
    EXPECT_EQ(coverage.kind, Kind::Overlap);
    EXPECT_EQ(coverage.address, twice);
    EXPECT_EQ(coverage.second, set.size());
    EXPECT_TRUE(llvm::is_contained(
        addressesOf(PieceSet(set[coverage.first].piece()), Side::Dst), twice));
  }
  EXPECT_EQ(checkHeld(doubled, Side::Dst, numElements), Coverage());
}

TEST(CheckCover, RingsAndSpirals) {
  Random random;
  SCOPED_TRACE(random.trace());
  for (int64_t numRings : {1, 3, 5, 20, 61, 300})
    for (bool turned : {false, true})
      checkLargePartition(rings(numRings, turned), 2 * numRings + 1, random);
  for (int64_t extent : {2, 9, 20, 61, 300, 1001})
    checkLargePartition(spiral(extent), extent, random);
}

/// All rows are held, and all columns: no plane divides without cutting many.
TEST(CheckCover, RowsUnderColumns) {
  constexpr int64_t extent = 20000;
  PieceSet set;
  for (int64_t i = 0; i < extent; ++i) {
    addBox(set, {{i, 0}, {i + 1, extent}}, {extent, extent}, Side::Dst);
    addBox(set, {{0, i}, {extent, i + 1}}, {extent, extent}, Side::Dst);
  }
  EXPECT_EQ(checkHeld(set, Side::Dst, extent * extent), Coverage());
  EXPECT_EQ(checkCover(set, Side::Dst, {extent, extent}).kind, Kind::Overlap);
  // Row 7777 and column 1234 gone, all else is held.
  set.entries()[2 * 7777] = set.entries()[0];
  EXPECT_EQ(checkHeld(set, Side::Dst, extent * extent), Coverage());
  set.entries()[2 * 1234 + 1] = set.entries()[0];
  EXPECT_EQ(checkHeld(set, Side::Dst, extent * extent),
            (Coverage{Kind::Hole, 7777 * extent + 1234, 0, 0}));
}

/// A grid of replicas, each cut in its own way and one of them incomplete.
TEST(CheckCover, GridsOfReplicas) {
  constexpr int64_t extent = 5040;
  PieceSet set;
  for (int64_t parts : {50, 51, 52, 53})
    for (int64_t i = 0; i < parts; ++i)
      for (int64_t j = 0; j < parts; ++j)
        if (parts != 52 || (i + j) % 3 != 0)
          addBox(set,
                 {{i * extent / parts, j * extent / parts},
                  {(i + 1) * extent / parts, (j + 1) * extent / parts}},
                 {extent, extent}, Side::Src);
  EXPECT_EQ(checkHeld(set, Side::Src, extent * extent), Coverage());
  EXPECT_EQ(checkDisjoint(set, Side::Src, extent * extent).kind, Kind::Overlap);
}

/// Coordinates that do not fit in 32 bits.
TEST(CheckCover, LargeTensors) {
  constexpr int64_t rows = int64_t(1) << 40, columns = int64_t(1) << 20;
  PieceSet set;
  for (int64_t i = 0; i < 32; ++i)
    for (int64_t j = 0; j < 32; ++j)
      addBox(set,
             {{i * (rows / 32), j * (columns / 32)},
              {(i + 1) * (rows / 32), (j + 1) * (columns / 32)}},
             {rows, columns}, Side::Dst);
  EXPECT_EQ(checkCover(set, Side::Dst, {rows, columns}), Coverage());
  set.add(seen({1}, rows * columns - 1, {1}, Side::Dst));
  EXPECT_EQ(checkCover(set, Side::Dst, {rows, columns}),
            (Coverage{Kind::Overlap, rows * columns - 1, 1023, 1024}));
  set.truncate(1023);
  EXPECT_EQ(checkCover(set, Side::Dst, {rows, columns}).kind, Kind::Hole);
  EXPECT_EQ(checkCover(PieceSet(seen({rows, 1, columns}, 0, {columns, 5, 1},
                                     Side::Src)),
                       Side::Src, {rows, columns}),
            Coverage());
}
TEST(CheckCover, TheLargestTensors) {
  constexpr int64_t half = int64_t(1) << 60, most = elementLimit - 1;
  PieceSet set(seen({half, 2}, 0, {1, half}, Side::Dst));
  EXPECT_EQ(checkCover(set, Side::Dst, {2 * half}), Coverage());
  EXPECT_EQ(checkCover(set, Side::Dst, {most}),
            (Coverage{Kind::Hole, 2 * half, 0, 0}));
  EXPECT_EQ(checkDisjoint(set, Side::Dst, most), Coverage());
  EXPECT_EQ(checkHeld(set, Side::Dst, most).kind, Kind::Hole);
  // The last address there can be, on a stride that leaves two digits.
  PieceSet last(seen({2}, 0, {most - 1}, Side::Dst));
  EXPECT_EQ(checkDisjoint(last, Side::Dst, most), Coverage());
  EXPECT_EQ(checkCover(last, Side::Dst, {most}),
            (Coverage{Kind::Hole, 1, 0, 0}));
  last.add(seen({most}, 0, {1}, Side::Dst));
  EXPECT_EQ(checkCover(last, Side::Dst, {most}),
            (Coverage{Kind::Overlap, 0, 0, 1}));
  EXPECT_EQ(checkHeld(last, Side::Dst, most), Coverage());
  EXPECT_EQ(checkDisjoint(last, Side::Dst, most - 1).kind, Kind::OutOfBounds);
  set.add(seen({2}, half - 1, {1}, Side::Dst));
  EXPECT_EQ(checkCover(set, Side::Dst, {most}),
            (Coverage{Kind::Overlap, half - 1, 0, 1}));
}
} // namespace
