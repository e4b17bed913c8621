//===- LayoutJsonTest.cpp - Reading a layout --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/LayoutJson.h"

#include "aoa/Support/Parameters.h"

#include <gtest/gtest.h>

using namespace aoa;

namespace {

struct Read {
  std::string json;
  std::optional<Layout> layout;
  DiagnosticList diagnostics;

  /// Kind, path, the text pointed at, and message of each diagnostic.
  std::vector<std::string> shown() const {
    std::vector<std::string> lines;
    for (const Diagnostic &d : diagnostics.list) {
      EXPECT_TRUE(d.range.isKnown());
      EXPECT_LE(d.range.end, json.size());
      std::string at = json.substr(d.range.begin, d.range.end - d.range.begin);
      lines.push_back(std::string(d.kind->name) + " at " + d.jsonPath + " `" +
                      at + "`: " + d.message);
    }
    return lines;
  }
};

Read read(std::string json, const ExprScope *parameters = nullptr) {
  Read result;
  result.json = std::move(json);
  result.layout =
      parseLayout(result.json, FileId(3), result.diagnostics, parameters);
  EXPECT_EQ(result.layout.has_value(), result.diagnostics.list.empty());
  return result;
}

/// The diagnostics of a layout with one rule.
std::vector<std::string> ruleFaults(std::string_view rule) {
  return read(R"({"schema": "aoa.layout/1", "mesh": {"ep": 2, "tp": 4},
"rules": [)" + std::string(rule) +
              "]}")
      .shown();
}

using Lines = std::vector<std::string>;

TEST(LayoutJson, ReadsEveryField) {
  Read result = read(R"({ "schema": "aoa.layout/1", "about": "free text",
  "mesh":  { "pp": 2, "ep": 2, "tp": 4 },
  "rules": [
    { "match": "layers.*.in_proj.weight", "shard": { "0": "tp" }, "segments": { "0": [4096, 1024, 1024] }, "about": {"x": 1} },
    { "match": "embed.weight", "shard": { "0": "tp" }, "pad": { "0": 50304, "1": {"multiple": 8} }, "pad_value": -1.5 },
    { "match": "*.experts.*.w{1,3}", "shard": { "-1": ["ep", "tp"] }, "chunk": "ceil" },
    { "match": "layers.{i}.x", "shard": {"0": "tp"}, "sizes": {"0": [1, 0, 2, 3]}, "on": {"pp": "i // 20", "ep": [0, 1]}, "dtype": "bfloat16", "shape": [6, 4] },
    { "match": "a", "on": {"pp": 1}, "dtype": "F32", "replicate": false },
    { "match": "*", "replicate": true } ],
  "files": "{tp}/rank_{rank:05}_of_{world}.safetensors" })");
  ASSERT_TRUE(result.layout.has_value()) << result.shown()[0];
  const Layout &layout = *result.layout;
  EXPECT_EQ(layout.file, FileId(3));
  ASSERT_EQ(layout.mesh.axes.size(), 3u);
  EXPECT_EQ(layout.mesh.numRanks(), 16);
  EXPECT_EQ(layout.mesh.coordinates(13), (std::vector<int64_t>{1, 1, 1}));
  EXPECT_EQ(layout.mesh.findAxis("tp"), 2);
  EXPECT_EQ(layout.mesh.findAxis("dp"), -1);
  ASSERT_EQ(layout.rules.size(), 6u);
  EXPECT_EQ(layout.rules[0].cuts[0].segments,
            (std::vector<int64_t>{4096, 1024, 1024}));
  EXPECT_EQ(layout.rules[1].cuts[0].padTo, 50304);
  EXPECT_EQ(layout.rules[1].cuts[1].padMultiple, 8);
  EXPECT_EQ(layout.rules[1].padValue, -1.5);
  EXPECT_EQ(layout.rules[2].cuts[0].dim, -1);
  EXPECT_EQ(layout.rules[2].cuts[0].meshAxes, (std::vector<int>{1, 2}));
  EXPECT_EQ(layout.rules[2].chunk, ChunkRule::Ceil);
  EXPECT_EQ(layout.rules[3].cuts[0].sizes, (std::vector<Shape>{{1, 0, 2, 3}}));
  EXPECT_EQ(
      std::get<ComputedCoordinate>(layout.rules[3].on.at(0)).value.written,
      "i // 20");
  EXPECT_EQ(layout.rules[3].dtype, DType::BF16);
  EXPECT_EQ(layout.rules[3].shape, (Shape{6, 4}));
  EXPECT_EQ(layout.rules[4].dtype, DType::F32);
  EXPECT_TRUE(layout.rules[5].replicate);
  EXPECT_EQ(layout.rules[5].path, "rules[5]");
  const SourceRange range = layout.rules[5].range;
  EXPECT_EQ(result.json.substr(range.begin, range.end - range.begin),
            R"({ "match": "*", "replicate": true })");
  EXPECT_EQ(layout.files.fileOf(13, layout.mesh),
            "1/rank_00013_of_16.safetensors");
  EXPECT_EQ(layout.findRule("embed.weight"), &layout.rules[1]);
  EXPECT_EQ(layout.findRule("layers.3.y"), &layout.rules[5]);
}

