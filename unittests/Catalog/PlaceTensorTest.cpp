//===- PlaceTensorTest.cpp - A layout applied to one tensor -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Placement is compared, rule by rule and shape by shape, with a definition
// that decides for each element by itself.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/PlaceTensor.h"

#include "TensorPlacer.h"
#include "aoa/Catalog/LayoutJson.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>

using namespace aoa;

namespace {

Layout layoutOf(std::string_view mesh, std::string_view rule) {
  std::string json = R"({"schema": "aoa.layout/1", "mesh": )" +
                     std::string(mesh) + R"(, "rules": [)" + std::string(rule) +
                     "]}";
  DiagnosticList list;
  std::optional<Layout> layout = parseLayout(json, FileId(0), list);
  for (const Diagnostic &d : list.list)
    ADD_FAILURE() << d.jsonPath << ": " << d.message << " in " << json;
  return layout ? std::move(*layout) : Layout();
}

std::string placeError(const Layout &layout, const Shape &shape,
                       std::string_view name = "w") {
  auto placement = placeTensor(layout, layout.rules[0], name, shape);
  return placement ? "no error" : placement.error().str();
}

/// Indices of a dimension that part `part` holds, in the part's order; those
/// from `real` on are padding.
using Indices = std::vector<int64_t>;

/// Deals the indices [begin, begin + n) out to parts, one by one.
using Deal = std::function<size_t(int64_t index, int64_t n)>;

std::vector<Indices> dealOut(size_t numParts, const Indices &segments,
                             const std::vector<Deal> &deals) {
  std::vector<Indices> parts(numParts);
  int64_t begin = 0;
  for (size_t s = 0; s < segments.size(); ++s) {
    for (int64_t i = 0; i < segments[s]; ++i)
      parts[deals[s](i, segments[s])].push_back(begin + i);
    begin += segments[s];
  }
  return parts;
}

Deal dealEven(int64_t d) {
  return [=](int64_t i, int64_t n) { return static_cast<size_t>(i / (n / d)); };
}
Deal dealBalanced(int64_t d) {
  return [=](int64_t i, int64_t n) {
    int64_t end = 0;
    for (int64_t part = 0;; ++part) {
      end += n / d + (part < n % d);
      if (i < end)
        return static_cast<size_t>(part);
    }
  };
}
/// As PyTorch's torch.chunk, axis by axis.
Deal dealCeil(std::vector<int64_t> sizes) {
  return [=](int64_t i, int64_t n) {
    int64_t part = 0;
    for (int64_t size : sizes) {
      int64_t chunk = (n + size - 1) / size;
      int64_t at = i / chunk;
      part = part * size + at;
      i -= at * chunk;
      n = std::min(chunk, n - at * chunk);
    }
    return static_cast<size_t>(part);
  };
}
Deal dealSizes(Indices sizes) {
  return [=](int64_t i, int64_t) {
    size_t part = 0;
    for (int64_t end = sizes[0]; i >= end; end += sizes[part])
      ++part;
    return part;
  };
}

/// One dimension as the test defines it.
struct DimDef {
  std::vector<int> axes = {};
  std::vector<Indices> parts; ///< One if `axes` is empty.
};
DimDef wholeDim(int64_t n) {
  Indices all(static_cast<size_t>(n));
  std::iota(all.begin(), all.end(), int64_t(0));
  return {{}, {all}};
}

struct ShardDef {
  Shape localShape;
  std::vector<int64_t> content; ///< Flat index in the tensor; -1: padding.
  bool operator==(const ShardDef &) const = default;
};

/// What `rank` must hold, element by element.
ShardDef define(const Mesh &mesh, const std::vector<DimDef> &dims,
                const Shape &shape, int64_t rank) {
  std::vector<int64_t> coordinates(mesh.axes.size());
  int64_t rest = rank;
  for (size_t i = mesh.axes.size(); i-- > 0;) {
    coordinates[i] = rest % mesh.axes[i].size;
    rest /= mesh.axes[i].size;
  }
  ShardDef shard;
  std::vector<const Indices *> held;
  for (const DimDef &dim : dims) {
    size_t part = 0;
    for (int axis : dim.axes)
      part = part * static_cast<size_t>(mesh.axes[size_t(axis)].size) +
             static_cast<size_t>(coordinates[size_t(axis)]);
    held.push_back(&dim.parts[part]);
    shard.localShape.push_back(static_cast<int64_t>(held.back()->size()));
  }
  std::function<void(size_t, int64_t)> visit = [&](size_t dim, int64_t flat) {
    if (dim == dims.size())
      return shard.content.push_back(flat);
    for (int64_t index : *held[dim])
      visit(dim + 1,
            flat < 0 || index >= shape[dim] ? -1 : flat * shape[dim] + index);
  };
  visit(0, 0);
  return shard;
}

/// What the blocks of a shard say.
ShardDef render(const Shard &shard, const Shape &shape) {
  ShardDef result{shard.localShape, {}};
  int64_t size = 1;
  for (int64_t extent : shard.localShape)
    size *= extent;
  result.content.assign(static_cast<size_t>(size), -1);
  for (const Block &block : shard.blocks) {
    std::function<void(size_t, int64_t, int64_t)> visit =
        [&](size_t dim, int64_t full, int64_t local) {
          if (dim == shape.size()) {
            EXPECT_EQ(result.content.at(static_cast<size_t>(local)), -1)
                << "two blocks on one element";
            result.content.at(static_cast<size_t>(local)) = full;
            return;
          }
          EXPECT_GT(block.shape[dim], 0);
          for (int64_t i = 0; i < block.shape[dim]; ++i) {
            EXPECT_LT(block.fullOffset[dim] + i, shape[dim]);
            EXPECT_LT(block.localOffset[dim] + i, shard.localShape[dim]);
            visit(dim + 1, full * shape[dim] + block.fullOffset[dim] + i,
                  local * shard.localShape[dim] + block.localOffset[dim] + i);
          }
        };
    visit(0, 0, 0);
  }
  return result;
}

/// Places a tensor and compares every rank with the definition. Reads it back
/// from the local shapes too.
void check(
    const Layout &layout, const Shape &shape, const std::vector<DimDef> &dims,
    const std::function<bool(int64_t)> &holds = [](int64_t) { return true; }) {
  SCOPED_TRACE(formatShape(shape));
  const LayoutRule &rule = layout.rules[0];
  auto placement = placeTensor(layout, rule, "w", shape);
  ASSERT_TRUE(placement.has_value()) << placement.error().str();
  std::map<uint32_t, const Shard *> byRank;
  uint32_t lastFirst = 0;
  for (const Shard &shard : placement->shards) {
    ASSERT_FALSE(shard.ranks.empty());
    EXPECT_TRUE(std::ranges::is_sorted(shard.ranks));
    EXPECT_TRUE(byRank.empty() || lastFirst < shard.ranks[0]);
    lastFirst = shard.ranks[0];
    for (uint32_t rank : shard.ranks)
      EXPECT_TRUE(byRank.emplace(rank, &shard).second);
  }
  // No two shards are the same: ranks were merged.
  for (size_t i = 0; i < placement->shards.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE(placement->shards[i].blocks == placement->shards[j].blocks &&
                   placement->shards[i].localShape ==
                       placement->shards[j].localShape);

  auto holders = ranksHolding(layout, rule, "w");
  ASSERT_TRUE(holders.has_value());
  std::vector<LocalShape> all, nonEmpty;
  for (int64_t rank = 0; rank < layout.mesh.numRanks(); ++rank) {
    auto number = static_cast<uint32_t>(rank);
    EXPECT_EQ(byRank.contains(number), holds(rank)) << rank;
    EXPECT_EQ(std::ranges::binary_search(*holders, number), holds(rank));
    if (!holds(rank) || !byRank.contains(number))
      continue;
    ShardDef wanted = define(layout.mesh, dims, shape, rank);
    EXPECT_EQ(render(*byRank[number], shape), wanted) << "rank " << rank;
    all.push_back({number, wanted.localShape});
    if (std::ranges::find(wanted.localShape, 0) == wanted.localShape.end())
      nonEmpty.push_back(all.back());
  }

  Shape inferred;
  bool isPadded = std::ranges::any_of(rule.cuts, [](const DimCut &cut) {
    return cut.padTo || cut.padMultiple;
  });
  auto back = inferWholeShape(layout, rule, "w", all, inferred);
  if (isPadded && !rule.shape) {
    EXPECT_FALSE(back.has_value());
    return;
  }
  ASSERT_TRUE(back.has_value()) << back.error().str();
  EXPECT_EQ(inferred, shape);
  EXPECT_TRUE(std::ranges::equal(back->shards, placement->shards));
  if (nonEmpty.empty())
    return;
  auto without = inferWholeShape(layout, rule, "w", nonEmpty, inferred);
  ASSERT_TRUE(without.has_value()) << without.error().str();
  EXPECT_EQ(inferred, shape);
}

TEST(PlaceTensor, CutsOneDimension) {
  for (int64_t d = 1; d <= 5; ++d) {
    std::string mesh = R"({"dp": 2, "tp": )" + std::to_string(d) + "}";
    Layout even = layoutOf(mesh, R"({"match": "*", "shard": {"0": "tp"}})");
    Layout ceil = layoutOf(
        mesh, R"({"match": "*", "shard": {"-2": "tp"}, "chunk": "ceil"})");
    Layout balanced = layoutOf(
        mesh, R"({"match": "*", "shard": {"1": "tp"}, "chunk": "balanced"})");
    size_t parts = static_cast<size_t>(d);
    for (int64_t n = 0; n <= 11; ++n) {
      if (n % d == 0)
        check(even, {n, 3},
              {{{1}, dealOut(parts, {n}, {dealEven(d)})}, wholeDim(3)});
      else
        EXPECT_EQ(placeError(even, {n, 3}),
                  "dimension 0: extent " + std::to_string(n) +
                      " is not divisible by " + std::to_string(d) +
                      " (`chunk` says `ceil` or `balanced` for such tensors)");
      check(ceil, {n, 3},
            {{{1}, dealOut(parts, {n}, {dealCeil({d})})}, wholeDim(3)});
      check(balanced, {2, n},
            {wholeDim(2), {{1}, dealOut(parts, {n}, {dealBalanced(d)})}});
    }
  }
}

TEST(PlaceTensor, CutsOneDimensionByTwoAxes) {
  for (int64_t a = 1; a <= 3; ++a)
    for (int64_t b = 1; b <= 4; ++b) {
      std::string mesh = "{\"a\": " + std::to_string(a) +
                         ", \"r\": 2, \"b\": " + std::to_string(b) + "}";
      auto rule = [](std::string_view axes, std::string_view chunk) {
        return R"({"match": "*", "shard": {"0": )" + std::string(axes) +
               R"(}, "chunk": ")" + std::string(chunk) + "\"}";
      };
      size_t parts = static_cast<size_t>(a * b);
      for (int64_t n = 0; n <= 13; ++n) {
        check(layoutOf(mesh, rule(R"(["a", "b"])", "ceil")), {n},
              {{{0, 2}, dealOut(parts, {n}, {dealCeil({a, b})})}});
        check(layoutOf(mesh, rule(R"(["b", "a"])", "ceil")), {n},
              {{{2, 0}, dealOut(parts, {n}, {dealCeil({b, a})})}});
        check(layoutOf(mesh, rule(R"(["b", "a"])", "balanced")), {n},
              {{{2, 0}, dealOut(parts, {n}, {dealBalanced(a * b)})}});
        if (n % (a * b) == 0)
          check(layoutOf(mesh, rule(R"(["a", "b"])", "even")), {n},
                {{{0, 2}, dealOut(parts, {n}, {dealEven(a * b)})}});
      }
    }
}

TEST(PlaceTensor, CutsTwoDimensions) {
  Layout layout = layoutOf(
      R"({"a": 2, "b": 3, "r": 2})",
      R"({"match": "*", "shard": {"0": "b", "-1": "a"}, "chunk": "ceil"})");
  for (int64_t n = 0; n <= 7; ++n)
    for (int64_t m = 0; m <= 5; ++m)
      check(layout, {n, 2, m},
            {{{1}, dealOut(3, {n}, {dealCeil({3})})},
             wholeDim(2),
             {{0}, dealOut(2, {m}, {dealCeil({2})})}});
}

TEST(PlaceTensor, NestsCeilAsDTensorDoes) {
  const int64_t axes[] = {2, 3};
  EXPECT_EQ(*chunkExtents(10, axes, ChunkRule::Ceil),
            (Shape{2, 2, 1, 2, 2, 1}));
  EXPECT_EQ(*chunkExtents(10, axes, ChunkRule::Balanced),
            (Shape{2, 2, 2, 2, 1, 1}));
  EXPECT_EQ(*chunkExtents(12, axes, ChunkRule::Even),
            (Shape{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(chunkExtents(10, axes, ChunkRule::Even).error().str(),
            "extent 10 is not divisible by 6 (`chunk` says `ceil` or "
            "`balanced` for such tensors)");
  EXPECT_EQ(*chunkExtents(5, {}, ChunkRule::Even), Shape{5});
  const int64_t huge[] = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_FALSE(chunkExtents(5, huge, ChunkRule::Ceil).has_value());
}

TEST(PlaceTensor, TakesSizes) {
  for (Indices sizes : std::vector<Indices>{
           {1, 2, 3}, {0, 5, 0}, {4, 0, 2}, {0, 0, 0}, {2, 2, 2}}) {
    std::string text = formatShape(sizes);
    Layout layout =
        layoutOf(R"({"tp": 3, "dp": 2})",
                 R"({"match": "*", "shard": {"1": "tp"}, "sizes": {"1": )" +
                     text + "}}");
    int64_t n = std::reduce(sizes.begin(), sizes.end());
    check(layout, {2, n},
          {wholeDim(2), {{0}, dealOut(3, {n}, {dealSizes(sizes)})}});
    EXPECT_EQ(placeError(layout, {2, n + 1}),
              "sizes " + text + " of dimension 1 add up to " +
                  std::to_string(n) + ", but its extent is " +
                  std::to_string(n + 1));
  }
}

TEST(PlaceTensor, CutsSegmentBySegment) {
  // Fused q, k, v in their natural order.
  Layout even = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"0": "tp"}, "segments": {"0": [8, 2, 2]}})");
  check(even, {12, 3},
        {{{0}, dealOut(2, {8, 2, 2}, {dealEven(2), dealEven(2), dealEven(2)})},
         wholeDim(3)});
  EXPECT_EQ(placeError(even, {13, 3}), "segments [8, 2, 2] of dimension 0 add "
                                       "up to 12, but its extent is 13");

  Layout number = layoutOf(
      R"({"dp": 2, "tp": 3})",
      R"({"match": "*", "shard": {"-1": "tp"}, "segments": {"-1": 2}, "chunk": "ceil"})");
  for (int64_t half = 0; half <= 7; ++half)
    check(number, {2, 2 * half},
          {wholeDim(2),
           {{1}, dealOut(3, {half, half}, {dealCeil({3}), dealCeil({3})})}});
  EXPECT_EQ(placeError(number, {2, 5}),
            "extent 5 of dimension 1 is not divisible into 2 segments");

  Layout sizes = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"0": "tp"}, "segments": {"0": [5, 0, 3]},
          "sizes": {"0": [[1, 4], [0, 0], [3, 0]]}})");
  check(sizes, {8},
        {{{0},
          dealOut(2, {5, 0, 3},
                  {dealSizes({1, 4}), dealSizes({0, 0}), dealSizes({3, 0})})}});

  Layout unequal = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"0": "tp"}, "segments": {"0": [4, 3]}})");
  EXPECT_EQ(placeError(unequal, {7}),
            "segment 1 of dimension 0: extent 3 is not divisible by 2 "
            "(`chunk` says `ceil` or `balanced` for such tensors)");
}

