//===- AffineMapTest.cpp - DeepSpeed's affine maps --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/AffineMapJson.h"

#include "ParameterName.h"
#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Catalog/StridedBlocks.h"

#include <map>

#include <gtest/gtest.h>

using namespace aoa;

namespace {

std::string showFaults(const DiagnosticList &list) {
  std::string text;
  for (const Diagnostic &d : list.list)
    text += std::string(d.kind->name) + " at " + d.jsonPath + ": " + d.message +
            "\n";
  return text;
}

std::string faultsOf(std::string_view json) {
  DiagnosticList list;
  auto map = parseAffineMap(json, FileId(0), list);
  EXPECT_EQ(map.has_value(), list.list.empty());
  return showFaults(list);
}

/// A map of one parameter `w` with these ranks.
std::string mapOf(std::string_view shape, std::string_view ranks) {
  return R"({"version": 1, "params": {"^w$": {"logical_shape": )" +
         std::string(shape) + R"(, "ranks": )" + std::string(ranks) + "}}}";
}

/// What each rank holds: shard address → full address.
using Relation = std::map<uint32_t, std::map<int64_t, int64_t>>;

Relation relationOf(const Tensor &tensor) {
  Relation relation;
  for (const Shard &shard : tensor.shards)
    for (const StridedBlock &piece : piecesOf(shard, tensor.shape)) {
      std::vector<std::pair<int64_t, int64_t>> all = {
          {piece.shardOffset, piece.fullOffset}};
      for (size_t dim = 0; dim < piece.shape.size(); ++dim) {
        std::vector<std::pair<int64_t, int64_t>> next;
        for (auto [local, full] : all)
          for (int64_t i = 0; i < piece.shape[dim]; ++i)
            next.emplace_back(local + i * piece.shardStrides[dim],
                              full + i * piece.fullStrides[dim]);
        all = std::move(next);
      }
      for (uint32_t rank : shard.ranks)
        relation[rank].insert(all.begin(), all.end());
    }
  return relation;
}

TEST(AffineMap, ReadsRanksAndPieces) {
  DiagnosticList list;
  auto map = parseAffineMap(
      R"({"universal_checkpoint_info": {"universal_checkpoint_version": 0.4,
        "affine_map": {"version": 1, "params": {
          "^a\\.w$": {"logical_shape": [3, 4], "ranks": {
            "9": {"shard_shape": [3, 2], "pieces": [
              {"shape": [3, 2], "source": [2, [4, 1]], "dest": [0, [2, 1]],
               "locations": [9], "scale": 0.25}]},
            "3": {"shard_shape": [3, 2], "pieces": [
              {"shape": [0, 2], "source": [12, [4, 1]], "dest": [0, [2, 1]],
               "locations": [3]},
              {"shape": [3, 2], "source": [0, [4, 1]], "dest": [0, [2, 1]],
               "locations": ["3"]}]}}},
          "plain.name": {"logical_shape": [], "ranks": {
            "0": {"shard_shape": [], "pieces": [{"shape": [], "source": [0, []],
              "dest": [0, []], "locations": [0]}]}}}}}}})",
      FileId(0), list);
  ASSERT_TRUE(map) << showFaults(list);
  EXPECT_EQ(map->mesh.numRanks(), 10);
  EXPECT_EQ(map->files.fileOf(3, map->mesh), "rank_00003.safetensors");
  const LayoutRule *rule = map->findRule("a.w");
  ASSERT_TRUE(rule);
  EXPECT_FALSE(map->findRule("a_w"));
  auto placed = placeTensor(*map, *rule, "a.w", {3, 4});
  ASSERT_TRUE(placed) << placed.error().str();
  Shard left{{3}, {3, 2}, {{{0, 0}, {0, 0}, {3, 2}}}};
  Shard right{{9}, {3, 2}, {{{0, 2}, {0, 0}, {3, 2}}}};
  right.scale = 0.25;
  EXPECT_EQ(placed->shards, (std::vector<Shard>{left, right}));

  Catalog tensors = tensorsOfAffineMap(*map);
  ASSERT_EQ(tensors.tensors.size(), 2u);
  EXPECT_EQ(tensors.tensors[0].name, "a.w");
  EXPECT_FALSE(tensors.tensors[0].dtypeIsKnown);
  EXPECT_EQ(tensors.tensors[0].shards, ShardList(placed->shards));
  EXPECT_EQ(tensors.tensors[1].shards[0].blocks.size(), 1u);
}