TEST(LayoutJson, HasDefaults) {
  Read result =
      read(R"({"schema": "aoa.layout/1", "rules": [{"match": "a"}]})");
  ASSERT_TRUE(result.layout.has_value());
  EXPECT_EQ(result.layout->mesh.numRanks(), 1);
  EXPECT_EQ(result.layout->mesh.coordinates(0), std::vector<int64_t>());
  EXPECT_EQ(result.layout->files.fileOf(0, result.layout->mesh),
            "rank_00000.safetensors");
  EXPECT_EQ(result.layout->findRule("b"), nullptr);
}

TEST(LayoutJson, ReportsWhatIsNoJson) {
  EXPECT_EQ(
      read(R"({"schema": "aoa.layout/1", "rules": [{"match": }]})").shown(),
      Lines{"json-syntax at rules[0].match `}`: found `}`, expected a "
            "value"});
  EXPECT_EQ(read("{} x").shown(),
            Lines{"json-syntax at  `x`: `x` follows the end of the value"});
  EXPECT_EQ(read(std::string(200'000, '[')).shown().size(), 1u);
  Read twice = read(
      R"({"schema": "aoa.layout/1", "mesh": {"tp": 2, "tp": 4}, "rules": []})");
  EXPECT_EQ(twice.shown(), Lines{"json-duplicate-name at mesh.tp `\"tp\"`: "
                                 "name `tp` is given twice in one object"});
  ASSERT_EQ(twice.diagnostics.list[0].notes.size(), 1u);
  EXPECT_EQ(twice.diagnostics.list[0].notes[0].range.begin,
            twice.json.find("\"tp\""));
}

TEST(LayoutJson, WantsItsSchema) {
  EXPECT_EQ(read(R"({"rules": []})").shown(),
            Lines{"missing-field at  `{\"rules\": []}`: field `schema` is "
                  "missing"});
  EXPECT_EQ(read(R"({"schema": "aoa.layout/2", "rules": []})").shown(),
            Lines{"wrong-schema at schema `\"aoa.layout/2\"`: schema "
                  "`aoa.layout/2`, expected `aoa.layout/1`"});
  EXPECT_EQ(read(R"({"schema": 1, "rules": []})").shown(),
            Lines{"json-type at schema `1`: found 1, expected a string"});
  EXPECT_EQ(read("[1]").shown(),
            Lines{"json-type at  `[1]`: found a list, expected an object"});
  EXPECT_EQ(read(R"({"schema": "aoa.layout/1"})").shown().size(), 1u);
}

TEST(LayoutJson, KnowsItsFields) {
  EXPECT_EQ(ruleFaults(R"({"match": "*", "shart": {"0": "tp"}})"),
            Lines{"unknown-field at rules[0].shart `\"shart\"`: unknown field "
                  "`shart`; did you mean `shard`?"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "color": 1})"),
            Lines{"unknown-field at rules[0].color `\"color\"`: unknown field "
                  "`color`"});
  EXPECT_EQ(
      read(R"({"schema": "aoa.layout/1", "rule": [], "rules": []})").shown(),
      Lines{"unknown-field at rule `\"rule\"`: unknown field `rule`; did "
            "you mean `rules`?"});
  EXPECT_EQ(ruleFaults(R"({"shard": {}})"),
            Lines{"missing-field at rules[0] `{\"shard\": {}}`: field `match` "
                  "is missing"});
  EXPECT_EQ(ruleFaults("7"), Lines{"json-type at rules[0] `7`: found 7, "
                                   "expected an object"});
}

Parameters parameters() {
  Parameters parameters;
  for (std::string_view each : {"tp=4", "axis=tp", "prefix=l", "f=r_{rank}",
                                "half=0.5", "d=BF16", "dim=0"})
    EXPECT_TRUE(parameters.define(each).has_value());
  EXPECT_TRUE(parameters.setConfig(R"({"heads": 8})").has_value());
  return parameters;
}

TEST(LayoutJson, PutsParametersIn) {
  Parameters given = parameters();
  Read result = read(R"({"schema": "aoa.layout/1", "mesh": {"tp": "${tp}"},
"rules": [{"match": "${prefix}.*", "shard": {"0": "${axis}"},
  "sizes": {"0": ["${config:heads // 2}", 1, "${tp}", "${missing ?? 3}"]},
  "pad": {"1": "${tp * 4}"}, "pad_value": "${half}", "scale": "${-half}",
  "dtype": "${d}", "shape": ["${4 + tp + tp}", "${tp}"]},
 {"match": "a", "scale": "1/${axis}", "on": {"tp": "${tp} - 1"}}],
"files": "${f}/x"})",
                     &given);
  ASSERT_TRUE(result.layout.has_value()) << result.shown()[0];
  const Layout &layout = *result.layout;
  EXPECT_EQ(layout.mesh.axes[0].size, 4);
  EXPECT_EQ(layout.files.text(), "r_{rank}/x");
  const LayoutRule &rule = layout.rules[0];
  EXPECT_EQ(rule.match.text(), "l.*");
  EXPECT_EQ(rule.cuts[0].meshAxes, std::vector<int>{0});
  EXPECT_EQ(rule.cuts[0].sizes, (std::vector<Shape>{{4, 1, 4, 3}}));
  EXPECT_EQ(rule.cuts[1].padTo, 16);
  EXPECT_EQ(rule.padValue, 0.5);
  EXPECT_EQ(rule.scale, -0.5);
  EXPECT_EQ(rule.dtype, DType::BF16);
  EXPECT_EQ(rule.shape, (Shape{12, 4}));
  EXPECT_EQ(layout.rules[1].scale, 0.25);
}

TEST(LayoutJson, SaysWhichParameterIsWrong) {
  Parameters given = parameters();
  auto faults = [&](std::string_view rule) {
    return read(R"({"schema": "aoa.layout/1", "mesh": {"tp": 4},
"rules": [)" + std::string(rule) +
                    "]}",
                &given)
        .shown();
  };
  EXPECT_EQ(faults(R"({"match": "${prefx}.*"})"),
            Lines{"layout-parameter at rules[0].match `prefx`: unknown "
                  "variable `prefx`; did you mean `prefix`?"});
  EXPECT_EQ(faults(R"({"match": "\u0061${prefx}"})"),
            Lines{"layout-parameter at rules[0].match `\"\\u0061${prefx}\"`: "
                  "unknown variable `prefx`; did you mean `prefix`?"});
  EXPECT_EQ(faults(R"({"match": "${tp // 0}"})"),
            Lines{"layout-parameter at rules[0].match `tp // 0`: `4 // 0` "
                  "divides by zero"});
  EXPECT_EQ(faults(R"({"match": "${tp"})"),
            Lines{"layout-parameter at rules[0].match `${tp`: `${` is not "
                  "closed by `}`"});
  EXPECT_EQ(faults(R"({"match": "*", "shape": ["${prefix}"]})"),
            Lines{"layout-parameter at rules[0].shape[0] `\"${prefix}\"`: "
                  "found the text `l`, expected a whole number, not negative"});
  EXPECT_EQ(faults(R"({"match": "*", "shape": ["${-tp}"]})"),
            Lines{"layout-parameter at rules[0].shape[0] `\"${-tp}\"`: "
                  "found -4, expected a whole number, not negative"});
  EXPECT_EQ(faults(R"({"match": "*", "shape": ["${half}"]})"),
            Lines{"layout-parameter at rules[0].shape[0] `\"${half}\"`: "
                  "found 0.5, expected a whole number, not negative"});
  EXPECT_EQ(faults(R"({"match": "*", "shape": ["1${tp}"]})"),
            Lines{"json-type at rules[0].shape[0] `\"1${tp}\"`: found a "
                  "string, expected a whole number, not negative"});
  EXPECT_EQ(faults(R"({"match": "*", "scale": "${prefix}"})"),
            Lines{"layout-parameter at rules[0].scale `\"${prefix}\"`: "
                  "found the text `l`, expected a finite number"});
  // Nothing is set where no parameters are given.
  EXPECT_EQ(read(R"({"schema": "aoa.layout/1", "mesh": {"tp": "${tp}"},
"rules": [], "files": "${config:f}"})")
                .shown(),
            (Lines{"layout-parameter at mesh.tp `tp`: unknown variable `tp`"}));
}

TEST(LayoutJson, ChecksTheMesh) {
  auto meshFaults = [](std::string_view mesh) {
    return read("{\"schema\": \"aoa.layout/1\", \"mesh\": " +
                std::string(mesh) + ", \"rules\": []}")
        .shown();
  };
  EXPECT_EQ(meshFaults(R"({"tp": 0})"),
            Lines{"layout-mesh at mesh.tp `0`: axis `tp` has size 0, expected "
                  "at least 1"});
  EXPECT_EQ(meshFaults(R"({"tp": -2})").size(), 1u);
  EXPECT_EQ(meshFaults(R"({"tp": 1.5})"),
            Lines{"json-type at mesh.tp `1.5`: found 1.5, expected the size of "
                  "the axis"});
  EXPECT_EQ(meshFaults(R"({"a": 65536, "b": 32768})"), Lines{});
  EXPECT_EQ(meshFaults(R"({"a": 65536, "b": 32769})"),
            Lines{"layout-mesh at mesh.b `32769`: mesh has 65536 times 32769 "
                  "ranks with axis `b`, more than 2^31"});
  EXPECT_EQ(meshFaults(R"({"a": 9223372036854775807, "b": 2})").size(), 1u);
  EXPECT_EQ(
      meshFaults(R"({"a b": 2})"),
      Lines{"layout-mesh at mesh[\"a b\"] `\"a b\"`: axis `a b`, expected "
            "a name of letters, digits and `_`"});
  EXPECT_EQ(meshFaults(R"({"rank": 2})").size(), 1u);
  EXPECT_EQ(meshFaults("[2]"), Lines{"json-type at mesh `[2]`: found a list, "
                                     "expected an object from axis to size"});
  // A mesh that could not be read does not make its axes unknown.
  EXPECT_EQ(
      read(
          R"({"schema": "aoa.layout/1", "mesh": 7, "rules": [{"match": "*", "shard": {"0": "tp"}}], "files": "{tp}"})")
          .shown()
          .size(),
      1u);
}

TEST(LayoutJson, ChecksShard) {
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "shard": {"0": "tpp"}})"),
      Lines{"layout-rule at rules[0].shard[\"0\"] `\"tpp\"`: unknown mesh axis "
            "`tpp`, expected one of `ep`, `tp`; did you mean `tp`?"});
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "shard": {"0": "tp", "1": ["ep", "tp"]}})"),
      Lines{"layout-rule at rules[0].shard[\"1\"][1] `\"tp\"`: axis `tp` "
            "cuts dimension 0 already, expected each axis at most once"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "shard": {"x": "tp"}})"),
            Lines{"layout-rule at rules[0].shard.x `\"x\"`: dimension `x`, "
                  "expected a whole number"});
  for (const char *dim : {"00", "-0", "+1", " 1", "1.0", "", "99999999999"})
    EXPECT_EQ(ruleFaults("{\"match\": \"*\", \"shard\": {\"" +
                         std::string(dim) + "\": \"tp\"}}")
                  .size(),
              1u)
        << dim;
  EXPECT_EQ(ruleFaults(R"({"match": "*", "shard": {"0": []}})"),
            Lines{"layout-rule at rules[0].shard[\"0\"] `[]`: no axis for "
                  "dimension 0"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "shard": {"0": 1}})"),
            Lines{"json-type at rules[0].shard[\"0\"] `1`: found 1, expected a "
                  "mesh axis or a list of them"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "shard": "tp"})").size(), 1u);
}

