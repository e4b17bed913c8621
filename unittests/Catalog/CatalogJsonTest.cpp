//===- CatalogJsonTest.cpp - Reading and printing a catalog -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/CatalogJson.h"

#include "aoa/Catalog/LayoutJson.h"
#include "aoa/Catalog/PlaceTensor.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace aoa;

namespace {

struct Read {
  std::optional<Catalog> catalog;
  std::vector<std::string> faults; ///< Path, text pointed at, message.
  DiagnosticList diagnostics;
};

Read read(const std::string &json) {
  Read result;
  result.catalog = parseCatalog(json, FileId(0), "/root", result.diagnostics);
  EXPECT_EQ(result.catalog.has_value(), result.diagnostics.list.empty());
  for (const Diagnostic &d : result.diagnostics.list) {
    EXPECT_TRUE(d.range.isKnown());
    EXPECT_LE(d.range.end, json.size());
    result.faults.push_back(
        d.jsonPath + " `" +
        json.substr(d.range.begin, d.range.end - d.range.begin) +
        "`: " + d.message);
  }
  return result;
}

std::string catalogOf(
    std::string_view tensors,
    std::string_view storages = R"({"file": "a.safetensors", "bytes": 100})") {
  return R"({"schema": "aoa.catalog/1", "storages": [)" +
         std::string(storages) + R"(], "tensors": [)" + std::string(tensors) +
         "]}";
}

/// The faults of a catalog with one F32 tensor `w` [4, 2] and one shard.
std::vector<std::string> shardFaults(std::string_view shard) {
  return read(
             catalogOf(
                 R"({"name": "w", "dtype": "F32", "shape": [4, 2], "shards": [)" +
                 std::string(shard) + "]}"))
      .faults;
}

using Lines = std::vector<std::string>;

const char *const printed = R"({ "schema": "aoa.catalog/1",
  "storages": [
    { "file": "model-00001-of-00002.safetensors", "bytes": 4976698672 },
    { "file": "b/\"x\".safetensors", "bytes": 16 } ],
  "tensors": [
    { "name": "a", "dtype": "I64", "shape": [], "shards": [ { "ranks": [0, 1], "offset": [], "shape": [], "storage": 1, "at": 8 } ] },
    { "name": "embed.weight", "dtype": "BF16", "shape": [32000, 4096], "shards": [ { "ranks": [0], "offset": [0, 0], "shape": [16000, 4096], "storage": 0, "at": 8192 }, { "ranks": [1], "offset": [16000, 0], "shape": [16000, 4096], "storage": 0, "at": 131080192 } ] },
    { "name": "empty", "dtype": "F32", "shape": [0, 4], "shards": [ { "ranks": [0], "offset": [0, 0], "shape": [0, 4] } ] },
    { "name": "names.only\u0001", "dtype": "F8_E4M3", "shape": [3] } ] }
)";

TEST(CatalogJson, TensorsKeepThePlaceOfTheirNames) {
  std::string json =
      catalogOf(R"({"shape": [2], "dtype": "F32", "name": "b.\u0077"},
                   {"name": "a", "dtype": "F32", "shape": [2]})");
  Read result = read(json);
  ASSERT_TRUE(result.catalog);
  std::vector<std::string> places;
  for (const Tensor &tensor : result.catalog->tensors) {
    EXPECT_EQ(tensor.range.file, FileId(0));
    places.push_back(
        json.substr(tensor.range.begin, tensor.range.end - tensor.range.begin));
  }
  EXPECT_EQ(places, (Lines{R"("a")", R"("b.\u0077")"}));
}