TEST(AffineMap, RefusesWhatIsNone) {
  EXPECT_EQ(faultsOf(R"({"version": 2, "new": {}})"),
            "affine-map at version: version 2 of an affine map, expected 1\n");
  EXPECT_EQ(faultsOf(R"({"affine_map": {"params": {}}})"),
            "missing-field at affine_map: field `version` is missing\n");
  EXPECT_EQ(faultsOf(R"({"version": 1, "params": {"^a.b$": {}}})"),
            "affine-map at params[\"^a.b$\"]: `^a.b$` is an expression, by its "
            "byte 2, expected a name or `^`, an escaped name and `$`\n");
  EXPECT_EQ(faultsOf(R"({"version": 1, "params": {"a": {"logical_shape": [0],
               "ranks": {}}, "^a$": {"logical_shape": [0], "ranks": {}}}})"),
            "affine-map at params[\"^a$\"]: parameter `a` is given twice\n");
}

TEST(AffineMap, ChecksPieces) {
  auto faults = [](std::string_view pieces) {
    return faultsOf(
        mapOf("[2, 2]", R"({"0": {"shard_shape": [2, 2], "pieces": [)" +
                            std::string(pieces) + "]}}"));
  };
  const std::string path = "params[\"^w$\"].ranks[\"0\"].pieces";
  EXPECT_EQ(faults(R"({"shape": [4], "source": [1, [1]], "dest": [0, [1]],
                       "locations": [0]})"),
            "affine-map at " + path +
                "[0]: piece reaches address 4 of the tensor, which has shape "
                "[2, 2] and 4 elements\n");
  EXPECT_EQ(
      faults(R"({"shape": [3], "source": [0, [1]], "dest": [0, [1]],
                       "locations": [0]})"),
      "affine-map at " + path +
          ": rank 0: no piece gives element [1, 1] of the shard [2, 2]\n");
  EXPECT_EQ(faults(R"({"shape": [4], "source": [0, [1]], "dest": [0, [1]],
                       "locations": [1, 2]})"),
            "affine-map at " + path +
                "[0].locations: locations [1, 2] lack rank 0, which lists the "
                "piece\n");
  EXPECT_EQ(faults(R"({"shape": [4], "source": [0, [1]], "dest": [0, [1]],
                       "locations": [0, 1]})"),
            "affine-map at " + path +
                "[0].locations: locations [0, 1] of a piece of rank 0, but "
                "element [0, 0] of shape [2, 2] is in pieces of ranks [0]\n");
  EXPECT_EQ(faults(R"({"shape": [2], "source": [0, [1]], "dest": [0, [1]],
                       "locations": [0], "scale": 2},
                      {"shape": [2], "source": [2, [1]], "dest": [2, [1]],
                       "locations": [0], "scale": 3})"),
            "affine-map at " + path +
                "[1].scale: scale 3 in a shard of rank 0 that has scale 2, "
                "expected one scale for all of its pieces\n");
  EXPECT_EQ(faults(R"({"shape": [4], "source": [0, [1]], "dest": [0, [1]],
                       "locations": [0], "scale": 0})"),
            "affine-map at " + path +
                "[0].scale: scale 0, which cannot be undone\n");
  EXPECT_EQ(faults(R"({"shape": [2, 2], "source": [0, [0, 1]],
                       "dest": [0, [2, 1]], "locations": [0]})"),
            "affine-map at " + path +
                "[0].locations: a piece of rank 0 holds element [0, 0] of "
                "shape [2, 2] twice\n");
}

