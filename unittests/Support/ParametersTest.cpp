//===- ParametersTest.cpp - What `-D` and config.json say -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/Parameters.h"

#include <gtest/gtest.h>

using namespace aoa;

namespace {

std::string defineError(std::string_view text) {
  Parameters parameters;
  auto result = parameters.define(text);
  return result ? "" : result.error().str();
}

Constant parameter(std::string_view value) {
  Parameters parameters;
  EXPECT_TRUE(parameters.define("x=" + std::string(value)).has_value());
  return parameters.parameter("x").value_or(Constant{std::string("?")});
}

Parameters withConfig(std::string_view json) {
  Parameters parameters;
  auto set = parameters.setConfig(json);
  EXPECT_TRUE(set.has_value());
  return parameters;
}

TEST(Parameters, KnowKindsOfValues) {
  for (auto [text, number] : std::vector<std::pair<const char *, int64_t>>{
           {"4", 4}, {"-4", -4}, {"0", 0}, {"-0", 0}, {"10", 10}})
    EXPECT_EQ(parameter(text), Constant{number}) << text;
  for (auto [text, number] : std::vector<std::pair<const char *, double>>{
           {"0.5", 0.5}, {"-1.25", -1.25}, {"1e3", 1000}, {"2.5E-1", 0.25}})
    EXPECT_EQ(parameter(text), Constant{number}) << text;
  EXPECT_EQ(parameter("true"), Constant{true});
  EXPECT_EQ(parameter("false"), Constant{false});
  for (std::string text : {"", "qwen", "1.", ".5", "01", "-01", "--1", "+1",
                           "1e", "1 ", "0x10", "True", "[1]", "a=b"})
    EXPECT_EQ(parameter(text), Constant{text}) << text;
}

TEST(Parameters, RefuseNamesThatNothingCouldRead) {
  EXPECT_EQ(defineError("heads"), "found `heads`, expected `name=value`");
  EXPECT_EQ(defineError("LAYER_ID=3"),
            "parameter `LAYER_ID` ends in `_ID`, as placeholders of templates "
            "do; choose another name");
  EXPECT_EQ(defineError("not=3"), "parameter `not` is a word of expressions; "
                                  "choose another name");
  for (std::string_view bad : {"=3", "1a=3", "a-b=3", "a b=3", "a.b=3", "$a=3"})
    EXPECT_NE(defineError(bad).find("is no name"), std::string::npos) << bad;
  EXPECT_EQ(defineError("n=99999999999999999999"),
            "parameter `n`: number 99999999999999999999 is beyond 64 bits");
  EXPECT_NE(defineError("n=1e999"), "");
  EXPECT_EQ(defineError("n=\xff"), "parameter `n` is not UTF-8");
}

TEST(Parameters, TheLastOneWins) {
  Parameters parameters;
  EXPECT_TRUE(parameters.define("n=1").has_value());
  EXPECT_TRUE(parameters.define("m=x").has_value());
  EXPECT_TRUE(parameters.define("n=2").has_value());
  EXPECT_EQ(parameters.parameter("n"), Constant{int64_t{2}});
  EXPECT_EQ(parameters.parameter("k"), std::nullopt);
  EXPECT_EQ(parameters.variable("n"), std::nullopt) << "inside of ${} only";
  EXPECT_EQ(parameters.parameterNames(), (std::vector<std::string>{"m", "n"}));
}

TEST(Parameters, FindConfigEntries) {
  Parameters parameters = withConfig(R"({
    "heads": 32, "theta": 10000.0, "big": 18446744073709551616,
    "tied": false, "none": null, "type": "llama",
    "text_config": { "heads": 8, "dims": [16, [1, 2], {"x": 5}, "a"] },
    "empty": [] })");
  EXPECT_TRUE(parameters.hasConfig());
  EXPECT_EQ(parameters.config("heads"), Constant{int64_t{32}});
  EXPECT_EQ(parameters.config("theta"), Constant{10000.0});
  EXPECT_EQ(parameters.config("tied"), Constant{false});
  EXPECT_EQ(parameters.config("type"), Constant{std::string("llama")});
  EXPECT_EQ(parameters.config("text_config.heads"), Constant{int64_t{8}});
  EXPECT_EQ(parameters.config("text_config.dims[0]"), Constant{int64_t{16}});
  EXPECT_EQ(parameters.config("text_config.dims[1][1]"), Constant{int64_t{2}});
  EXPECT_EQ(parameters.config("text_config.dims[2].x"), Constant{int64_t{5}});
  std::vector<Constant> pair = {{int64_t{1}}, {int64_t{2}}};
  EXPECT_EQ(parameters.config("text_config.dims[1]"), Constant{pair});
  EXPECT_EQ(parameters.config("empty"), Constant{std::vector<Constant>()});
  EXPECT_EQ(parameters.config("big"),
            Constant{std::string("18446744073709551616")});
  for (std::string_view path :
       {"none", "missing", "text_config", "text_config.dims",
        "text_config.dims[4]", "text_config.dims[99999999999999999999999]",
        "heads.x", "heads[0]", "text_config[0]", "type.x"})
    EXPECT_EQ(parameters.config(path), std::nullopt) << path;
  EXPECT_EQ(parameters.configPaths(),
            (std::vector<std::string>{"heads", "theta", "big", "tied", "type",
                                      "text_config.heads"}));
}