TEST(PlaceTensor, CutsTwoDimensionsInSegments) {
  Layout layout = layoutOf(
      R"({"a": 2, "b": 2})",
      R"({"match": "*", "shard": {"0": "a", "1": "b"}, "segments": {"0": [2, 4], "1": 2}})");
  check(layout, {6, 4},
        {{{0}, dealOut(2, {2, 4}, {dealEven(2), dealEven(2)})},
         {{1}, dealOut(2, {2, 2}, {dealEven(2), dealEven(2)})}});
  auto placement = placeTensor(layout, layout.rules[0], "w", {6, 4});
  EXPECT_EQ(placement->shards[0].blocks.size(), 4u);
  // With one part the segments are one block.
  Layout one = layoutOf(
      R"({"tp": 1})",
      R"({"match": "*", "shard": {"0": "tp"}, "segments": {"0": [2, 4]}})");
  EXPECT_EQ(placeTensor(one, one.rules[0], "w", {6})->shards[0].blocks.size(),
            1u);
}

TEST(PlaceTensor, CutsThePaddedTensor) {
  for (int64_t n = 0; n <= 12; ++n) {
    std::string shape = "\"shape\": [" + std::to_string(n) + ", 2]";
    Layout to =
        layoutOf(R"({"tp": 4})",
                 R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": 12}, )" +
                     shape + "}");
    check(to, {n, 2}, {{{0}, dealOut(4, {12}, {dealEven(4)})}, wholeDim(2)});
    Layout multiple = layoutOf(
        R"({"tp": 2})",
        R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": {"multiple": 6}, "1": 3}, "pad_value": -1})");
    int64_t padded = (n + 5) / 6 * 6;
    check(multiple, {n, 2},
          {{{0}, dealOut(2, {padded}, {dealEven(2)})}, wholeDim(3)});
    Layout sizes = layoutOf(
        R"({"tp": 2})",
        R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": 12}, "sizes": {"0": [5, 7]}, )" +
            shape + "}");
    check(sizes, {n, 2},
          {{{0}, dealOut(2, {12}, {dealSizes({5, 7})})}, wholeDim(2)});
  }
  Layout layout =
      layoutOf(R"({"tp": 2})",
               R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": 4}})");
  EXPECT_EQ(placeError(layout, {5}),
            "dimension 0 is padded to 4, but has extent 5");
}

