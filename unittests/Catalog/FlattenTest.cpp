//===- FlattenTest.cpp - Flat shards against enumeration --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A buffer is built element by element, out of the local shards that the rule
// gives without `flatten`, and cut with plain loops.
//===----------------------------------------------------------------------===//
#include "HeldElements.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/ModelPlacement.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/JsonReader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include <fmt/format.h>

using namespace aoa;
using namespace aoa::test;

namespace {

Layout layoutOf(const std::string &mesh, const std::string &rules) {
  std::string json =
      fmt::format(R"({{"schema": "aoa.layout/1", "mesh": {}, "rules": [{}]}})",
                  mesh, rules);
  DiagnosticList list;
  std::optional<Layout> layout = parseLayout(json, FileId(0), list);
  for (const Diagnostic &d : list.list)
    ADD_FAILURE() << d.jsonPath << ": " << d.message << " in " << json;
  return layout ? std::move(*layout) : Layout();
}

struct Model {
  std::vector<std::string> names;
  std::vector<Shape> shapes;

  std::vector<TensorToPlace> tensors() const {
    std::vector<TensorToPlace> all;
    for (size_t i = 0; i < names.size(); ++i)
      all.push_back({names[i], shapes[i]});
    return all;
  }
};

/// What each rank holds of each tensor, in a buffer over the first axis of the
/// mesh. The tensors are in the order of the buffer.
std::vector<std::map<uint32_t, Held>> expectedFragments(const Layout &layout,
                                                        const Model &model,
                                                        int64_t align,
                                                        int64_t alignEach) {
  Layout local = layout;
  for (LayoutRule &rule : local.rules)
    rule.flatten.reset();
  std::vector<std::map<uint32_t, Held>> expected(model.names.size());
  int64_t size = layout.mesh.axes[0].size;
  int64_t stride = layout.mesh.numRanks() / size;
  for (int64_t base = 0; base < stride; ++base) {
    std::vector<std::pair<size_t, int64_t>> buffer; // Tensor, element.
    for (size_t t = 0; t < model.names.size(); ++t) {
      auto placement = placeTensor(local, *local.findRule(model.names[t]),
                                   model.names[t], model.shapes[t]);
      EXPECT_TRUE(placement) << placement.error().str();
      auto held = heldByRank(placement->shards, model.shapes[t]);
      Held mine = held[static_cast<uint32_t>(base)];
      if (mine.empty())
        continue;
      while (static_cast<int64_t>(buffer.size()) % alignEach != 0)
        buffer.emplace_back(SIZE_MAX, -1);
      for (int64_t element : mine)
        buffer.emplace_back(t, element);
    }
    while (static_cast<int64_t>(buffer.size()) % (align * size) != 0)
      buffer.emplace_back(SIZE_MAX, -1);
    int64_t part = static_cast<int64_t>(buffer.size()) / size;
    for (size_t i = 0; i < buffer.size(); ++i)
      if (auto [t, element] = buffer[i]; t != SIZE_MAX)
        expected[t][static_cast<uint32_t>(base + static_cast<int64_t>(i) /
                                                     part * stride)]
            .push_back(element);
  }
  return expected;
}

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t upTo(int64_t most) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(most + 1));
  }
  int64_t between(int64_t least, int64_t most) {
    return least + upTo(most - least);
  }

private:
  std::mt19937_64 engine;
};

/// A rule that cuts tensors of `shape` over `tp` in one of many ways, or not.
std::string randomCut(Random &random, Shape &shape, int64_t tp) {
  auto dim =
      static_cast<size_t>(random.upTo(static_cast<int64_t>(shape.size()) - 1));
  std::string shard = fmt::format(R"("shard": {{"{}": "tp"}})", dim);
  switch (random.upTo(4)) {
  case 0:
    return R"("chunk": "even")"; // Nothing is cut.
  case 1:
    return shard + R"(, "chunk": "ceil")";
  case 2:
    return shard + R"(, "chunk": "balanced")";
  case 3: {
    int64_t first = random.upTo(shape[dim]);
    return shard + fmt::format(R"(, "chunk": "balanced", "segments": {{"{}": )"
                               R"([{}, {}]}})",
                               dim, first, shape[dim] - first);
  }
  default:
    return shard + fmt::format(R"(, "pad": {{"{}": {{"multiple": {}}}}})", dim,
                               tp * random.between(1, 3));
  }
}