TEST(LayoutJson, ChecksFieldsAgainstEachOther) {
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "shard": {"0": "tp"}, "replicate": true})"),
      Lines{"layout-rule at rules[0].replicate `true`: `replicate` "
            "together with `shard`, expected one of the two"});
  EXPECT_EQ(
      ruleFaults(
          R"({"match": "*", "shard": {"0": "tp"}, "pad": {"0": 8}, "segments": {"0": 2}})"),
      Lines{"layout-rule at rules[0].pad `{\"0\": 8}`: `pad` together with "
            "`segments`, expected one of the two: the layout cuts the padded "
            "tensor"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "pad_value": 1})").size(), 1u);
  EXPECT_EQ(
      ruleFaults(
          R"({"match": "*", "shard": {"0": "tp"}, "sizes": {"1": [1, 1, 1, 1]}})"),
      Lines{"layout-rule at rules[0].sizes[\"1\"] `\"1\"`: `sizes` of "
            "dimension 1, which `shard` does not cut"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "segments": {"0": 2}})").size(), 1u);
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "replicate": true, "segments": {"0": 2}})")
          .size(),
      1u);
  // An unknown axis is reported once, not again by what depends on it.
  EXPECT_EQ(
      ruleFaults(
          R"({"match": "*", "shard": {"0": ["tp", "x"]}, "sizes": {"0": [1]}, "segments": {"0": 1}})")
          .size(),
      1u);
}