TEST(CatalogJson, ComesBackAsItWas) {
  Read result = read(printed);
  ASSERT_TRUE(result.catalog.has_value()) << result.faults[0];
  const Catalog &catalog = *result.catalog;
  EXPECT_EQ(catalog.root, "/root");
  EXPECT_EQ(printCatalog(catalog), printed);
  const Tensor *embed = catalog.find("embed.weight");
  ASSERT_NE(embed, nullptr);
  EXPECT_EQ(embed->dtype, DType::BF16);
  ASSERT_EQ(embed->shards.size(), 2u);
  EXPECT_EQ(embed->shards[1].localShape, (Shape{16000, 4096}));
  EXPECT_EQ(embed->shards[1].blocks,
            (std::vector<Block>{{{16000, 0}, {0, 0}, {16000, 4096}}}));
  EXPECT_EQ(embed->places[1].storage, StorageId(0));
  EXPECT_EQ(embed->places[1].atBytes, 131080192);
  EXPECT_EQ(catalog.find("a")->shards[0].ranks, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(catalog.find("a")->shards[0].blocks.size(), 1u);
  EXPECT_TRUE(catalog.find("empty")->shards[0].blocks.empty());
  EXPECT_TRUE(catalog.find("names.only\x01")->shards.empty());
  EXPECT_EQ(catalog.find("b"), nullptr);
  EXPECT_EQ(catalog.storages[1].file, "b/\"x\".safetensors");
}

TEST(CatalogJson, SortsAndDoesWithoutStorages) {
  Read result =
      read(R"({"about": "names", "schema": "aoa.catalog/1", "tensors": [
    {"name": "b", "dtype": "F16", "shape": [2], "about": 1},
    {"name": "a", "dtype": "F16", "shape": [2]}]})");
  ASSERT_TRUE(result.catalog.has_value());
  EXPECT_EQ(printCatalog(*result.catalog), R"({ "schema": "aoa.catalog/1",
  "tensors": [
    { "name": "a", "dtype": "F16", "shape": [2] },
    { "name": "b", "dtype": "F16", "shape": [2] } ] }
)");
  EXPECT_EQ(printCatalog(Catalog()), R"({ "schema": "aoa.catalog/1",
  "tensors": [ ] }
)");
  EXPECT_TRUE(read(printCatalog(Catalog())).catalog.has_value());
}

TEST(CatalogJson, PrintsPiecesOfWhatIsNoBox) {
  Catalog catalog;
  Tensor tensor{"w", DType::F32, {6, 3}, {}};
  Shard fused;
  fused.ranks = {0};
  fused.localShape = {3, 3};
  fused.blocks = {{{0, 0}, {0, 0}, {2, 3}}, {{4, 0}, {2, 0}, {1, 3}}};
  Shard padding;
  padding.ranks = {1};
  padding.localShape = {3, 3};
  tensor.shards = {fused, padding};
  catalog.tensors = {tensor};
  std::string json = printCatalog(catalog);
  EXPECT_EQ(json, R"({ "schema": "aoa.catalog/1",
  "tensors": [
    { "name": "w", "dtype": "F32", "shape": [6, 3], "shards": [ { "ranks": [0], "shape": [3, 3], "pieces": [ { "shape": [2, 3], "full": [0, [3, 1]], "shard": [0, [3, 1]] }, { "shape": [1, 3], "full": [12, [3, 1]], "shard": [6, [3, 1]] } ] }, { "ranks": [1], "shape": [3, 3], "pieces": [] } ] } ] }
)");
  Read result = read(json);
  ASSERT_TRUE(result.catalog);
  EXPECT_EQ(result.catalog->tensors[0].shards, catalog.tensors[0].shards);
}