TEST(AffineMap, ChecksAllRanksTogether) {
  EXPECT_EQ(faultsOf(mapOf("[4]", R"({
    "0": {"shard_shape": [2], "pieces": [{"shape": [2], "source": [0, [1]],
          "dest": [0, [1]], "locations": [0]}]}})")),
            "affine-map at params[\"^w$\"].ranks: element [2] of shape [4] is "
            "in no piece of any rank\n");
  // Replicas may be cut at other bounds; who holds what is what counts.
  EXPECT_EQ(faultsOf(mapOf("[4]", R"({
    "0": {"shard_shape": [4], "pieces": [{"shape": [4], "source": [0, [1]],
          "dest": [0, [1]], "locations": [0, 1]}]},
    "1": {"shard_shape": [4], "pieces": [
         {"shape": [1], "source": [0, [1]], "dest": [3, [1]],
          "locations": [0, 1]},
         {"shape": [3], "source": [1, [1]], "dest": [0, [1]],
          "locations": [1, 0]}]}})")),
            "");
  EXPECT_EQ(faultsOf(mapOf("[4]", R"({
    "0": {"shard_shape": [4], "pieces": [{"shape": [4], "source": [0, [1]],
          "dest": [0, [1]], "locations": [0]}]},
    "1": {"shard_shape": [1], "pieces": [
         {"shape": [1], "source": [2, [1]], "dest": [0, [1]],
          "locations": [1]}]}})")),
            "affine-map at params[\"^w$\"].ranks[\"0\"].pieces[0].locations: "
            "locations [0] of a piece of rank 0, but element [2] of shape [4] "
            "is in pieces of ranks [0, 1]\n");
}

TEST(AffineMap, NamesAreEscapedAsPythonDoes) {
  EXPECT_EQ(expressionOf("a.b-c_d 1"), "^a\\.b\\-c_d\\ 1$");
  for (std::string_view name : {"a.b-c_d 1", "", "[x]{y}$^|", "é\n\\"})
    EXPECT_EQ(*nameOfParameter(expressionOf(name)), name);
  for (std::string_view text : {"^a", "a$", "^a$b$", "^\\d$", "a*", "^a\\"})
    EXPECT_FALSE(nameOfParameter(text)) << text;
}

// What layouts place must read back as the same relation, scales included.
TEST(AffineMap, RoundTrips) {
  DiagnosticList list;
  auto layout = parseLayout(R"({"schema": "aoa.layout/1",
    "mesh": {"dp": 2, "tp": 3}, "rules": [
      {"match": "rows", "shard": {"0": "tp"}, "chunk": "balanced"},
      {"match": "fused", "shard": {"0": "tp"}, "segments": {"0": [6, 3]}},
      {"match": "columns", "shard": {"1": ["dp", "tp"]}, "chunk": "ceil"},
      {"match": "turned", "scale": "1/tp", "pieces": {
        "0": {"shape": [3, 2], "pieces": [{"shape": [2, 3],
              "full": [0, [3, 1]], "shard": [0, [1, 2]]}]},
        "5": {"shape": [3], "pieces": [{"shape": [3],
              "full": [6, [1]], "shard": [0, [1]]}]}}},
      {"match": "*", "replicate": true}]})",
                            FileId(0), list);
  ASSERT_TRUE(layout) << showFaults(list);
  std::vector<Tensor> tensors;
  auto add = [&](std::string name, Shape shape) {
    auto placed = placeTensor(*layout, *layout->findRule(name), name, shape);
    ASSERT_TRUE(placed) << placed.error().str();
    tensors.push_back({name, DType::F32, shape, placed->shards});
  };
  add("rows", {7, 2});
  add("fused", {9, 5});
  add("columns", {2, 10});
  add("turned", {3, 3});
  add("scalar", {});
  add("empty", {0, 4});
  tensors.push_back({"no shards", DType::F32, {2}});
  auto json = printAffineMap(tensors);
  ASSERT_TRUE(json) << json.error().str();
  auto map = parseAffineMap(*json, FileId(0), list);
  ASSERT_TRUE(map) << showFaults(list) << *json;
  Catalog read = tensorsOfAffineMap(*map);
  ASSERT_EQ(read.tensors.size(), tensors.size());
  for (const Tensor &tensor : tensors) {
    const Tensor *again = read.find(tensor.name);
    ASSERT_TRUE(again) << tensor.name;
    Relation expected = relationOf(tensor);
    if (tensor.shards.empty())
      expected = {{0, {{0, 0}, {1, 1}}}};
    EXPECT_EQ(relationOf(*again), expected) << tensor.name;
    for (const Shard &shard : again->shards)
      EXPECT_EQ(shard.scale, tensor.name == "turned" ? 1 / 3.0 : 1);
  }
  EXPECT_EQ(*printAffineMap(read.tensors), *json);
}