TEST(Parameters, RefuseWhatIsNoObject) {
  Parameters parameters;
  auto list = parameters.setConfig("[1]");
  ASSERT_FALSE(list.has_value());
  EXPECT_EQ(list.error().str(), "found a list, expected an object");
  EXPECT_FALSE(parameters.setConfig("{").has_value());
  EXPECT_FALSE(parameters.setConfig("").has_value());
  EXPECT_FALSE(parameters.hasConfig());
  EXPECT_EQ(parameters.config("a"), std::nullopt);
}

TEST(Parameters, SayThatNoConfigIsKnown) {
  auto expr = parseText("${config:heads}", FileId(0), 0);
  ASSERT_TRUE(expr.has_value());
  auto value = evaluateText(*expr, Parameters());
  ASSERT_FALSE(value.has_value());
  EXPECT_EQ(value.error().message, "no config is known that could say `heads`; "
                                   "`--config` names one");
  EXPECT_TRUE(value.error().isUnset);
}

TEST(Parameters, ReadBackTheirText) {
  Parameters parameters = withConfig("{\"a\": [1, {\"b\": \"x\\n\"}]}");
  ASSERT_TRUE(parameters.define("n=0.10").has_value());
  ASSERT_TRUE(parameters.define("s=a \"b\"=c").has_value());
  auto read = Parameters::fromText(parameters.text());
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->text(), parameters.text());
  EXPECT_EQ(read->parameter("n"), Constant{0.1});
  EXPECT_EQ(read->parameter("s"), Constant{std::string("a \"b\"=c")});
  EXPECT_EQ(read->config("a[1].b"), Constant{std::string("x\n")});
  auto without = Parameters::fromText(parameters.text(false));
  ASSERT_TRUE(without.has_value());
  EXPECT_FALSE(without->hasConfig());
  EXPECT_EQ(without->parameter("n"), Constant{0.1});
  for (std::string_view bad :
       {"", "[]", "{}", "{\"parameters\": 1}", "{\"parameters\": {\"a\": 1}}",
        "{\"parameters\": {\"a b\": \"1\"}}",
        "{\"parameters\": {}, \"config\": {}}",
        "{\"parameters\": {}, \"config\": \"[]\"}"})
    EXPECT_FALSE(Parameters::fromText(bad).has_value()) << bad;
}

TEST(Parameters, CarryADeepConfig) {
  std::string deep =
      "{\"a\": " + std::string(255, '[') + std::string(255, ']') + "}";
  Parameters parameters = withConfig(deep);
  EXPECT_TRUE(Parameters::fromText(parameters.text()).has_value());
}

TEST(Parameters, CopiesShareTheConfig) {
  Parameters copy;
  {
    Parameters original = withConfig("{\"n\": \"\\u0041\"}");
    copy = original;
  }
  EXPECT_EQ(copy.config("n"), Constant{std::string("A")});
}

} // namespace
