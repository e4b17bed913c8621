//===- PublishedKeysTest.cpp - DeepSpeed's layouts as rules -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every layout of test/Inputs/layouts.json comes out of a constructor and, the
// same, of a rule in layout JSON: element by element what the file says.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/PublishedKeys.h"

#include "HeldElements.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Support/CheckedMath.h"

#include <gtest/gtest.h>

#include <functional>

#include <fmt/format.h>

using namespace aoa;
using namespace aoa::published;
using namespace aoa::test;

namespace {

NamePattern any() { return *NamePattern::parse("*"); }

Layout layoutOf(int64_t degree, const std::string &rule) {
  std::string json = fmt::format(
      R"({{"schema": "aoa.layout/1", "mesh": {{"tp": {}}}, "rules": [{}]}})",
      degree, rule);
  DiagnosticList list;
  std::optional<Layout> layout = parseLayout(json, FileId(0), list);
  for (const Diagnostic &d : list.list)
    ADD_FAILURE() << d.jsonPath << ": " << d.message << " in " << json;
  return layout ? std::move(*layout) : Layout();
}

using Make = std::function<LayoutRule(const Mesh &, const Shape &)>;
struct Case {
  Make make;
  /// The rule without `match`; empty: the file's own pieces.
  std::string json;
};

Case partitionsOf(int dim, Shape widths, const std::string &fields) {
  return {[=](const Mesh &, const Shape &) {
            return partitions(any(), 0, dim, widths);
          },
          fields};
}
Case column(const std::string &fields = R"("shard": {"0": "tp"})") {
  return {[](const Mesh &, const Shape &) { return columnParallel(any(), 0); },
          fields};
}
Case row() {
  return {[](const Mesh &, const Shape &) { return rowParallel(any(), 0); },
          R"("shard": {"1": "tp"})"};
}
Case subs(int dim, Shape sizes, std::vector<Shape> widths,
          const std::string &fields) {
  return {[=](const Mesh &, const Shape &) {
            return subParameters(any(), 0, dim, sizes, widths);
          },
          fields};
}
Case gather(int dim, int64_t blockExtent, std::vector<Shape> ids) {
  return {[=](const Mesh &mesh, const Shape &shape) {
            return blockGather(any(), mesh, 0, dim, shape, blockExtent, ids);
          },
          ""};
}
Case expertsOf(std::vector<Shape> ids, const std::string &fields = "") {
  return {[=](const Mesh &mesh, const Shape &shape) {
            return experts(any(), mesh, 0, shape, ids);
          },
          fields};
}
Case bigCode(int64_t numRanks) {
  return {[=](const Mesh &mesh, const Shape &shape) {
            Segment segments[] = {{32, false}, {16, true}};
            Shape widths[] = {grainWidths(32, numRanks), {}};
            return segmented(any(), mesh, 0, 0, shape, segments, widths);
          },
          ""};
}

const std::string balanced = R"("shard": {"0": "tp"}, "chunk": "balanced")";

std::map<std::string, Case, std::less<>> allCases() {
  return {
      {"col_even_8x8_tp2", column()},
      {"col_even_8x8_tp4", column()},
      {"row_even_8x8_tp4", row()},
      {"row_even_8x24_tp4", row()},
      {"col_uneven_10x8_tp4", partitionsOf(0, grainWidths(10, 4), balanced)},
      {"row_uneven_5x10_tp3",
       partitionsOf(1, grainWidths(10, 3),
                    R"("shard": {"-1": "tp"}, "sizes": {"-1": [4, 3, 3]})")},
      {"grain_50x4_tp4_g8",
       partitionsOf(
           0, grainWidths(50, 4, 8),
           R"("shard": {"0": "tp"}, "sizes": {"0": [16, 16, 8, 10]})")},
      {"kv3_qproj_24x4_tp2",
       partitionsOf(0, headWidths(24, 2, 3),
                    R"("shard": {"0": "tp"}, "sizes": {"0": [16, 8]})")},
      {"bias_col_10_tp4", partitionsOf(0, grainWidths(10, 4), balanced)},
      {"conv2d_oc_10x6_tp4",
       partitionsOf(0, lastGetMoreWidths(10, 4),
                    R"("shard": {"0": "tp"}, "sizes": {"0": [2, 2, 3, 3]})")},
      {"replicated_5x6_tp4",
       {[](const Mesh &, const Shape &) { return replicated(any()); },
        R"("replicate": true)"}},
      {"bias_scaled_16_tp4",
       {[](const Mesh &, const Shape &) { return replicated(any(), 0.25); },
        R"("replicate": true, "scale": "1/tp")"}},
      {"vocab_padded_16x4_tp4_orig13",
       {[](const Mesh &, const Shape &shape) {
          return vocabulary(any(), 0, {13, shape[1]}, shape[0]);
        },
        R"("shard": {"0": "tp"}, "pad": {"0": {"multiple": 4}})"}},
      {"vocab_uneven_13x4_tp4", partitionsOf(0, grainWidths(13, 4), balanced)},
      {"swiglu_24x8_tp4",
       {[](const Mesh &, const Shape &) { return twoSubParameters(any(), 0); },
        R"("shard": {"0": "tp"}, "segments": {"0": 2})"}},
      {"qkv_mha_24x8_tp2",
       subs(0, {8, 8, 8}, {{4, 4}, {4, 4}, {4, 4}},
            R"("shard": {"0": "tp"}, "segments": {"0": 3})")},
      {"qkv_gqa_16x8_tp2",
       subs(0, {8, 4, 4}, {{4, 4}, {2, 2}, {2, 2}},
            R"("shard": {"0": "tp"}, "segments": {"0": [8, 4, 4]})")},
      {"qkv_chatglm2_24x16_tp2",
       subs(0, {16, 4, 4}, {{8, 8}, {2, 2}, {2, 2}},
            R"("shard": {"0": "tp"}, "segments": {"0": [16, 4, 4]})")},
      {"qkv_mqa_kv1_12x4_tp2",
       subs(0, {4, 4, 4}, std::vector<Shape>(3, headWidths(4, 2, 1)),
            R"("shard": {"0": "tp"}, "segments": {"0": 3},
               "sizes": {"0": [[4, 0], [4, 0], [4, 0]]})")},
      {"qkv_parity_15x8_tp3",
       subs(0, {7, 5, 3},
            {grainWidths(7, 3), grainWidths(5, 3), grainWidths(3, 3)},
            balanced + R"(, "segments": {"0": [7, 5, 3]})")},
      {"subparam_view3d_4x6x8_tp2",
       subs(1, {4, 2}, {{2, 2}, {1, 1}},
            R"("shard": {"1": "tp"}, "segments": {"1": [4, 2]})")},
      {"bloom_qkv_24x8_tp2", column()},
      {"bigcode_48x8_tp2", bigCode(2)},
      {"bigcode_48x8_tp4", bigCode(4)},
      {"codegen_24x8_tp2", gather(0, 1, codeGenBlocks(2))},
      {"codegen_96x4_tp4", gather(0, 2, codeGenBlocks(4))},
      {"yuan_value_32x8_tp2", gather(0, 4, yuanHeads(8, 2))},
      {"yuan_oproj_8x32_tp2", gather(1, 4, yuanHeads(8, 2))},
      {"yuan_oproj_8x32_tp4", gather(1, 4, yuanHeads(8, 4))},
      {"yuan_overlap_24x4_tp4_heads12", gather(0, 2, yuanHeads(12, 4))},
      {"autoep_uniform_8x3x2_ep4",
       expertsOf({{0, 1}, {2, 3}, {4, 5}, {6, 7}}, R"("shard": {"0": "tp"})")},
      {"autoep_uniform_8x3x2_ep2",
       expertsOf({{0, 1, 2, 3}, {4, 5, 6, 7}}, R"("shard": {"0": "tp"})")},
      {"autoep_replicated_4x2_ep2", expertsOf({{0, 1, 2}, {1, 2, 3}})},
      {"autoep_empty_3x4_ep3", expertsOf({{2, 0}, {}, {1}})},
      {"conv1d_row_transposed_8x8_tp2",
       {[](const Mesh &mesh, const Shape &shape) {
          Shape widths = grainWidths(8, 2);
          return transposedRowParallel(any(), mesh, 0, shape, widths);
        },
        ""}},
  };
}

/// The pieces that the file gives, as the field `pieces`.
std::string piecesOf(JsonValue ranks) {
  std::string json;
  for (auto [rank, held] : ranks.members()) {
    std::string pieces;
    for (JsonValue piece : held.find("pieces")->elements())
      pieces += fmt::format(
          R"({}{{"shape": {}, "full": {}, "shard": {}}})",
          pieces.empty() ? "" : ", ", piece.find("shape")->rawText(),
          piece.find("source")->rawText(), piece.find("dest")->rawText());
    json += fmt::format(R"({}"{}": {{"shape": {}, "pieces": [{}]}})",
                        json.empty() ? "" : ", ", rank.str(),
                        held.find("shard_shape")->rawText(), pieces);
  }
  return fmt::format(R"("pieces": {{{}}})", json);
}

/// Compares a rule's placement with the file's.
void checkRanks(const Layout &layout, const LayoutRule &rule, JsonValue entry) {
  Shape whole = shapeOf(*entry.find("logical_shape"));
  int64_t numRows = whole[0];
  // Padding is no part of the tensor.
  if (std::optional<JsonValue> rows = entry.find("original_rows"))
    numRows = rows->wholeNumber().value_or(numRows);
  Shape shape = whole;
  shape[0] = numRows;
  auto placement = placeTensor(layout, rule, "w", shape);
  ASSERT_TRUE(placement) << placement.error().str();
  double scale = 1;
  if (std::optional<JsonValue> given = entry.find("scale"))
    scale = given->number().value_or(0);
  std::map<uint32_t, const Shard *> shardOf;
  for (const Shard &shard : placement->shards) {
    EXPECT_EQ(shard.scale, scale);
    for (uint32_t rank : shard.ranks)
      EXPECT_TRUE(shardOf.emplace(rank, &shard).second);
  }
  int64_t numElements = *checkedNumElements(shape);
  for (auto [key, held] : entry.find("ranks")->members()) {
    auto rank = static_cast<uint32_t>(std::stoi(std::string(key.str())));
    SCOPED_TRACE(rank);
    ASSERT_TRUE(shardOf.contains(rank));
    EXPECT_EQ(shardOf[rank]->localShape, shapeOf(*held.find("shard_shape")));
    Held expected = shapeOf(*held.find("indices"));
    for (int64_t &index : expected)
      if (index >= numElements)
        index = -1;
    EXPECT_EQ(heldBy(*shardOf[rank], shape), expected);
    shardOf.erase(rank);
  }
  EXPECT_TRUE(shardOf.empty());
}

TEST(PublishedKeys, AllLayoutsComeOutOfConstructorsAndOfJson) {
  std::string text = readInput("layouts.json");
  auto document = JsonDocument::parse(text);
  ASSERT_TRUE(document);
  auto cases = allCases();
  int count = 0;
  for (JsonValue entry : document->root().find("layouts")->elements()) {
    std::string_view id = entry.find("id")->str();
    SCOPED_TRACE(id);
    auto known = cases.find(id);
    ASSERT_NE(known, cases.end());
    const auto &[make, json] = known->second;
    JsonValue ranks = *entry.find("ranks");
    Layout layout =
        layoutOf(numberOf(entry, "degree"),
                 fmt::format(R"({{"match": "*", {}}})",
                             json.empty() ? piecesOf(ranks) : json));
    ASSERT_EQ(layout.rules.size(), 1u);
    checkRanks(layout, layout.rules[0], entry);
    Shape whole = shapeOf(*entry.find("logical_shape"));
    checkRanks(layout, make(layout.mesh, whole), entry);
    ++count;
  }
  EXPECT_EQ(count, 35);
  EXPECT_EQ(cases.size(), 35u);
}

/// What the header gives as JSON is the same as the constructor next to it.
TEST(PublishedKeys, JsonOfTheHeaderIsTheSame) {
  struct Example {
    std::string json;
    Shape shape;
    LayoutRule rule;
    int64_t degree = 2;
  };
  Mesh two{{{"tp", 2}}};
  Segment segments[] = {{4, false}, {2, true}};
  Shape widths[] = {{2, 2}, {}};
  Shape ids[] = {{0, 2}, {3, 1}};
  const Example examples[] = {
      {R"("replicate": true, "scale": 0.5)", {3}, replicated(any(), 0.5)},
      {R"("shard": {"0": "tp"})", {4, 2}, columnParallel(any(), 0)},
      {R"("shard": {"1": "tp"})", {4, 2}, rowParallel(any(), 0)},
      {R"("shard": {"0": "tp"}, "sizes": {"0": [3, 3, 2, 2]})",
       {10},
       partitions(any(), 0, 0, {3, 3, 2, 2}),
       4},
      {R"("shard": {"0": "tp"}, "segments": {"0": 2})",
       {8, 3},
       twoSubParameters(any(), 0)},
      {R"("shard": {"0": "tp"}, "segments": {"0": [7, 5]},
          "sizes": {"0": [[3, 2, 2], [2, 2, 1]]})",
       {12},
       subParameters(any(), 0, 0, {7, 5}, {{3, 2, 2}, {2, 2, 1}}),
       3},
      {R"("shard": {"0": "tp"}, "pad": {"0": 16}, "shape": [13, 4])",
       {13, 4},
       vocabulary(any(), 0, {13, 4}, 16)},
      {R"("pieces": {
            "0": {"shape": [4], "pieces": [
              {"shape": [2], "full": [0, [1]], "shard": [0, [1]]},
              {"shape": [2], "full": [4, [1]], "shard": [2, [1]]}]},
            "1": {"shape": [4], "pieces": [
              {"shape": [2], "full": [2, [1]], "shard": [0, [1]]},
              {"shape": [2], "full": [4, [1]], "shard": [2, [1]]}]}})",
       {6},
       segmented(any(), two, 0, 0, {6}, segments, widths)},
      {R"("pieces": {
            "0": {"shape": [2], "pieces": [
              {"shape": [1], "full": [0, [1]], "shard": [0, [1]]},
              {"shape": [1], "full": [2, [1]], "shard": [1, [1]]}]},
            "1": {"shape": [2], "pieces": [
              {"shape": [1], "full": [3, [1]], "shard": [0, [1]]},
              {"shape": [1], "full": [1, [1]], "shard": [1, [1]]}]}})",
       {4},
       blockGather(any(), two, 0, 0, {4}, 1, ids)},
      {R"("pieces": {
            "0": {"shape": [2, 1], "pieces": [
              {"shape": [2, 1], "full": [0, [1, 2]], "shard": [0, [1, 1]]}]},
            "1": {"shape": [2, 1], "pieces": [
              {"shape": [2, 1], "full": [2, [1, 2]], "shard": [0, [1, 1]]}]}})",
       {2, 2},
       transposedRowParallel(any(), two, 0, {2, 2}, {1, 1})},
  };
  for (const Example &example : examples) {
    SCOPED_TRACE(example.json);
    Layout layout = layoutOf(
        example.degree, fmt::format(R"({{"match": "*", {}}})", example.json));
    ASSERT_EQ(layout.rules.size(), 1u);
    auto fromJson = placeTensor(layout, layout.rules[0], "w", example.shape);
    auto made = placeTensor(layout, example.rule, "w", example.shape);
    ASSERT_TRUE(fromJson) << fromJson.error().str();
    ASSERT_TRUE(made) << made.error().str();
    // Pieces may be cut otherwise.
    EXPECT_EQ(heldByRank(fromJson->shards, example.shape),
              heldByRank(made->shards, example.shape));
    EXPECT_EQ(fromJson->shards[0].scale, made->shards[0].scale);
  }
}