/// Rank 1 has both shared elements in one piece, rank 0 in two.
TEST(AffineMap, HoldersOfPiecesThatAreCutOtherwise) {
  Shard one{
      {0},
      {4},
      {},
      {{{2}, 0, {1}, 0, {1}}, {{1}, 3, {1}, 2, {1}}, {{1}, 5, {1}, 3, {1}}}};
  Shard other{{1}, {4}, {}, {{{2}, 3, {2}, 0, {1}}, {{2}, 2, {2}, 2, {1}}}};
  std::vector<Tensor> tensors = {{"w", DType::F32, {6}, {one, other}}};
  auto json = printAffineMap(tensors);
  ASSERT_TRUE(json) << json.error().str();
  EXPECT_NE(json->find(
                R"("source": [3, [2]], "dest": [0, [1]], "locations": [0, 1])"),
            std::string::npos)
      << *json;
  EXPECT_NE(
      json->find(R"("source": [2, [2]], "dest": [2, [1]], "locations": [1])"),
      std::string::npos);

  other.strided = {{{3}, 1, {1}, 0, {1}}, {{1}, 4, {1}, 3, {1}}};
  tensors[0].shards = {one, other};
  auto mixed = printAffineMap(tensors);
  ASSERT_FALSE(mixed);
  EXPECT_NE(
      mixed.error().str().find("] has other holders than others of its piece"),
      std::string::npos)
      << mixed.error().str();
}

TEST(AffineMap, PrintsWhatTheFormatSays) {
  Shard left{{0}, {3, 2}, {{{0, 0}, {0, 0}, {3, 2}}}};
  Shard right{{1}, {3, 2}, {{{0, 2}, {0, 0}, {3, 2}}}};
  right.scale = 0.5;
  std::vector<Tensor> tensors = {{"a.w", DType::F32, {3, 4}, {left, right}}};
  EXPECT_EQ(*printAffineMap(tensors), R"({ "version": 1,
  "params": {
    "^a\\.w$": { "logical_shape": [3, 4], "ranks": { "0": { "shard_shape": [3, 2], "pieces": [ { "shape": [3, 2], "source": [0, [4, 1]], "dest": [0, [2, 1]], "locations": [0] } ] }, "1": { "shard_shape": [3, 2], "pieces": [ { "shape": [3, 2], "source": [2, [4, 1]], "dest": [0, [2, 1]], "locations": [1], "scale": 0.5 } ] } } } } }
)");
  left.localShape = {4, 2};
  tensors[0].shards = {left};
  EXPECT_EQ(printAffineMap(tensors).error().str(),
            "`a.w`: rank 0: no piece gives element [3, 0] of the shard [4, 2]");
}

} // namespace