TEST(LayoutJson, ChecksSizesAndSegments) {
  auto faults = [](std::string_view fields) {
    return ruleFaults(R"({"match": "*", "shard": {"0": "ep"}, )" +
                      std::string(fields) + "}");
  };
  EXPECT_EQ(faults(R"("sizes": {"0": [1, 2, 3]})"),
            Lines{"layout-rule at rules[0].sizes[\"0\"] `[1, 2, 3]`: 3 sizes "
                  "for dimension 0, expected 2"});
  EXPECT_EQ(faults(R"("sizes": {"0": [1, -2]})"),
            Lines{"json-type at rules[0].sizes[\"0\"][1] `-2`: found -2, "
                  "expected a whole number, not negative"});
  EXPECT_EQ(faults(R"("sizes": {"0": [9223372036854775807, 1]})").size(), 1u);
  EXPECT_EQ(faults(R"("sizes": {"0": [[1, 1], [2, 2]]})"),
            Lines{"layout-rule at rules[0].sizes[\"0\"] `[[1, 1], [2, 2]]`: 2 "
                  "lists of sizes for 1 segments of dimension 0, expected one "
                  "for each"});
  EXPECT_EQ(faults(R"("segments": {"0": 2}, "sizes": {"0": [[1, 1], [2, 2]]})"),
            Lines{});
  EXPECT_EQ(faults(R"("segments": {"0": 2}, "sizes": {"0": [1, 1]})").size(),
            1u);
  EXPECT_EQ(
      faults(R"("segments": {"0": [2, 5]}, "sizes": {"0": [[1, 1], [2, 2]]})"),
      Lines{
          "layout-rule at rules[0].sizes[\"0\"][1] `[2, 2]`: sum of the sizes "
          "is 4, expected 5, the extent of segment 1"});
  EXPECT_EQ(faults(R"("segments": {"0": [2, 5]}, "sizes": {"0": [[1, 1], 3]})")
                .size(),
            1u);
  EXPECT_EQ(faults(R"("segments": {"0": 0})").size(), 1u);
  EXPECT_EQ(faults(R"("segments": {"0": []})").size(), 1u);
  EXPECT_EQ(faults(R"("segments": {"0": "2"})"),
            Lines{"json-type at rules[0].segments[\"0\"] `\"2\"`: found a "
                  "string, expected extents of segments or their number"});
  EXPECT_EQ(faults(R"("sizes": {"0": []})").size(), 1u);
}

