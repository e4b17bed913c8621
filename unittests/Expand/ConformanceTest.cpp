//===- ConformanceTest.cpp - Upstream's expansions --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The cases of kind `expand`, and those of kind `error` that upstream refuses
// in expansion or that expansion leads to its parser or engine to refuse, of
// test/Inputs/conformance/aoa-conformance.json.
//===----------------------------------------------------------------------===//

#include "ScriptBuilder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace aoa::expand::test {
namespace {

using Json = nlohmann::json;

const Json &conformance() {
  static const Json file = [] {
    std::ifstream in(AOA_TEST_INPUTS "/conformance/aoa-conformance.json");
    return Json::parse(in);
  }();
  return file["cases"];
}

MacroSet enabledOf(const Json &test) {
  if (!test.contains("passes"))
    return MacroSet().set();
  static const std::map<std::string, Macro> names = {
      {"offset", Macro::LayerIdOffset},
      {"id", Macro::Id},
      {"array", Macro::Array},
      {"star", Macro::Star},
      {"T", Macro::Transpose}};
  MacroSet enabled;
  for (const std::string pass : test["passes"])
    enabled.set(static_cast<size_t>(names.at(pass)));
  return enabled;
}

Texts expectedTexts(const Json &test) {
  Texts texts;
  if (test.contains("expect_text")) {
    for (std::string text : test["expect_text"])
      texts.push_back(text.substr(0, text.find('\n')));
    return texts;
  }
  for (const Json &statement : test["expect_expansion"]) {
    std::string text;
    for (const std::string name : statement["left"])
      text += (text.empty() ? "" : ",") + name;
    text += "->";
    bool first = true;
    for (const std::string name : statement["right"]) {
      text += (first ? "" : ",") + name;
      first = false;
    }
    for (const auto &[name, value] : statement["attrs"].items())
      text += "," + name + "=" + value.dump();
    texts.push_back(text);
  }
  return texts;
}

std::map<std::string, TestTensor> tensorsOf(const Json &shards) {
  std::map<std::string, TestTensor> tensors;
  for (const auto &[name, count] : shards.items())
    tensors[name] = {.parts = {1, count.get<int64_t>()}};
  return tensors;
}

TEST(ExpandConformance, Expansions) {
  unsigned numCases = 0;
  for (const Json &test : conformance()) {
    if (test["kind"] != "expand")
      continue;
    ++numCases;
    SCOPED_TRACE(test["name"].get<std::string>());
    TestEnds ends{tensorsOf(test["left_state_shards"]),
                  tensorsOf(test["right_state_shards"]), true};
    Expanded expanded = expandTexts(test["statements"], ends,
                                    ast::Dialect::Paddle, enabledOf(test));
    EXPECT_EQ(expanded.text(), expectedTexts(test));
    EXPECT_EQ(expanded.reports(), Texts());
  }
  EXPECT_EQ(numCases, 23u);
}

std::map<std::string, TestTensor> tableOf(const Json &table) {
  std::map<std::string, TestTensor> tensors;
  for (const auto &[name, shards] : table.items()) {
    std::set<std::vector<int64_t>> offsets;
    for (const Json &shard : shards)
      offsets.insert(shard["global_offset"]);
    TestTensor tensor;
    tensor.parts.assign(shards.at(0)["global_shape"].size(), 1);
    tensor.numDistinctOffsets = offsets.size();
    tensors[name] = tensor;
  }
  return tensors;
}

TEST(ExpandConformance, Errors) {
  const std::map<std::string, std::string> kinds = {
      {"many_to_many", "many-to-many"},
      {"unquoted_permute_list", "unquoted-list"},
      {"unquoted_empty_permute", "unquoted-list"},
      {"transpose_on_the_right", "right-transpose"},
      {"optimizer_key_in_a_fused_macro", "optimizer-state-in-macro"},
      {"layer_template_with_remove", "missing-placeholder"},
      {"layer_template_with_add", "missing-placeholder"},
      {"heads_not_multiple_of_groups", "failed-assertion"},
      {"fused_qkv_two_to_one_form", "macro-arity"},
      {"inconsistent_shard_counts", "unclear-degree"},
      {"ambiguous_chain", "unclear-degree"},
      {"self_assigned_temp_breaks_chain", "unclear-degree"},
      {"star_on_the_right_without_destination", "star-without-match"},
      // Refused later upstream, because of the text that macros leave.
      {"kv_groups_fewer_than_tp", "failed-assertion"},
      {"star_with_transpose_suffix", "star-without-match"},
      {"attribute_before_the_macro_tag", "misplaced-tag"},
      {"heads_not_multiple_of_tp", "failed-assertion"},
      // Not refused, but silently wrong.
      {"fused_qkv_one_to_one_is_misread", "macro-arity"},
  };
  unsigned numCases = 0;
  for (const Json &test : conformance()) {
    auto kind = kinds.find(test["name"]);
    if (kind == kinds.end()) {
      // The missing comma is the parser's to find.
      EXPECT_FALSE(test["kind"] == "error" &&
                   test["expect_error"]["phase"] == "expand" &&
                   test["name"] != "missing_comma_before_macro_tag")
          << test["name"];
      continue;
    }
    ++numCases;
    SCOPED_TRACE(kind->first);
    bool listed = !test["destination"].is_null();
    TestEnds ends{tableOf(test["source"]),
                  listed ? tableOf(test["destination"])
                         : std::map<std::string, TestTensor>(),
                  listed};
    Expanded expanded =
        expandTexts(test["statements"], ends, ast::Dialect::Paddle);
    EXPECT_EQ(expanded.diagnostics.numErrors(), 1u);
    if (!expanded.diagnostics.list.empty()) {
      EXPECT_EQ(expanded.diagnostics.list[0].kind->name, kind->second)
          << expanded.diagnostics.list[0].message;
    }
  }
  EXPECT_EQ(numCases, kinds.size());
}

TEST(ExpandConformance, TemplatesThatMatchNothingVanish) {
  Expanded expanded = expandTexts({"zz.$LAYER_ID.w -> yy.$LAYER_ID.w"},
                                  {{{"l.0.w", {}}}}, ast::Dialect::Paddle);
  EXPECT_EQ(expanded.text(), Texts());
  ASSERT_EQ(expanded.diagnostics.list.size(), 1u);
  EXPECT_EQ(expanded.diagnostics.list[0].kind, &diag::TemplateWithoutMatch);
}

} // namespace
} // namespace aoa::expand::test