TEST(PlaceTensor, ReplicatesAndTakesScalars) {
  Layout layout =
      layoutOf(R"({"a": 2, "b": 3})", R"({"match": "*", "replicate": true})");
  check(layout, {}, {});
  check(layout, {2, 2}, {wholeDim(2), wholeDim(2)});
  check(layout, {0, 4}, {wholeDim(0), wholeDim(4)});
  EXPECT_EQ(
      placeTensor(layout, layout.rules[0], "w", {2, 2})->shards[0].ranks.size(),
      6u);
  Layout noMesh = layoutOf("{}", R"({"match": "*"})");
  check(noMesh, {3}, {wholeDim(3)});
}

TEST(PlaceTensor, HoldsOnlyWhereOnSays) {
  const char *mesh = R"({"pp": 3, "tp": 2})";
  Layout one = layoutOf(
      mesh, R"({"match": "*", "shard": {"0": "tp"}, "on": {"pp": 1}})");
  check(one, {4}, {{{1}, dealOut(2, {4}, {dealEven(2)})}},
        [](int64_t rank) { return rank / 2 == 1; });
  Layout list = layoutOf(
      mesh, R"({"match": "*", "shard": {"0": "tp"}, "on": {"pp": [2, 0, 2]}})");
  check(list, {4}, {{{1}, dealOut(2, {4}, {dealEven(2)})}},
        [](int64_t rank) { return rank / 2 != 1; });
  Layout expr = layoutOf(
      mesh, R"({"match": "layers.{i}.*", "on": {"pp": "i // 20", "tp": 0}})");
  EXPECT_EQ(*ranksHolding(expr, expr.rules[0], "layers.19.w"),
            std::vector<uint32_t>{0});
  EXPECT_EQ(*ranksHolding(expr, expr.rules[0], "layers.41.w"),
            std::vector<uint32_t>{4});
  EXPECT_EQ(placeError(expr, {4}, "layers.60.w"),
            "coordinate 3 of axis `pp` for `layers.60.w` lies outside the "
            "mesh, where the axis has size 3");
  Layout outside = layoutOf(mesh, R"({"match": "*", "on": {"pp": [0, -1]}})");
  EXPECT_NE(placeError(outside, {4}).find("coordinate -1 of axis `pp`"),
            std::string::npos);
}

TEST(PlaceTensor, RefusesToLoseParts) {
  const char *mesh = R"({"tp": 3})";
  Layout lost = layoutOf(
      mesh, R"({"match": "*", "shard": {"0": "tp"}, "on": {"tp": [0, 2]}})");
  EXPECT_EQ(placeError(lost, {6}),
            "part 1 of dimension 0, which begins at 2, is held by no rank: "
            "`on` leaves out coordinate 1 of axis `tp`");
  // An empty tensor has a shape to lose.
  Layout columns = layoutOf(
      mesh, R"({"match": "*", "shard": {"1": "tp"}, "on": {"tp": [0, 2]}})");
  EXPECT_EQ(placeError(columns, {0, 6}),
            "part 1 of dimension 1, which begins at 2, is held by no rank: "
            "`on` leaves out coordinate 1 of axis `tp`");
  check(columns, {6, 0}, {wholeDim(6), {{0}, dealOut(3, {0}, {dealEven(3)})}},
        [](int64_t rank) { return rank != 1; });
  Layout nothingThere = layoutOf(
      mesh,
      R"({"match": "*", "shard": {"0": "tp"}, "sizes": {"0": [4, 0, 2]}, "on": {"tp": [0, 2]}})");
  check(nothingThere, {6}, {{{0}, dealOut(3, {6}, {dealSizes({4, 0, 2})})}},
        [](int64_t rank) { return rank != 1; });
}

TEST(PlaceTensor, RefusesDimensionsThatAreNotThere) {
  Layout layout =
      layoutOf(R"({"tp": 2})", R"({"match": "*", "shard": {"1": "tp"}})");
  EXPECT_EQ(placeError(layout, {4}), "dimension 1 does not exist in shape [4]");
  EXPECT_EQ(placeError(layout, {}),
            "dimension 1 does not exist in shape []; a scalar wants a rule "
            "before this one");
  Layout twice =
      layoutOf(R"({"tp": 2, "ep": 2})",
               R"({"match": "*", "shard": {"1": "tp", "-1": "ep"}})");
  EXPECT_EQ(placeError(twice, {4, 4}),
            "the rule names dimension 1 of shape [4, 4] twice, as 1 and -1");
  check(twice, {4, 4, 2},
        {wholeDim(4),
         {{0}, dealOut(2, {4}, {dealEven(2)})},
         {{1}, dealOut(2, {2}, {dealEven(2)})}});
  // Sizes may name the dimension from the other end.
  Layout mixed = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"-1": "tp"}, "sizes": {"0": [1, 3]}})");
  check(mixed, {4}, {{{0}, dealOut(2, {4}, {dealSizes({1, 3})})}});
  EXPECT_EQ(placeError(mixed, {4, 2}),
            "sizes of dimension 0, which `shard` does not cut");
}