TEST(LayoutJson, ChecksTheOtherFields) {
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "chunk": "evn"})"),
      Lines{"layout-rule at rules[0].chunk `\"evn\"`: chunk `evn`, "
            "expected `even`, `ceil` or `balanced`; did you mean `even`?"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "dtype": "BF61"})"),
            Lines{"layout-rule at rules[0].dtype `\"BF61\"`: unknown dtype "
                  "`BF61`; did you mean `BF16`?"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "replicate": 1})").size(), 1u);
  EXPECT_EQ(ruleFaults(R"({"match": "*", "shape": [2, -1]})").size(), 1u);
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "shape": [4294967296, 4294967296]})").size(),
      1u);
  EXPECT_EQ(ruleFaults(R"({"match": "*", "pad": {"0": -1}})").size(), 1u);
  EXPECT_EQ(ruleFaults(R"({"match": "*", "pad": {"0": {"multiple": 0}}})"),
            Lines{"json-type at rules[0].pad[\"0\"].multiple `0`: found 0, "
                  "expected a whole number of at least 1"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "pad": {"0": {"multipl": 8}}})"),
            (Lines{"unknown-field at rules[0].pad[\"0\"].multipl "
                   "`\"multipl\"`: unknown field `multipl`; did you mean "
                   "`multiple`?",
                   "missing-field at rules[0].pad[\"0\"] `{\"multipl\": 8}`: "
                   "field `multiple` is missing"}));
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "pad": {"0": 1}, "pad_value": "x"})").size(),
      1u);
  EXPECT_EQ(ruleFaults(R"({"match": "a{b"})"),
            Lines{"layout-pattern at rules[0].match `\"a{b\"`: `{` without `}` "
                  "at byte 1"});
}