TEST(PublishedKeys, Widths) {
  EXPECT_EQ(grainWidths(50, 4, 8), (Shape{16, 16, 8, 10}));
  EXPECT_EQ(grainWidths(10, 4), (Shape{3, 3, 2, 2}));
  EXPECT_EQ(grainWidths(5, 4, 8), (Shape{2, 1, 1, 1}));
  EXPECT_EQ(grainWidths(0, 2), (Shape{0, 0}));
  EXPECT_EQ(headWidths(24, 2, 3), (Shape{16, 8}));
  EXPECT_EQ(headWidths(6, 2, 3), (Shape{4, 2}));
  EXPECT_EQ(headWidths(4, 2, 1), (Shape{4, 0}));
  EXPECT_EQ(lastGetMoreWidths(10, 4), (Shape{2, 2, 3, 3}));
}

/// Other axes of the mesh hold replicas.
TEST(PublishedKeys, PiecesOnMeshesOfSeveralAxes) {
  Layout layout;
  layout.mesh.axes = {{"dp", 2}, {"tp", 2}, {"pp", 2}};
  Shape ids[] = {{0, 2}, {3, 1}};
  LayoutRule rule = blockGather(any(), layout.mesh, 1, 0, {4, 3}, 1, ids);
  auto placement = placeTensor(layout, rule, "w", {4, 3});
  ASSERT_TRUE(placement) << placement.error().str();
  ASSERT_EQ(placement->shards.size(), 2u);
  EXPECT_EQ(placement->shards[0].ranks, (std::vector<uint32_t>{0, 1, 4, 5}));
  EXPECT_EQ(heldBy(placement->shards[1], {4, 3}), (Held{9, 10, 11, 3, 4, 5}));
}

} // namespace