TEST(Flatten, RandomShardsAgreeWithEnumeration) {
  uint64_t seed = 20260922;
  RecordProperty("seed", std::to_string(seed));
  Random random(seed);
  int numFragments = 0;
  for (int round = 0; round < 5000; ++round) {
    int64_t dp = random.between(1, 5), tp = random.between(1, 3);
    int64_t align = random.between(1, 3), alignEach = random.between(1, 4);
    bool each = random.upTo(3) == 0;
    Model model;
    std::string rules;
    int64_t numTensors = each ? 1 : random.between(1, 4);
    for (int64_t t = 0; t < numTensors; ++t) {
      Shape shape(static_cast<size_t>(random.between(1, 5)));
      for (int64_t &extent : shape)
        extent = random.between(random.upTo(9) == 0 ? 0 : 1, 4);
      std::string cut = randomCut(random, shape, tp);
      model.names.push_back(fmt::format("t{}", t));
      model.shapes.push_back(shape);
      rules += fmt::format(
          R"({}{{"match": "t{}", {}, "flatten": {{"over": "dp", "align": {}, )"
          R"("align_each": {}, {}}}}})",
          t == 0 ? "" : ", ", t, cut, align, alignEach,
          each ? R"("each": true)" : R"("group": "g")");
    }
    std::string mesh = fmt::format(R"({{"dp": {}, "tp": {}}})", dp, tp);
    SCOPED_TRACE(
        fmt::format("seed {} round {}: {} {}", seed, round, mesh, rules));
    Layout layout = layoutOf(mesh, rules);
    ModelPlacement placed(layout, model.tensors());
    auto expected = expectedFragments(layout, model, align, alignEach);
    for (size_t t = 0; t < model.names.size(); ++t) {
      SCOPED_TRACE(formatShape(model.shapes[t]));
      ASSERT_TRUE(placed.shardsOf(t)) << placed.shardsOf(t).error().str();
      std::vector<Shard> shards = placed.shardsOf(t)->all();
      ASSERT_TRUE(std::ranges::is_sorted(
          shards, {}, [](const Shard &s) { return s.ranks.front(); }));
      auto held = heldByRank(shards, model.shapes[t]);
      if (checkedNumElements(model.shapes[t]) == 0) {
        // Every rank names it; a padded local shard has padding to cut.
        EXPECT_EQ(held.size(), static_cast<size_t>(dp * tp));
        std::erase_if(held, [](const auto &of) { return of.second.empty(); });
      }
      ASSERT_EQ(held, expected[t]);
      numFragments += static_cast<int>(shards.size());
      size_t rank = model.shapes[t].size();
      for (const Shard &shard : shards) {
        ASSERT_TRUE(std::ranges::is_sorted(shard.ranks));
        // Two segments at most.
        EXPECT_LE(shard.strided.size() + shard.blocks.size(),
                  2 * (2 * rank - 1));
      }
    }
    if (HasFailure())
      return;
  }
  EXPECT_GT(numFragments, 10000);
}

TEST(Flatten, WholeTensorsAndColumnsInFewBoxes) {
  Model model{{"w"}, {{3, 4, 5}}};
  Layout layout =
      layoutOf(R"({"dp": 4})", R"({"match": "*", "flatten": {"over": "dp"}})");
  ModelPlacement whole(layout, model.tensors());
  for (const Shard &shard : *whole.shardsOf(0))
    EXPECT_EQ(shard.strided.size(), 1u); // Contiguous in both.

  // A column cut makes three boxes: part of a row, rows, part of a row.
  model.shapes = {{6, 10}};
  layout = layoutOf(R"({"dp": 2, "tp": 2})",
                    R"({"match": "*", "shard": {"1": "tp"},
                        "flatten": {"over": "dp", "align": 9}})");
  ModelPlacement columns(layout, model.tensors());
  const Shard &first = (*columns.shardsOf(0))[0];
  EXPECT_EQ(first.localShape, Shape{18});
  EXPECT_EQ(first.strided.size(), 2u); // Rows 0, 1, 2 and part of row 3.
  const Shard &second = (*columns.shardsOf(0))[2];
  EXPECT_EQ(second.ranks, std::vector<uint32_t>{2});
  EXPECT_EQ(second.localShape, Shape{12});
  EXPECT_EQ(second.strided.size(), 2u);
}