TEST(LayoutJson, ChecksOn) {
  EXPECT_EQ(ruleFaults(R"({"match": "l.{i}", "on": {"tp": "j"}})"),
            Lines{"layout-rule at rules[0].on.tp `\"j\"`: unknown name `j`, "
                  "expected a number that `l.{i}` captures"});
  EXPECT_EQ(ruleFaults(R"({"match": "l.{layer}", "on": {"tp": "layr//2"}})"),
            Lines{"layout-rule at rules[0].on.tp `\"layr//2\"`: unknown name "
                  "`layr`, expected a number that `l.{layer}` captures; did "
                  "you mean `layer`?"});
  EXPECT_EQ(
      ruleFaults(R"({"match": "l.{i}", "on": {"tp": "i //"}})"),
      Lines{"layout-rule at rules[0].on.tp ``: found the end of the "
            "expression, expected a number, a name, a string or a bracket"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "on": {"tq": 0}})"),
            Lines{"layout-rule at rules[0].on.tq `\"tq\"`: unknown mesh axis "
                  "`tq`, expected one of `ep`, `tp`"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "on": {"tp": []}})").size(), 1u);
  EXPECT_EQ(ruleFaults(R"({"match": "*", "on": {"tp": 0.5}})").size(), 1u);
  EXPECT_EQ(ruleFaults(R"({"match": "*", "on": {"tp": [0, "1"]}})").size(), 1u);
  EXPECT_EQ(
      ruleFaults(R"({"match": "*", "on": {"tp": {"blocks": [1]}}})").size(),
      1u);
}

TEST(LayoutJson, ChecksFiles) {
  auto fileFault = [](std::string_view files) {
    Lines lines = read(R"({"schema": "aoa.layout/1", "mesh": {"dpx": 2},
"rules": [], "files": ")" +
                       std::string(files) + "\"}")
                      .shown();
    return lines.empty() ? "" : lines[0];
  };
  EXPECT_EQ(fileFault("{dpx}/model.safetensors"), "");
  EXPECT_EQ(fileFault("..x/y..{rank}"), "");
  EXPECT_EQ(
      fileFault("{dqx}.safetensors"),
      "layout-files at files `\"{dqx}.safetensors\"`: unknown placeholder "
      "`{dqx}`, expected `{rank}`, `{world}` or a mesh axis; did you mean "
      "`dpx`?");
  EXPECT_EQ(fileFault("/x"), "layout-files at files `\"/x\"`: absolute file "
                             "name `/x`, expected one below the directory");
  EXPECT_EQ(fileFault("a/../x"), "layout-files at files `\"a/../x\"`: `..` in "
                                 "file name `a/../x`, expected one below the "
                                 "directory");
  for (std::string_view bad :
       {"", "..", "../x", "x/..", "a//b", "a/", "./a", "{rank", "rank}",
        "{rank:x}", "{rank:-1}", "{rank:99}", "{rank:}", "{}", "{{rank}}",
        "a\\u0000b", "a\\nb"})
    EXPECT_NE(fileFault(bad), "") << bad;
}

TEST(LayoutJson, ReportsSeveralFaultsInOneRun) {
  Lines lines = read(R"({"schema": "aoa.layout/1", "mesh": {"tp": 4}, "rules": [
  {"match": "a", "shart": {}},
  {"match": "b", "shard": {"0": "dp"}},
  {"match": "c", "chunk": "odd", "dtype": "F31"}], "files": "/abs"})")
                    .shown();
  EXPECT_EQ(lines.size(), 5u);
}