TEST(CatalogJson, PrintsAndReadsStridedAndScaledShards) {
  std::string json = R"({ "schema": "aoa.catalog/1",
  "storages": [
    { "file": "a.bin", "bytes": 400 } ],
  "tensors": [
    { "name": "flat", "dtype": "F32", "shape": [6, 3], "shards": [ { "ranks": [0], "flat": [0, 7] }, { "ranks": [1], "flat": [7, 15], "shape": [2, 4], "storage": 0, "at": 8 }, { "ranks": [2], "offset": [5, 0], "shape": [1, 3], "scale": 0.125 }, { "ranks": [3], "shape": [0], "pieces": [] } ] },
    { "name": "heads", "dtype": "BF16", "shape": [4, 2], "shards": [ { "ranks": [0, 5], "shape": [2, 2], "pieces": [ { "shape": [2, 2], "full": [0, [2, 1]], "shard": [0, [1, 2]] } ], "scale": -1e-05 } ] },
    { "name": "one", "dtype": "F32", "shape": [], "shards": [ { "ranks": [0], "flat": [0, 1] } ] } ] }
)";
  Read result = read(json);
  ASSERT_TRUE(result.catalog) << result.diagnostics.list.front().message;
  const Tensor &flat = result.catalog->tensors[0];
  EXPECT_EQ(flat.shards[0].localShape, (Shape{7}));
  EXPECT_EQ(flat.shards[1].strided,
            (std::vector<StridedBlock>{{{8}, 7, {1}, 0, {1}}}));
  EXPECT_EQ(flat.shards[2].scale, 0.125);
  EXPECT_EQ(flat.places[1], (ShardPlace{StorageId(0), 8}));
  EXPECT_TRUE(flat.placeOf(0).storage.isNone());
  EXPECT_EQ(result.catalog->tensors[1].shards[0].scale, -1e-5);
  EXPECT_EQ(printCatalog(*result.catalog), json);
}

// A range that is a box of the tensor, in a shard of its rank, is a block.
TEST(CatalogJson, FlatRangesThatAreBoxesAreBlocks) {
  Read result = read(R"({"schema": "aoa.catalog/1", "tensors": [
    {"name": "w", "dtype": "F32", "shape": [4, 2], "shards":
      [{"ranks": [0], "flat": [2, 6], "shape": [2, 2]}]}]})");
  ASSERT_TRUE(result.catalog);
  EXPECT_EQ(result.catalog->tensors[0].shards[0].blocks,
            (std::vector<Block>{{{1, 0}, {0, 0}, {2, 2}}}));
}

TEST(CatalogJson, ChecksPiecesFlatAndScale) {
  auto fault = [](std::string_view shard, std::string_view dtype = "F32") {
    Read result = read(
        R"({"schema": "aoa.catalog/1", "tensors": [{"name": "w", "dtype": ")" +
        std::string(dtype) + R"(", "shape": [4, 2], "shards": [)" +
        std::string(shard) + "]}]}");
    std::string all;
    for (const Diagnostic &d : result.diagnostics.list)
      all += "at " + d.jsonPath + ": " + d.message + "\n";
    return all;
  };
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [0, 9]})"),
            "at tensors[0].shards[0].flat: flat range [0, 9] of `w`, expected "
            "an end of at most 8, its number of elements\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [5, 4]})"),
            "at tensors[0].shards[0].flat: flat range [5, 4] of `w`, expected "
            "a begin and an end that is not less\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [0, 4], "shape": [3]})"),
            "at tensors[0].shards[0].flat: flat range [0, 4] of `w`, expected "
            "as many elements as the shape [3] of the shard has\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [0, 4], "offset": [0]})"),
            "at tensors[0].shards[0]: shard with more than one of `offset`, "
            "`pieces` and `flat`\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "shape": [4], "pieces": [
              {"shape": [4], "full": [6, [1]], "shard": [0, [1]]}]})"),
            "at tensors[0].shards[0].pieces[0]: piece of a shard of `w` "
            "reaches address 9 of the tensor, which has shape [4, 2] and 8 "
            "elements\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "shape": [4], "pieces": [
              {"shape": [2], "full": [0, [1]], "shard": [1, [1]]},
              {"shape": [2], "full": [4, [1]], "shard": [2, [1]]}]})"),
            "at tensors[0].shards[0].pieces: `w`: the pieces that begin at "
            "[0, 0] and [2, 0] of the tensor both give element [2] of the "
            "shard [4]\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "shape": [4], "pieces": [
              {"shape": [2], "full": [0, [1, 1]], "shard": [1]}]})"),
            "at tensors[0].shards[0].pieces[0].full[1]: 2 strides for 1 "
            "dimensions, expected one each\n"
            "at tensors[0].shards[0].pieces[0].shard: found a list of 1, "
            "expected an offset and a list of strides\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [0, 8], "scale": 0})"),
            "at tensors[0].shards[0].scale: scale 0, which cannot be undone\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [0, 8], "scale": 1e999})"),
            "at tensors[0].shards[0].scale: found 1e999, expected a finite "
            "number\n");
  EXPECT_EQ(fault(R"({"ranks": [0], "flat": [0, 8], "scale": 2})", "I32"),
            "at tensors[0].shards[0].scale: scale 2 of a shard of `w`, which "
            "is I32, expected a floating point dtype\n");
}