//===--- published partitions
//----------------------------------------------===//

Model modelOf(JsonValue params) {
  Model model;
  for (auto [name, shape] : params.members()) {
    model.names.emplace_back(name.str());
    model.shapes.push_back(shapeOf(shape));
  }
  return model;
}

/// The fragment [offset, offset + length) of every parameter of a rank.
void checkFragments(const ModelPlacement &placed, const Model &model,
                    uint32_t rank, JsonValue fragments,
                    std::string_view length) {
  size_t numFound = 0, numExpected = 0;
  for (auto [name, fragment] : fragments.members())
    numExpected += numberOf(fragment, length) > 0;
  for (size_t t = 0; t < model.names.size(); ++t)
    for (const Shard &shard : *placed.shardsOf(t)) {
      if (!std::ranges::binary_search(shard.ranks, rank))
        continue;
      ++numFound;
      std::optional<JsonValue> fragment = fragments.find(model.names[t]);
      ASSERT_TRUE(fragment) << model.names[t] << " on rank " << rank;
      Held held = heldBy(shard, model.shapes[t]);
      ASSERT_EQ(static_cast<int64_t>(held.size()), numberOf(*fragment, length));
      for (size_t i = 0; i < held.size(); ++i)
        EXPECT_EQ(held[i], numberOf(*fragment, "param_offset") +
                               static_cast<int64_t>(i));
    }
  EXPECT_EQ(numFound, numExpected) << "rank " << rank;
}

TEST(Flatten, PublishedZeroPartitions) {
  std::string text = readInput("layouts.json");
  auto document = JsonDocument::parse(text);
  ASSERT_TRUE(document);
  int numRanks = 0;
  for (JsonValue entry : document->root().find("zero12")->elements()) {
    Model model = modelOf(*entry.find("params"));
    int64_t dp = numberOf(entry, "dp");
    Layout layout =
        layoutOf(fmt::format(R"({{"dp": {}}})", dp),
                 fmt::format(R"({{"match": "*", "flatten": {{"over": "dp", )"
                             R"("align": {}}}}})",
                             numberOf(entry, "alignment") / dp));
    ModelPlacement placed(layout, model.tensors());
    for (auto [rank, of] : entry.find("ranks")->members()) {
      checkFragments(placed, model,
                     static_cast<uint32_t>(std::stoi(std::string(rank.str()))),
                     *of.find("fragments"), "numel");
      ++numRanks;
    }
  }
  EXPECT_EQ(numRanks, 14);
  for (JsonValue entry : document->root().find("zero3")->elements())
    for (JsonValue subgroup : entry.find("subgroups")->elements()) {
      Model model = modelOf(*subgroup.find("params"));
      Layout layout =
          layoutOf(fmt::format(R"({{"dp": {}}})", numberOf(entry, "dp")),
                   R"({"match": "*", "flatten": {"over": "dp",
                                                 "each": true}})");
      ModelPlacement placed(layout, model.tensors());
      for (auto [rank, of] : subgroup.find("ranks")->members()) {
        checkFragments(
            placed, model,
            static_cast<uint32_t>(std::stoi(std::string(rank.str()))),
            *of.find("fragments"), "real_numel");
        ++numRanks;
      }
    }
  EXPECT_EQ(numRanks, 22);
}

