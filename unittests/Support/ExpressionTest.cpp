//===- ExpressionTest.cpp - Expressions and their values ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/Expression.h"
#include "aoa/Support/Parameters.h"

#include <gtest/gtest.h>

using namespace aoa;

namespace {

/// `x` is 7 everywhere, `n` is 12 in `${…}`, and so is what the config says.
class Scope final : public ExprScope {
public:
  Scope() {
    EXPECT_TRUE(parameters.define("n=12"));
    EXPECT_TRUE(parameters.define("kind=dense"));
    EXPECT_TRUE(parameters.setConfig(
        R"({"heads": 8, "text": {"sizes": [3, 5]}, "none": null})"));
  }
  std::optional<Constant> variable(std::string_view name) const override {
    return name == "x" ? std::optional(Constant{int64_t(7)}) : std::nullopt;
  }
  std::optional<Constant> parameter(std::string_view name) const override {
    return parameters.parameter(name);
  }
  std::optional<Constant> config(std::string_view path) const override {
    return parameters.config(path);
  }

private:
  Parameters parameters;
};

std::string valueOf(std::string_view text) {
  ExprResult<Expr> parsed = parseExpression(text, {}, 0);
  ExprResult<Constant> value =
      parsed ? evaluate(*parsed, Scope()) : std::unexpected(parsed.error());
  if (value)
    return printConstant(*value);
  return std::to_string(value.error().range.begin) + "-" +
         std::to_string(value.error().range.end) + ": " + value.error().message;
}

std::string textOf(std::string_view text) {
  ExprResult<Expr> parsed = parseText(text, {}, 0);
  ExprResult<std::string> value =
      parsed ? evaluateText(*parsed, Scope()) : std::unexpected(parsed.error());
  return value ? *value : value.error().message;
}

TEST(Expression, BindsTightestFirst) {
  EXPECT_EQ(valueOf("2+3*4"), "14");
  EXPECT_EQ(valueOf("(2+3)*4"), "20");
  EXPECT_EQ(valueOf("2*-3"), "-6");
  EXPECT_EQ(valueOf("7 - 2 - 1"), "4");
  EXPECT_EQ(valueOf("-7 // 2"), "-4");
  EXPECT_EQ(valueOf("x % 4 # the rest\n + 1"), "4");
  EXPECT_EQ(valueOf("${missing ?? 2} * 3"), "6");
  EXPECT_EQ(valueOf("1 + 1 == 2 and not 3 < 2 or false"), "true");
  EXPECT_EQ(valueOf("[x, 2*x, [1]]"), "[7, 14, [1]]");
  EXPECT_EQ(valueOf("max(3, lcm(4, 6)) + len([1, 2])"), "14");
  EXPECT_EQ(valueOf("'a${x}\"b'"), "a7\"b");
}

TEST(Expression, SeesParametersInBracesOnly) {
  EXPECT_EQ(valueOf("${n} / 4"), "3");
  EXPECT_EQ(valueOf("${config:heads * 2}"), "16");
  EXPECT_EQ(valueOf("${config:text.sizes[1]}"), "5");
  EXPECT_EQ(valueOf("${config:none ?? 1}"), "1");
  EXPECT_NE(valueOf("n / 4").find("`n`"), std::string::npos);
  EXPECT_EQ(textOf("m.${kind}.${x - 1}"), "m.dense.6");
  EXPECT_EQ(textOf("plain $X '"), "plain $X '");
}

TEST(Expression, RefusesWhatIsNotExact) {
  EXPECT_NE(valueOf("7 / 2").find("7"), std::string::npos);
  EXPECT_NE(valueOf("7 / 2").find(": "), std::string::npos);
  EXPECT_EQ(valueOf("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(valueOf("-9223372036854775808"), "-9223372036854775808");
  for (const char *text :
       {"9223372036854775807 + 1", "9223372036854775808", "1 // 0", "--1", "1.",
        ".5", "1 < 2 < 3", "(1", "1)", "rank(x)", "nothing", "1 +", "'a", "${n",
        "config:heads", "[1] + 1", "not 1"})
    EXPECT_NE(valueOf(text).find(": "), std::string::npos) << text;
}

TEST(Expression, IsLimitedInDepth) {
  auto nested = [](size_t depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(valueOf(nested(256)), "1");
  EXPECT_NE(valueOf(nested(257)).find("256"), std::string::npos);
  EXPECT_NE(valueOf(nested(1'000'000)).find("256"), std::string::npos);
  std::string chain = "1";
  for (int i = 0; i < 100'000; ++i)
    chain += "+1";
  EXPECT_NE(valueOf(chain).find("1000"), std::string::npos);
}

TEST(Parameters, ReadBackFromTheirText) {
  Parameters parameters;
  for (const char *each : {"a=1", "b=1.5", "c=true", "d=x y", "a=2", "e="})
    EXPECT_TRUE(parameters.define(each)) << each;
  for (const char *each : {"LAYER_ID=1", "1=2", "a", "not=1"})
    EXPECT_FALSE(parameters.define(each)) << each;
  EXPECT_TRUE(parameters.setConfig(R"({"h": [1, 2.5, "s"]})"));
  EXPECT_FALSE(Parameters().setConfig("[1]"));
  Expected<Parameters> again = Parameters::fromText(parameters.text());
  ASSERT_TRUE(again);
  for (const Parameters *each : {&parameters, &*again}) {
    EXPECT_EQ(each->parameter("a"), Constant{int64_t(2)});
    EXPECT_EQ(each->parameter("b"), Constant{1.5});
    EXPECT_EQ(each->parameter("c"), Constant{true});
    EXPECT_EQ(each->parameter("d"), Constant{std::string("x y")});
    EXPECT_EQ(each->parameter("e"), Constant{std::string()});
    EXPECT_EQ(each->config("h[2]"), Constant{std::string("s")});
    EXPECT_EQ(each->config("h[3]"), std::nullopt);
  }
}

} // namespace
