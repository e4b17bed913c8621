//===- CoordinateExprTest.cpp - Expressions in layouts ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/CoordinateExpr.h"

#include <gtest/gtest.h>

using namespace aoa;

namespace {

const std::map<std::string, int64_t, std::less<>> variables = {
    {"i", 41}, {"n", -7}, {"low", INT64_MIN}};

/// The value, or the error.
std::string evaluate(std::string_view text) {
  auto expr = CoordinateExpr::parse(text);
  if (!expr)
    return "parse: " + expr.error().str();
  EXPECT_EQ(expr->text(), text);
  auto value = expr->evaluate(variables);
  return value ? std::to_string(*value) : value.error().str();
}

TEST(CoordinateExpr, Evaluates) {
  for (auto [text, value] : std::vector<std::pair<const char *, int64_t>>{
           {"7", 7},
           {" i // 20 ", 2},
           {"i - 20*2", 1},
           {"1+2*3", 7},
           {"(1+2)*3", 9},
           {"10-3-2", 5},
           {"100/5/2", 10},
           {"7//2", 3},
           {"-7//2", -4},
           {"7//-2", -4},
           {"-7//-2", 3},
           {"7%3", 1},
           {"-7%3", 2},
           {"7%-3", -2},
           {"n % 4", 1},
           {"-i", -41},
           {"+i", 41},
           {"-(1+2)", -3},
           {"2*-3", -6},
           {"1--1", 2},
           {"min(3, 1+1, 5)", 2},
           {"max(i, 50)", 50},
           {"max(1)", 1},
           {"min(i//20, 1)", 1},
           {"min(max(1,2),max(3,4))", 2},
           {"-9223372036854775808", INT64_MIN},
           {"9223372036854775807", INT64_MAX},
           {"low % -1", 0},
           {"6 / 3", 2},
           {"-6/3", -2}})
    EXPECT_EQ(evaluate(text), std::to_string(value)) << text;
}

TEST(CoordinateExpr, FloorAgreesWithItsDefinition) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -4; b <= 4; ++b) {
      if (b == 0)
        continue;
      auto number = [](int64_t x) { return "(" + std::to_string(x) + ")"; };
      int64_t quotient = std::stoll(evaluate(number(a) + "//" + number(b)));
      int64_t remainder = std::stoll(evaluate(number(a) + "%" + number(b)));
      EXPECT_EQ(quotient * b + remainder, a);
      EXPECT_TRUE(b > 0 ? remainder >= 0 && remainder < b
                        : remainder <= 0 && remainder > b);
    }
}

TEST(CoordinateExpr, FailsWithTheNumbers) {
  EXPECT_EQ(evaluate("7/2"),
            "in `7/2`: `7 / 2` is no whole number; did you mean `//`?");
  EXPECT_EQ(evaluate("i // 0"), "in `i // 0`: `41 // 0` divides by zero");
  EXPECT_EQ(evaluate("i % 0"), "in `i % 0`: `41 % 0` divides by zero");
  EXPECT_EQ(evaluate("j + 1"), "unknown name `j` in `j + 1`");
  EXPECT_EQ(evaluate("9223372036854775807 + 1"),
            "in `9223372036854775807 + 1`: `9223372036854775807 + 1` is beyond "
            "64 bits");
  EXPECT_NE(evaluate("low // -1").find("beyond 64 bits"), std::string::npos);
  EXPECT_NE(evaluate("low / -1").find("beyond 64 bits"), std::string::npos);
  EXPECT_NE(evaluate("-low").find("beyond 64 bits"), std::string::npos);
  EXPECT_NE(evaluate("low * 2").find("beyond 64 bits"), std::string::npos);
}

TEST(CoordinateExpr, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(evaluate(""), "parse: found the end of the expression, expected a "
                          "number, a name or `(` at byte 0");
  EXPECT_EQ(evaluate("--1"),
            "parse: found `-`, expected a number, a name or `(` at byte 1");
  EXPECT_EQ(evaluate("i 2"),
            "parse: found `2`, expected an operator at byte 2");
  EXPECT_EQ(evaluate("(i"),
            "parse: found the end of the expression, expected `)` at byte 2");
  EXPECT_EQ(evaluate("i)"), "parse: found `)`, expected an operator at byte 1");
  EXPECT_EQ(evaluate("1.5"),
            "parse: found `.`, expected a whole number at byte 1");
  EXPECT_EQ(evaluate("2x"),
            "parse: found `x`, expected a whole number at byte 1");
  EXPECT_EQ(evaluate("abs(1)"),
            "parse: unknown function `abs`, expected `min` or `max` at byte 0");
  EXPECT_EQ(evaluate("99999999999999999999"),
            "parse: number 99999999999999999999 is beyond 64 bits at byte 0");
  for (std::string_view bad : {"1+", "*1", "1**2", "1///2", "min()", "min(1,)",
                               "i == 1", "\"a\"", "i;", "1 + (2 * )", "a.b"})
    EXPECT_TRUE(evaluate(bad).starts_with("parse: ")) << bad;
}

TEST(CoordinateExpr, LimitsNesting) {
  auto nested = [](size_t depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(evaluate(nested(256)), "1");
  EXPECT_EQ(evaluate(nested(257)), "parse: nesting is deeper than 256 at byte "
                                   "256");
  EXPECT_TRUE(evaluate(nested(200'000)).starts_with("parse: "));
  std::string sum = "1";
  for (int i = 0; i < 100'000; ++i)
    sum += "+1";
  EXPECT_EQ(evaluate(sum), "100001");
}

TEST(CoordinateExpr, NamesItsVariables) {
  EXPECT_EQ(CoordinateExpr::parse("i + j*i - min(k, 1)")->variables(),
            (std::vector<std::string>{"i", "j", "k"}));
}

} // namespace