TEST(Flatten, PublishedRoundRobinOrder) {
  std::string text = readInput("layouts.json");
  auto document = JsonDocument::parse(text);
  ASSERT_TRUE(document);
  JsonValue entry = *document->root().find("zero12_round_robin_order");
  std::string order;
  std::vector<std::string> inBuffer;
  for (JsonValue name : entry.find("order")->elements()) {
    inBuffer.emplace_back(name.str());
    order += fmt::format("{}\"{}\"", order.empty() ? "" : ", ", name.str());
  }
  // One element each on a rank of its own: the ranks tell the order.
  Layout layout = layoutOf(
      fmt::format(R"({{"dp": {}}})", inBuffer.size()),
      fmt::format(
          R"({{"match": "*", "flatten": {{"over": "dp", "order": [{}]}})"
          "}}",
          order));
  Model model;
  for (JsonValue name : entry.find("params")->elements()) {
    model.names.emplace_back(name.str());
    model.shapes.push_back({1});
  }
  ModelPlacement placed(layout, model.tensors());
  for (size_t t = 0; t < model.names.size(); ++t) {
    uint32_t rank = (*placed.shardsOf(t))[0].ranks[0];
    EXPECT_EQ(inBuffer[rank], model.names[t]);
  }
}

//===--- order, sharing, refusals, speed
//-----------------------------------===//

TEST(Flatten, PatternsOrderFirstAndNamesThen) {
  Layout layout =
      layoutOf(R"({"dp": 6})",
               R"({"match": "*.x", "flatten": {"over": "dp", "group": "g",
                                               "order": ["z*", "a*"]}},
                  {"match": "*", "flatten": {"over": "dp", "group": "g",
                                             "order": ["z*", "a*"]}})");
  Model model{{"b.x", "a2", "a1.x", "z", "c", "a10"},
              {{1}, {1}, {1}, {1}, {1}, {1}}};
  ModelPlacement placed(layout, model.tensors());
  std::vector<std::string> inBuffer(6);
  for (size_t t = 0; t < 6; ++t)
    inBuffer[(*placed.shardsOf(t))[0].ranks[0]] = model.names[t];
  EXPECT_EQ(inBuffer,
            (std::vector<std::string>{"z", "a1.x", "a10", "a2", "b.x", "c"}));
  EXPECT_EQ(placed.ruleOf(0), &layout.rules[0]);
  EXPECT_EQ(placed.usedRules(), (std::vector<bool>{true, true}));
}

TEST(Flatten, PipelineStagesHaveBuffersOfTheirOwn) {
  Layout layout = layoutOf(R"({"pp": 2, "dp": 2})",
                           R"({"match": "layers.{i}.*", "on": {"pp": "i"},
                   "flatten": {"over": "dp", "group": "g"}},
                  {"match": "*", "flatten": {"over": "dp", "group": "g"}})");
  Model model{{"layers.0.w", "layers.1.w", "norm"}, {{4}, {8}, {2}}};
  ModelPlacement placed(layout, model.tensors());
  // Stage 0: w w w | w n n, stage 1: 5 of w | 3 of w, n n.
  auto first = heldByRank(placed.shardsOf(0)->all(), {4});
  EXPECT_EQ(first, (std::map<uint32_t, Held>{{0, {0, 1, 2}}, {1, {3}}}));
  auto second = heldByRank(placed.shardsOf(1)->all(), {8});
  EXPECT_EQ(second,
            (std::map<uint32_t, Held>{{2, {0, 1, 2, 3, 4}}, {3, {5, 6, 7}}}));
  EXPECT_EQ(placed.shardsOf(2)->size(), 1u);
  EXPECT_EQ((*placed.shardsOf(2))[0].ranks, (std::vector<uint32_t>{1, 3}));
}