TEST(PlaceTensor, ChecksTheShapeOfTheRule) {
  Layout layout = layoutOf("{}", R"({"match": "*", "shape": [2, 3]})");
  EXPECT_EQ(placeError(layout, {3, 2}),
            "shape [3, 2], but the layout says [2, 3]");
}

TEST(PlaceTensor, LimitsRanks) {
  Layout layout = layoutOf(R"({"a": 1048576, "b": 2048})", R"({"match": "*"})");
  EXPECT_EQ(placeError(layout, {2}),
            "`w` would be held by more than 1048576 ranks");
  Layout some = layoutOf(
      R"({"a": 1048576, "b": 2048})",
      R"({"match": "*", "shard": {"0": "b"}, "chunk": "ceil", "on": {"a": 7}})");
  auto placement = placeTensor(some, some.rules[0], "w", {3});
  ASSERT_TRUE(placement.has_value());
  EXPECT_EQ(placement->shards.size(), 4u); // three rows, and all the empty ones
  EXPECT_EQ(placement->shards[3].ranks.size(), 2045u);
}

TEST(PlaceTensor, PlacesOnManyRanksInMilliseconds) {
  Layout layout = layoutOf(R"({"dp": 2048, "tp": 8})",
                           R"({"match": "*", "shard": {"0": "tp"}})");
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(
        placeTensor(layout, layout.rules[0], "w", {4096, 4096})->shards.size(),
        8u);
  auto took = std::chrono::steady_clock::now() - begin;
  // Generous: sanitizers and a busy machine.
  EXPECT_LT(took, std::chrono::seconds(5));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::string inferError(const Layout &layout, std::vector<LocalShape> entries) {
  Shape whole;
  auto placement =
      inferWholeShape(layout, layout.rules[0], "w", entries, whole);
  return placement ? "no error, " + formatShape(whole)
                   : placement.error().str();
}

TEST(InferWholeShape, NamesRankFileAndBothShapes) {
  Layout even = layoutOf(R"({"dp": 2, "tp": 2})",
                         R"({"match": "*", "shard": {"0": "tp"}})");
  EXPECT_EQ(
      inferError(even, {{0, {3, 4}}, {1, {2, 4}}, {2, {3, 4}}, {3, {2, 4}}}),
      "`w` with shape [5, 4] from local shapes as [3, 4] on rank 0 "
      "(`rank_00000.safetensors`): dimension 0: extent 5 is not "
      "divisible by 2 (`chunk` says `ceil` or `balanced` for such "
      "tensors)");
  EXPECT_EQ(
      inferError(even, {{0, {3, 4}}, {1, {1, 4}}, {2, {3, 4}}, {3, {1, 4}}}),
      "rank 0 (`rank_00000.safetensors`) has `w` with shape [3, 4], "
      "expected [2, 4] as its part of shape [4, 4], which the ranks "
      "have together");
  EXPECT_EQ(
      inferError(even, {{0, {2, 4}}, {1, {2, 4}}, {2, {2, 5}}, {3, {2, 4}}}),
      "rank 2 (`rank_00002.safetensors`) has `w` with shape [2, 5], but "
      "rank 0 (`rank_00000.safetensors`) with shape [2, 4]: both hold "
      "the same part of dimension 1");
  EXPECT_EQ(inferError(even, {{0, {2, 4}}, {1, {2, 4}}, {3, {2, 4}}}),
            "rank 2 (`rank_00002.safetensors`) does not have `w`, expected "
            "shape [2, 4] as its part of shape [4, 4], which the ranks have "
            "together");
  EXPECT_EQ(inferError(even, {{0, {2}}, {1, {2, 4}}}),
            "rank 1 (`rank_00001.safetensors`) has `w` with shape [2, 4], but "
            "rank 0 (`rank_00000.safetensors`) with shape [2]");
  EXPECT_EQ(inferError(even, {}), "no rank has `w`");
  EXPECT_EQ(inferError(even, {{0, {2}}, {0, {2}}}),
            "rank 0 (`rank_00000.safetensors`) has `w` twice");
}

TEST(InferWholeShape, RefusesRanksThatDoNotHold) {
  Layout layout =
      layoutOf(R"({"pp": 2})", R"({"match": "*", "on": {"pp": 1}})");
  EXPECT_EQ(inferError(layout, {{0, {2}}, {1, {2}}}),
            "rank 0 (`rank_00000.safetensors`) has `w` with shape [2], but "
            "the layout does not place it there");
  EXPECT_EQ(inferError(layout, {{1, {2}}}), "no error, [2]");
}

TEST(InferWholeShape, WantsSizesExactly) {
  Layout layout = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"0": "tp"}, "sizes": {"0": [1, 3]}})");
  EXPECT_EQ(inferError(layout, {{0, {1}}, {1, {3}}}), "no error, [4]");
  EXPECT_EQ(inferError(layout, {{0, {2}}, {1, {2}}}),
            "rank 0 (`rank_00000.safetensors`) has `w` with shape [2], "
            "expected [1] as its part of shape [4], which the ranks have "
            "together");
}