TEST(LayoutJson, StopsAfterManyFaults) {
  std::string json = R"({"schema": "aoa.layout/1", "rules": [)";
  for (int i = 0; i < 5000; ++i)
    json += R"({"match": "*", "x": 1},)";
  Read result = read(json + R"({"match": "*"}]})");
  EXPECT_EQ(result.diagnostics.list.size(), 100u);
  EXPECT_EQ(result.diagnostics.list.back().notes.at(0).message,
            "further faults of this file are not shown");
}

TEST(FileNamePattern, PadsNumbers) {
  Mesh mesh{{{"dp", 2}, {"tp", 3}}};
  auto fileOf = [&](std::string_view text, int64_t rank) {
    auto pattern = FileNamePattern::parse(text, mesh);
    EXPECT_TRUE(pattern.has_value()) << text;
    EXPECT_EQ(pattern->text(), text);
    return pattern->fileOf(rank, mesh);
  };
  EXPECT_EQ(fileOf("m_{dp}_{tp:02}_{rank:3}_{world}", 5), "m_1_02_005_6");
  EXPECT_EQ(fileOf("{rank:0}", 4), "4");
  EXPECT_EQ(fileOf("{rank:01}", 4), "4");
  EXPECT_EQ(fileOf("plain", 4), "plain");
}

TEST(LayoutJson, ChecksScaleAndPieces) {
  EXPECT_EQ(ruleFaults(R"({"match": "*", "scale": 0})"),
            Lines{"layout-rule at rules[0].scale `0`: scale 0, which cannot be "
                  "undone"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "scale": "2/tp"})"),
            Lines{"layout-rule at rules[0].scale `\"2/tp\"`: scale `2/tp`, "
                  "expected a number or `1/` and a mesh axis"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "scale": 2, "dtype": "I8"})"),
            Lines{"layout-rule at rules[0].scale `2`: scale 2 of a tensor of "
                  "I8, expected a floating point dtype"});
  EXPECT_EQ(ruleFaults(R"({"match": "*", "replicate": true, "pieces": {}})"),
            Lines{"layout-rule at rules[0].replicate `true`: `replicate` "
                  "together with `pieces`, which say all of the geometry"});
  EXPECT_EQ(
      ruleFaults(
          R"({"match": "*", "pieces": {"01": {"shape": [], "pieces": []}}})"),
      Lines{"json-type at rules[0].pieces[\"01\"] `\"01\"`: found rank "
            "`01`, expected a whole number up to 2147483647"});
}

} // namespace