/// Pieces give the local shards of the ranks at coordinate 0.
TEST(Flatten, LocalShardsOfPieces) {
  const char *rule =
      R"({{"match": "*", "flatten": {{"over": "dp"}}, "pieces": {{
    "0": {{"shape": [2, 2], "pieces": [
      {{"shape": [2, 2], "full": [0, [1, 4]], "shard": [0, [2, 1]]}}]}},
    "{}": {{"shape": [2, 2], "pieces": [
      {{"shape": [2, 2], "full": [2, [1, 4]], "shard": [0, [2, 1]]}}]}}}}}})";
  Model model{{"w"}, {{2, 4}}};
  Layout layout =
      layoutOf(R"({"dp": 2, "tp": 2})", fmt::format(fmt::runtime(rule), 1));
  ModelPlacement placed(layout, model.tensors());
  ASSERT_TRUE(placed.shardsOf(0)) << placed.shardsOf(0).error().str();
  EXPECT_EQ(heldByRank(placed.shardsOf(0)->all(), {2, 4}),
            (std::map<uint32_t, Held>{
                {0, {0, 4}}, {1, {2, 6}}, {2, {1, 5}}, {3, {3, 7}}}));

  layout =
      layoutOf(R"({"dp": 2, "tp": 2})", fmt::format(fmt::runtime(rule), 2));
  ModelPlacement refused(layout, model.tensors());
  ASSERT_FALSE(refused.shardsOf(0));
  EXPECT_EQ(refused.shardsOf(0).error().str(),
            "rank 2 has a local shard, but `flatten` wants those of coordinate "
            "0 of its axis, not 1");
}