TEST(CatalogJson, ChecksTheWhole) {
  EXPECT_EQ(read(R"({"schema": "aoa.catalog/1"})").faults,
            Lines{" `{\"schema\": \"aoa.catalog/1\"}`: field `tensors` is "
                  "missing"});
  EXPECT_EQ(read(R"({"tensors": []})").faults.size(), 1u);
  EXPECT_EQ(read(R"({"schema": "aoa.layout/1", "tensors": []})").faults,
            Lines{"schema `\"aoa.layout/1\"`: schema `aoa.layout/1`, expected "
                  "`aoa.catalog/1`"});
  EXPECT_EQ(read(R"({"schema": "aoa.catalog/1", "tensor": [], "tensors": []})")
                .faults,
            Lines{"tensor `\"tensor\"`: unknown field `tensor`; did you mean "
                  "`tensors`?"});
  EXPECT_EQ(read(R"({"schema": "aoa.catalog/1", "tensors": {}})").faults,
            Lines{"tensors `{}`: found an object, expected a list of tensors"});
  EXPECT_EQ(read("{").faults.size(), 1u);
}

TEST(CatalogJson, ChecksStorages) {
  EXPECT_EQ(read(catalogOf("", R"({"file": "../x", "bytes": 1})")).faults,
            Lines{"storages[0].file `\"../x\"`: file `../x`, expected a name "
                  "below the catalog's folder"});
  for (std::string_view bad : {"/x", "", "..", "a/..", "a/../b"})
    EXPECT_EQ(read(catalogOf("", "{\"file\": \"" + std::string(bad) +
                                     "\", \"bytes\": 1}"))
                  .faults.size(),
              1u)
        << bad;
  EXPECT_EQ(read(catalogOf("", R"({"file": "x", "bytes": -1})")).faults.size(),
            1u);
  EXPECT_EQ(read(catalogOf("", R"({"file": "x"})")).faults.size(), 1u);
  EXPECT_EQ(read(catalogOf("", R"({"bytes": 3, "size": 3})")).faults.size(),
            2u);
}