TEST(InferWholeShape, WantsTheUnpaddedShape) {
  Layout without =
      layoutOf(R"({"tp": 2})",
               R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": 8}})");
  EXPECT_EQ(inferError(without, {{0, {4}}, {1, {4}}}),
            "`w` is padded, but its rule does not say the unpadded `shape`");
  Layout with = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": 8}, "shape": [5]})");
  EXPECT_EQ(inferError(with, {{0, {4}}, {1, {4}}}), "no error, [5]");
  EXPECT_EQ(inferError(with, {{0, {4}}, {1, {3}}}),
            "rank 1 (`rank_00001.safetensors`) has `w` with shape [3], "
            "expected [4] as its part of shape [5], which the rule says");
}

TEST(InferWholeShape, RefusesWhatIsBeyond64Bits) {
  Layout layout =
      layoutOf(R"({"tp": 2})", R"({"match": "*", "shard": {"0": "tp"}})");
  EXPECT_NE(inferError(layout, {{0, {INT64_MAX}}, {1, {INT64_MAX}}})
                .find("more than 64 bits hold"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

TEST(Partition, FollowsFromTheRule) {
  Layout layout = layoutOf(
      R"({"ep": 2, "tp": 3})",
      R"({"match": "*", "shard": {"0": ["ep", "tp"]}, "segments": {"0": 2}})");
  PartitionInfo info = partitionOf(layout, layout.rules[0], 2);
  ASSERT_EQ(info.dims.size(), 2u);
  EXPECT_EQ(info.dims[0].numParts, 6);
  EXPECT_TRUE(info.dims[0].segmented);
  EXPECT_TRUE(info.dims[0].sizes.empty());
  EXPECT_EQ(info.dims[1].numParts, 1);
  EXPECT_EQ(info.numDistinctOffsets, 6);
  EXPECT_EQ(info.range, layout.rules[0].range);

  Layout sizes = layoutOf(
      R"({"tp": 2})",
      R"({"match": "*", "shard": {"-1": "tp"}, "sizes": {"-1": [1, 3]}})");
  EXPECT_EQ(partitionOf(sizes, sizes.rules[0], 3).dims[2].sizes, (Shape{1, 3}));
  EXPECT_EQ(partitionOf(sizes, sizes.rules[0], 0).numDistinctOffsets, 1);
}

TEST(Partition, FollowsFromTheShards) {
  Layout layout = layoutOf(
      R"({"a": 2, "b": 3, "r": 2})",
      R"({"match": "*", "shard": {"0": "b", "1": "a"}, "segments": {"1": 2}, "chunk": "ceil"})");
  Tensor tensor{"w", DType::F32, {7, 8}, {}};
  tensor.shards = placeTensor(layout, layout.rules[0], "w", {7, 8})->shards;
  PartitionInfo info = partitionOf(tensor);
  EXPECT_EQ(info.dims[0].numParts, 3);
  EXPECT_EQ(info.dims[0].sizes, (Shape{3, 3, 1}));
  EXPECT_FALSE(info.dims[0].segmented);
  EXPECT_EQ(info.dims[1].numParts, 2);
  EXPECT_EQ(info.dims[1].sizes, (Shape{4, 4}));
  EXPECT_TRUE(info.dims[1].segmented);
  EXPECT_EQ(info.numDistinctOffsets, 6);

  PartitionInfo whole = partitionOf(Tensor{"w", DType::F32, {7, 8}, {}});
  EXPECT_EQ(whole.dims[0].numParts, 1);
  EXPECT_EQ(whole.dims[1].sizes, Shape{8});
  EXPECT_EQ(whole.numDistinctOffsets, 1);
}

TEST(TensorPlacer, SharesTheListsOfEqualCuts) {
  DiagnosticList list;
  Layout layout = *parseLayout(R"({"schema": "aoa.layout/1",
    "mesh": {"pp": 2, "tp": 4},
    "rules": [{"match": "layers.{i}.*", "shard": {"0": "tp"},
               "on": {"pp": "i // 2"}},
              {"match": "*", "shard": {"0": "tp"}}]})",
                               FileId(0), list);
  TensorPlacer placer(layout);
  auto place = [&](std::string_view name, const Shape &shape) {
    auto shards = placer.place(*layout.findRule(name), name, shape);
    EXPECT_TRUE(shards) << shards.error().str();
    auto alone = placeTensor(layout, *layout.findRule(name), name, shape);
    EXPECT_EQ(shards->all(), alone->shards) << name;
    return *shards;
  };
  ShardList first = place("layers.0.w", {8, 3});
  EXPECT_TRUE(first.isSameList(place("layers.1.v", {8, 3})));
  EXPECT_FALSE(first.isSameList(place("layers.2.w", {8, 3})));
  EXPECT_FALSE(first.isSameList(place("layers.0.w", {8, 2})));
  EXPECT_FALSE(first.isSameList(place("other", {8, 3})));
  const LayoutRule &rule = layout.rules[0];
  for (const char *name : {"layers.4.w", "layers.5.w"})
    EXPECT_EQ(placer.place(rule, name, {8, 3}).error().str(),
              std::string("coordinate 2 of axis `pp` for `") + name +
                  "` lies outside the mesh, where the axis has size 2");
}

TEST(ShardLists, KeepEachListOnce) {
  ShardLists lists;
  ShardList whole = lists.intern({wholeShard({2, 3})});
  EXPECT_TRUE(whole.isSameList(lists.intern({wholeShard({2, 3})})));
  EXPECT_TRUE(whole.isSameList(lists.whole({2, 3})));
  EXPECT_FALSE(whole.isSameList(lists.whole({3, 2})));
  Shard scaled = wholeShard({2, 3});
  scaled.scale = 0.5;
  EXPECT_NE(whole, lists.intern({scaled}));
  Shard strided = wholeShard({2, 3});
  strided.blocks.clear();
  strided.strided = {{{6}, 0, {1}, 0, {1}}};
  ShardList flat = lists.intern({strided});
  EXPECT_TRUE(flat.isSameList(lists.intern({strided})));
  EXPECT_TRUE(lists.intern({}).empty());
  EXPECT_EQ(lists.intern({}).identity(), nullptr);
}

TEST(PlacePieces, GroupsRanksThatHoldTheSame) {
  Layout layout =
      layoutOf(R"({"dp": 2, "tp": 2})", R"({"match": "*", "scale": "1/tp",
    "pieces": {
      "0": {"shape": [2, 2], "pieces": [
        {"shape": [2, 2], "full": [0, [3, 1]], "shard": [0, [2, 1]]}]},
      "2": {"shape": [2, 2], "pieces": [
        {"shape": [2, 2], "full": [0, [3, 1]], "shard": [0, [2, 1]]}]},
      "3": {"shape": [2], "pieces": [
        {"shape": [0], "full": [99, [1]], "shard": [0, [1]]},
        {"shape": [2], "full": [2, [3]], "shard": [0, [1]]}]}}})");
  auto placed = placeTensor(layout, layout.rules[0], "w", {2, 3});
  ASSERT_TRUE(placed) << placed.error().str();
  ASSERT_EQ(placed->shards.size(), 2u);
  EXPECT_EQ(placed->shards[0].ranks, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(placed->shards[0].blocks,
            (std::vector<Block>{{{0, 0}, {0, 0}, {2, 2}}}));
  EXPECT_EQ(placed->shards[0].scale, 0.5);
  EXPECT_EQ(placed->shards[1].strided,
            (std::vector<StridedBlock>{{{2}, 2, {3}, 0, {1}}}));
  EXPECT_EQ(*ranksHolding(layout, layout.rules[0], "w"),
            (std::vector<uint32_t>{0, 2, 3}));
  EXPECT_EQ(placeError(layout, {2, 4}),
            "element [1, 2] of shape [2, 4] is in no piece of any rank");
  EXPECT_EQ(placeError(layout, {1, 3}),
            "rank 0: piece 0: reaches address 4 of the tensor, which has shape "
            "[1, 3] and 3 elements");
}

TEST(PlacePieces, ShardsAreFilledOnceUnlessPadded) {
  auto rule = [](std::string_view pieces, std::string_view more = "") {
    return R"({"match": "*", "pieces": {"0": {"shape": [4], "pieces": [)" +
           std::string(pieces) + "]}}" + std::string(more) + "}";
  };
  std::string_view three =
      R"({"shape": [3], "full": [0, [1]], "shard": [1, [1]]})";
  EXPECT_EQ(placeError(layoutOf("{}", rule(three)), {3}),
            "rank 0: no piece gives element [0] of the shard [4]");
  Layout padded = layoutOf("{}", rule(three, R"(, "pad_value": 1)"));
  EXPECT_EQ(placeError(padded, {3}), "no error");
  EXPECT_EQ(
      placeError(layoutOf("{}", rule(std::string(three) +
                                     R"(, {"shape": [2], "full": [0, [1]],
                                           "shard": [0, [1]]})")),
                 {3}),
      "rank 0: the pieces that begin at [0] and [0] of the tensor both give "
      "element [1] of the shard [4]");
}

TEST(PlacePieces, ReadingNeedsTheShape) {
  std::string_view pieces = R"("pieces": {
      "0": {"shape": [2], "pieces": [
        {"shape": [2], "full": [0, [1]], "shard": [0, [1]]}]},
      "1": {"shape": [1, 2], "pieces": [
        {"shape": [1, 2], "full": [2, [2, 1]], "shard": [0, [2, 1]]}]}})";
  Layout without = layoutOf(R"({"tp": 2})",
                            R"({"match": "*", )" + std::string(pieces) + "}");
  Layout with = layoutOf(R"({"tp": 2})", R"({"match": "*", "shape": [2, 2], )" +
                                             std::string(pieces) + "}");
  std::vector<LocalShape> local = {{0, {2}}, {1, {1, 2}}};
  Shape whole;
  EXPECT_EQ(
      inferWholeShape(without, without.rules[0], "w", local, whole)
          .error()
          .str(),
      "`w` is placed by `pieces`, but its rule does not say the whole `shape`");
  auto placed = inferWholeShape(with, with.rules[0], "w", local, whole);
  ASSERT_TRUE(placed) << placed.error().str();
  EXPECT_EQ(whole, (Shape{2, 2}));
  local[1].shape = {2, 1};
  EXPECT_EQ(
      inferWholeShape(with, with.rules[0], "w", local, whole).error().str(),
      "rank 1 (`rank_00001.safetensors`) has `w` with shape [2, 1], "
      "expected [1, 2] as its part of shape [2, 2], which the rule says");
}

TEST(Scale, IsForFloatingPointOnly) {
  Layout layout = layoutOf("{}", R"({"match": "*", "scale": 0.5})");
  EXPECT_TRUE(checkScale(layout.rules[0], DType::BF16));
  EXPECT_EQ(checkScale(layout.rules[0], DType::I32).error().str(),
            "scale 0.5 of a tensor of I32, expected a floating point dtype");
  EXPECT_EQ(placeTensor(layout, layout.rules[0], "w", {3})->shards[0].scale,
            0.5);
}

} // namespace