/// A tensor without elements is named by all ranks of its buffers, and they are
/// the ranks that a reader asks.
TEST(Flatten, EmptyTensorsOfPieces) {
  const char *rule =
      R"({{"match": "*", "flatten": {{"over": "dp"}}, "shape": [0, 4],
           "pieces": {{"1": {{"shape": [0, 4], "pieces": []}},
                       "{}": {{"shape": [4, 0], "pieces": []}}}}}})";
  Model model{{"w"}, {{0, 4}}};
  Layout layout =
      layoutOf(R"({"dp": 2, "tp": 2})", fmt::format(fmt::runtime(rule), 0));
  ModelPlacement placed(layout, model.tensors());
  ASSERT_TRUE(placed.shardsOf(0)) << placed.shardsOf(0).error().str();
  std::vector<uint32_t> ranks;
  for (const Shard &shard : placed.shardsOf(0)->all()) {
    EXPECT_EQ(shard.localShape, Shape{0});
    ranks.insert(ranks.end(), shard.ranks.begin(), shard.ranks.end());
  }
  EXPECT_EQ(ranks, (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(*ranksHolding(layout, layout.rules[0], "w"), ranks);

  layout =
      layoutOf(R"({"dp": 2, "tp": 2})", fmt::format(fmt::runtime(rule), 2));
  ModelPlacement refused(layout, model.tensors());
  EXPECT_FALSE(refused.shardsOf(0));
}

TEST(Flatten, EqualFragmentsAreOneList) {
  Layout each =
      layoutOf(R"({"dp": 3})",
               R"({"match": "*", "flatten": {"over": "dp", "each": true}})");
  Model model{{"a", "b", "c"}, {{2, 5}, {2, 5}, {5, 2}}};
  ModelPlacement alone(each, model.tensors());
  EXPECT_TRUE(alone.shardsOf(0)->isSameList(*alone.shardsOf(1)));
  EXPECT_EQ(alone.shardsOf(2)->size(), 3u);

  Layout together =
      layoutOf(R"({"dp": 2})", R"({"match": "*", "flatten": {"over": "dp"}})");
  model.shapes = {{2, 5}, {2, 5}, {20}};
  ModelPlacement placed(together, model.tensors());
  EXPECT_TRUE(placed.shardsOf(0)->isSameList(*placed.shardsOf(1)));
}

TEST(Flatten, RefusedTensorsLeaveTheBuffer) {
  Layout layout = layoutOf(
      R"({"dp": 2, "tp": 2})",
      R"({"match": "*", "shard": {"0": "tp"}, "flatten": {"over": "dp"}})");
  std::vector<TensorToPlace> tensors = {
      {"a", {3}, {}}, {"b", {4}, {}}, {"c", {4}, DType::F4}};
  ModelPlacement placed(layout, tensors);
  ASSERT_FALSE(placed.shardsOf(0));
  EXPECT_EQ(placed.shardsOf(0).error().str(),
            "dimension 0: extent 3 is not divisible by 2 (`chunk` says `ceil` "
            "or `balanced` for such tensors)");
  ASSERT_TRUE(placed.shardsOf(1));
  EXPECT_EQ(placed.shardsOf(1)->size(), 4u);
  ASSERT_FALSE(placed.shardsOf(2));
  EXPECT_EQ(placed.shardsOf(2).error().str(),
            "F4 has elements of less than a byte, which `flatten` cannot tell "
            "apart");
}

TEST(Flatten, BuffersThatAreTooLongAreRefused) {
  Layout layout =
      layoutOf(R"({"dp": 2})", R"({"match": "*", "flatten": {"over": "dp"}})");
  std::vector<TensorToPlace> tensors = {{"a", {elementLimit - 2}, {}},
                                        {"b", {1}, {}}};
  ModelPlacement placed(layout, tensors);
  ASSERT_FALSE(placed.shardsOf(1));
  EXPECT_EQ(placed.shardsOf(1).error().str(),
            "after 4611686018427387902 elements the flat buffer of rank 0 "
            "gets 2^62 or more");
  for (int64_t align : {elementLimit / 2, elementLimit, INT64_MAX}) {
    Layout aligned =
        layoutOf(R"({"dp": 4})",
                 fmt::format(R"({{"match": "*", "flatten": {{"over": "dp", )"
                             R"("align": {}}}}})",
                             align));
    EXPECT_FALSE(ModelPlacement(aligned, {{{"a", {1}, {}}}}).shardsOf(0));
    // An empty tensor fits in any buffer.
    EXPECT_TRUE(ModelPlacement(aligned, {{{"a", {0}, {}}}}).shardsOf(0));
  }
  ModelPlacement most(layout, {{{"a", {elementLimit - 2}, {}}}});
  ASSERT_TRUE(most.shardsOf(0)) << most.shardsOf(0).error().str();
  EXPECT_EQ((*most.shardsOf(0))[1].blocks,
            (std::vector<Block>{
                {{elementLimit / 2 - 1}, {0}, {elementLimit / 2 - 1}}}));
}

double secondsOf(const std::function<void()> &run) {
  auto start = std::chrono::steady_clock::now();
  run();
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  return taken.count();
}

/// 1,137 tensors of a handful of shapes on 16,384 ranks.
TEST(Flatten, LargeModelsArePlacedInNoTime) {
  Model model;
  const Shape shapes[] = {{53248, 16384}, {16384, 16384}, {1024, 16384},
                          {16384, 53248}, {16384},        {128256, 16384}};
  for (int i = 0; i < 1137; ++i) {
    model.names.push_back(fmt::format("layers.{}.w", i));
    model.shapes.push_back(shapes[i % 6]);
  }
  std::vector<TensorToPlace> tensors = model.tensors();
  for (const auto &[mesh, rule] :
       {std::pair(R"({"dp": 16384})",
                  R"({"match": "*", "flatten": {"over": "dp", "each": true}})"),
        std::pair(R"({"dp": 16384})",
                  R"({"match": "*", "flatten": {"over": "dp", "align": 2}})"),
        std::pair(R"({"dp": 2048, "tp": 8})",
                  R"({"match": "*", "shard": {"-1": "tp"},
                      "flatten": {"over": "dp", "align": 2}})"),
        std::pair(R"({"fsdp": 16384})",
                  R"({"match": "*", "shard": {"0": "fsdp"},
                      "chunk": "ceil"})")}) {
    Layout layout = layoutOf(mesh, rule);
    double seconds = secondsOf([&] {
      ModelPlacement placed(layout, tensors);
      EXPECT_TRUE(placed.shardsOf(0));
    });
    fmt::print("{}: {:.3f} s\n", rule, seconds);
    EXPECT_LT(seconds, 5); // Far more than it takes, for slow builds.
  }
}

} // namespace