TEST(CatalogJson, ChecksTensors) {
  auto faults = [](std::string_view tensor) {
    return read(catalogOf(tensor)).faults;
  };
  EXPECT_EQ(faults(R"({"name": "w", "dtype": "F31", "shape": [1]})"),
            Lines{"tensors[0].dtype `\"F31\"`: unknown dtype `F31`; did you "
                  "mean `F32`?"});
  EXPECT_EQ(faults(R"({"name": "w", "dtype": "float32", "shape": [1]})").size(),
            1u);
  EXPECT_EQ(faults(R"({"name": "w", "dtype": "F32", "shape": [1, -1]})"),
            Lines{"tensors[0].shape[1] `-1`: found -1, expected a whole "
                  "number, not negative"});
  EXPECT_EQ(
      faults(
          R"({"name": "w", "dtype": "U8", "shape": [4294967296, 4294967296]})"),
      Lines{
          "tensors[0].shape `[4294967296, 4294967296]`: number of elements of "
          "[4294967296, 4294967296] is 2^62 or more"});
  EXPECT_EQ(
      faults(
          R"({"name": "w", "dtype": "U8", "shape": [4294967296, 4294967296, 0]})")
          .size(),
      1u);
  EXPECT_EQ(
      faults(R"({"name": "w", "dtype": "F64", "shape": [4611686018427387904]})")
          .size(),
      1u);
  EXPECT_EQ(faults(R"({"name": "w", "dtype": "F4", "shape": [3]})").size(), 1u);
  EXPECT_EQ(faults(R"({"name": "w", "dtype": "F4", "shape": [4]})"), Lines{});
  EXPECT_EQ(faults(R"({"dtype": 1})").size(), 3u);
  EXPECT_EQ(faults("[]").size(), 1u);
  EXPECT_EQ(
      faults(R"({"name": "w", "dtype": "F32", "shape": [1], "shards": []})")
          .size(),
      1u);
  Read twice = read(catalogOf(R"({"name": "w", "dtype": "F32", "shape": [1]},
{"name": "a", "dtype": "F32", "shape": [1]}, {"name": "w", "dtype": "F32", "shape": [2]})"));
  EXPECT_EQ(twice.faults,
            Lines{"tensors[2].name `\"w\"`: tensor `w` is given twice"});
  EXPECT_EQ(twice.diagnostics.list[0].notes.size(), 1u);
}

TEST(CatalogJson, ChecksShards) {
  EXPECT_EQ(
      shardFaults(
          R"({"ranks": [0], "offset": [2, 0], "shape": [2, 2], "storage": 0, "at": 84})"),
      Lines{});
  EXPECT_EQ(
      shardFaults(
          R"({"ranks": [0], "offset": [2, 0], "shape": [2, 2], "storage": 0, "at": 85})"),
      Lines{
          R"(tensors[0].shards[0] `{"ranks": [0], "offset": [2, 0], "shape": [2, 2], "storage": 0, "at": 85}`: )"
          "shard of `w` has 16 bytes from byte 85 on, but `a.safetensors` "
          "has 100 bytes"});
  EXPECT_EQ(
      shardFaults(R"({"ranks": [0], "offset": [3, 0], "shape": [2, 2]})"),
      Lines{
          R"(tensors[0].shards[0] `{"ranks": [0], "offset": [3, 0], "shape": [2, 2]}`: )"
          "shard at [3, 0] of shape [2, 2] ends behind dimension 0 of "
          "`w` with shape [4, 2]"});
  for (
      std::string_view bad :
      {R"({"ranks": [0], "offset": [9223372036854775807, 0], "shape": [2, 2]})",
       R"({"ranks": [0], "offset": [0], "shape": [2]})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2]})",
       R"({"ranks": [], "offset": [0, 0], "shape": [2, 2]})",
       R"({"ranks": [1, 0, 1], "offset": [0, 0], "shape": [2, 2]})",
       R"({"ranks": [-1], "offset": [0, 0], "shape": [2, 2]})",
       R"({"ranks": [2147483648], "offset": [0, 0], "shape": [2, 2]})",
       R"({"offset": [0, 0], "shape": [2, 2]})",
       R"({"ranks": [0], "shape": [2, 2]})",
       R"({"ranks": [0], "offset": [0, 0]})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2, 2], "storage": 1, "at": 0})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2, 2], "storage": 0})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2, 2], "at": 0})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2, 2], "storage": 0, "at": -1})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2, 2], "storage": 0, "at": 9223372036854775807})",
       R"({"ranks": [0], "offset": [0, 0], "shape": [2, 2], "stroage": 0})",
       "3"})
    EXPECT_EQ(shardFaults(bad).size(), 1u) << bad;
  // Ranks in any order.
  EXPECT_EQ(
      shardFaults(R"({"ranks": [1, 0], "offset": [0, 0], "shape": [4, 2]})"),
      Lines{});
}

TEST(CatalogJson, ReadsManyTensorsFast) {
  std::string json = R"({"schema": "aoa.catalog/1", "tensors": [)";
  for (int i = 0; i < 10'000; ++i) {
    json += std::string(i ? ",\n" : "\n") + R"({"name": "layers.)" +
            std::to_string(i) +
            R"(.w", "dtype": "BF16", "shape": [64, 2048], "shards": [)";
    for (int r = 0; r < 8; ++r)
      json += std::string(r ? ", " : "") + R"({"ranks": [)" +
              std::to_string(r) + R"(], "offset": [)" + std::to_string(8 * r) +
              R"(, 0], "shape": [8, 2048]})";
    json += "]}";
  }
  json += "]}";
  auto begin = std::chrono::steady_clock::now();
  Read result = read(json);
  auto took = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(result.catalog.has_value());
  EXPECT_EQ(result.catalog->tensors.size(), 10'000u);
  RecordProperty(
      "milliseconds",
      static_cast<int>(
          std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
  EXPECT_LT(took, std::chrono::seconds(5)); // generous: sanitizers
}

TEST(Catalog, FindsAndSorts) {
  std::vector<Tensor> tensors = {{"b", DType::F32, {}, {}},
                                 {"a", DType::F32, {}, {}}};
  EXPECT_EQ(sortByName(tensors), std::nullopt);
  EXPECT_EQ(tensors[0].name, "a");
  tensors.push_back({"a", DType::F32, {}, {}});
  EXPECT_EQ(sortByName(tensors), "a");
  EXPECT_EQ(formatShape({}), "[]");
  EXPECT_EQ(formatShape(Shape{2, 3}), "[2, 3]");
  EXPECT_EQ(wholeShard({2, 3}).blocks,
            (std::vector<Block>{{{0, 0}, {0, 0}, {2, 3}}}));
  EXPECT_EQ(wholeShard({}).blocks.size(), 1u);
  EXPECT_TRUE(wholeShard({0, 3}).blocks.empty());
}

TEST(ClassifyJson, LooksAtTheOutermostNames) {
  using enum JsonInputKind;
  auto expect = [](JsonInputKind kind, std::string_view json) {
    EXPECT_EQ(classifyJsonInput(json), kind) << json;
  };
  expect(Catalog, printed);
  expect(
      Layout,
      R"( { "about": {"schema": "aoa.catalog/1"}, "schema": "aoa.layout/1" })");
  expect(Layout, R"({"mesh": {}, "rules": []})");
  expect(Catalog, R"({"tensors": []})");
  expect(Catalog,
         R"({"x": "a\"}", "y": [{"rules": "]"}], "schema": "aoa.catalog/1"})");
  expect(Statements, R"({"a": [1, {"b": "}"}], "aoa_statements": ["a -> b"]})");
  expect(AffineMap, R"({"version": 1, "params": {}})");
  expect(AffineMap, R"({"affine_map": {}})");
  expect(Other, R"({"version": 1})");
  for (std::string_view text :
       {"", "[]", "{", "{}", "\"schema\"", "{\"a", "{\"a\"",
        "{\"a\":", "{\"a\":[[[", "{\"a\":\"\\", "nul", "{\"schema\": 1}", "{]}",
        "{\"a\":]}"})
    expect(Other, text);
  // A broken text goes to the reader that it seems to be for.
  expect(Layout, R"({"schema": "aoa.layout/1", "rules": [)");
}

/// No flipped bit of a layout or a catalog may do more than be reported.
TEST(CatalogJson, SurvivesEveryFlippedBit) {
  std::string layout = R"({"schema": "aoa.layout/1", "mesh": {"tp": 2},
"rules": [{"match": "l.{i}.{a,b}*", "shard": {"0": "tp"}, "segments": {"0": [2, 4]}, "on": {"tp": "i//1"}},
{"match": "*", "shard": {"-1": ["tp"]}, "sizes": {"-1": [1, 2]}, "pad": {"0": {"multiple": 8}}}], "files": "{tp:02}/x"})";
  std::string catalog = printed;
  for (const std::string *text : {&layout, &catalog})
    for (size_t i = 0; i < text->size(); ++i)
      for (int bit = 0; bit < 8; ++bit) {
        std::string flipped = *text;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
        DiagnosticList faults;
        classifyJsonInput(flipped);
        if (text == &layout) {
          auto read = parseLayout(flipped, FileId(0), faults);
          EXPECT_EQ(read.has_value(), faults.numErrors() == 0);
          if (!read)
            continue;
          for (const LayoutRule &rule : read->rules)
            for (const Shape &shape : {Shape{}, Shape{6}, Shape{5, 3}}) {
              (void)placeTensor(*read, rule, "l.0.a", shape);
              (void)partitionOf(*read, rule, 2);
            }
        } else {
          auto read = parseCatalog(flipped, FileId(0), "", faults);
          EXPECT_EQ(read.has_value(), faults.numErrors() == 0);
          if (read)
            printCatalog(*read);
        }
      }
}

} // namespace
