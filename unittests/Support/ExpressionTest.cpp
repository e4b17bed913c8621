//===- ExpressionTest.cpp - Expressions of scripts and layouts --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/Expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

using namespace aoa;

namespace {

class TestScope final : public ExprScope {
public:
  std::optional<Constant> variable(std::string_view name) const override {
    if (name == "i")
      return Constant{int64_t{41}};
    if (name == "low")
      return Constant{INT64_MIN};
    if (name == "name")
      return Constant{std::string("wq")};
    return std::nullopt;
  }
  std::optional<Constant> parameter(std::string_view name) const override {
    if (name == "heads" || name == "i")
      return Constant{int64_t{8}};
    return std::nullopt;
  }
  std::optional<Constant> config(std::string_view path) const override {
    if (path == "text_config.dims[3].x")
      return Constant{int64_t{64}};
    if (path == "eps")
      return Constant{0.5};
    return std::nullopt;
  }
  std::vector<std::string> variableNames() const override {
    return {"i", "low", "name"};
  }
  std::vector<std::string> parameterNames() const override { return {"heads"}; }
  std::vector<std::string> configPaths() const override {
    return {"text_config.dims", "eps"};
  }
};

/// `begin..end: message`, without what `base` adds.
std::string print(const ExprFault &fault, uint32_t base) {
  return std::to_string(fault.range.begin - base) + ".." +
         std::to_string(fault.range.end - base) + ": " + fault.message;
}

std::string parseFault(std::string_view text) {
  auto expr = parseExpression(text, FileId(3), 100);
  EXPECT_FALSE(expr.has_value()) << text;
  if (expr)
    return "";
  EXPECT_EQ(expr.error().range.file, FileId(3));
  EXPECT_FALSE(expr.error().isUnset);
  return print(expr.error(), 100);
}

/// The value as text, or the fault behind "!".
std::string value(std::string_view text, ExprPlace place = ExprPlace::Bare) {
  auto expr = parseExpression(text, FileId(3), 100);
  if (!expr)
    return "? " + print(expr.error(), 100);
  EXPECT_EQ(expr->written, text);
  EXPECT_LE(100u, expr->range.begin);
  EXPECT_GE(100u + text.size(), expr->range.end);
  auto result = evaluate(*expr, TestScope(), place);
  return result ? printConstant(*result) : "! " + print(result.error(), 100);
}

std::string textOf(std::string_view text) {
  auto expr = parseText(text, FileId(3), 100);
  if (!expr)
    return "? " + print(expr.error(), 100);
  EXPECT_EQ(expr->kind, Expr::Kind::Text);
  auto result = evaluateText(*expr, TestScope());
  return result ? *result : "! " + print(result.error(), 100);
}

TEST(Expression, EvaluatesWholeNumbers) {
  for (auto [text, wanted] : std::vector<std::pair<const char *, int64_t>>{
           {"7", 7},
           {" i // 20 ", 2},
           {"i - 20*2", 1},
           {"1+2*3", 7},
           {"(1+2)*3", 9},
           {"10-3-2", 5},
           {"100/5/2", 10},
           {"2*7//3", 4},
           {"7//3*2", 4},
           {"7%4*2", 6},
           {"7//2", 3},
           {"-7//2", -4},
           {"7//-2", -4},
           {"-7//-2", 3},
           {"7%3", 1},
           {"-7%3", 2},
           {"7%-3", -2},
           {"-i", -41},
           {"+i", 41},
           {"-(1+2)", -3},
           {"2*-3", -6},
           {"1--1", 2},
           {"1+ +1", 2},
           {"-(-1)", 1},
           {"min(3, 1+1, 5)", 2},
           {"max(i, 50)", 50},
           {"max(1)", 1},
           {"min(max(1,2),max(3,4))", 2},
           {"gcd(12, 18)", 6},
           {"gcd(-12, 18, 8)", 2},
           {"gcd(0, 0)", 0},
           {"gcd(7)", 7},
           {"lcm(4, 6)", 12},
           {"lcm(-4, 6, 10)", 60},
           {"lcm(0, 5)", 0},
           {"lcm(0, 0)", 0},
           {"len([1, [2, 3], 'x'])", 3},
           {"len([])", 0},
           {"len('')", 0},
           {"len(\"abc\")", 3},
           {"-9223372036854775808", INT64_MIN},
           {"9223372036854775807", INT64_MAX},
           {"low % -1", 0},
           {"6 / 3", 2},
           {"-6/3", -2},
           {"0 / -3", 0},
           {"007", 7},
           {"1 # one\n + # and\r\n 2 # two", 3},
           {"\t1\n+\n2\r", 3}})
    EXPECT_EQ(value(text), std::to_string(wanted)) << text;
}

TEST(Expression, FloorAgreesWithItsDefinition) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -4; b <= 4; ++b) {
      if (b == 0)
        continue;
      auto number = [](int64_t x) { return "(" + std::to_string(x) + ")"; };
      int64_t quotient = std::stoll(value(number(a) + "//" + number(b)));
      int64_t remainder = std::stoll(value(number(a) + "%" + number(b)));
      EXPECT_EQ(quotient * b + remainder, a);
      EXPECT_TRUE(b > 0 ? remainder >= 0 && remainder < b
                        : remainder <= 0 && remainder > b);
    }
}

TEST(Expression, EvaluatesFloats) {
  for (auto [text, wanted] : std::vector<std::pair<const char *, const char *>>{
           {"1.5", "1.5"},
           {"-0.25", "-0.25"},
           {"1e3", "1000.0"},
           {"1E-2", "0.01"},
           {"2.5e+1", "25.0"},
           {"1e300", "1e+300"},
           {"0.1 + 0.2", "0.30000000000000004"},
           {"1 / 4.0", "0.25"},
           {"3 * 0.5", "1.5"},
           {"1 - 1.0", "0.0"},
           {"-0.0", "-0.0"},
           {"min(1, 0.5)", "0.5"},
           {"max(1, 0.5)", "1"},
           {"-(1.5)", "-1.5"}})
    EXPECT_EQ(value(text), wanted) << text;
}

TEST(Expression, PrintsFloatsAsTheyReadBack) {
  for (double number : {0.1, 1.0, -3.0, 1e22, 1.7976931348623157e308, 5e-324,
                        123456789012345680.0, 1.0 / 3}) {
    std::string text = printConstant({number});
    auto expr = parseExpression(text, FileId(0), 0);
    ASSERT_TRUE(expr.has_value()) << text;
    EXPECT_EQ(expr->kind, Expr::Kind::Float) << text;
    EXPECT_EQ(expr->number, number) << text;
  }
}

TEST(Expression, ComparesAndJoins) {
  for (auto [text, wanted] : std::vector<std::pair<const char *, bool>>{
           {"true", true},
           {"false", false},
           {"1 < 2", true},
           {"2 <= 1", false},
           {"2 > 1", true},
           {"1 >= 1", true},
           {"1 == 1.0", true},
           {"9007199254740993 == 9007199254740992.0", false},
           {"9007199254740993 > 9007199254740992.0", true},
           {"9223372036854775807 < 9223372036854775808.0", true},
           {"-9223372036854775808 == -9223372036854775808.0", true},
           {"0.5 > 0", true},
           {"-0.5 < 0", true},
           {"0 < -0.5", false},
           {"1e300 > 1", true},
           {"-1e300 > 1", false},
           {"'a' == \"a\"", true},
           {"'a' != 'b'", true},
           {"[1, 'a', [2.0]] == [1, 'a', [2]]", true},
           {"[1, 2] == [1]", false},
           {"true == false", false},
           {"not true", false},
           {"not not true", true},
           {"not 1 == 2", true},
           {"not(1 == 2)", true},
           {"1 < 2 and 3 < 2", false},
           {"1 < 2 or 3 < 2", true},
           {"true or false and false", true},
           {"(true or false) and false", false},
           {"not false and false", false},
           {"true or 1 // 0 == 1", true},
           {"false and missing", false},
           {"1 + 1 == 2", true},
           {"notes ?? 1 == 1", true},
           {"(1 < 2) == true", true}})
    EXPECT_EQ(value(text), wanted ? "true" : "false") << text;
}

TEST(Expression, CoalesceBindsTighterThanProducts) {
  EXPECT_EQ(value("x ?? 2 * 3"), "6");
  EXPECT_EQ(value("2 * x ?? 3"), "6");
  EXPECT_EQ(value("-x ?? 3"), "3");
  EXPECT_EQ(value("x ?? -3"), "-3");
  EXPECT_EQ(value("i ?? 3"), "41");
  EXPECT_EQ(value("x ?? y ?? 4"), "4");
  EXPECT_EQ(value("(x + 1) ?? 5"), "5");
  EXPECT_EQ(value("i ?? 1 // 0"), "! 0..11: `41 // 0` divides by zero");
  EXPECT_EQ(value("i ?? (1 // 0)"), "41");
  // A fault other than a missing value is not hidden.
  EXPECT_EQ(value("(1 // 0) ?? 5"), "! 0..8: `1 // 0` divides by zero");
}

TEST(Expression, SeesParametersAndConfigInInsertionsOnly) {
  EXPECT_EQ(value("heads"),
            "! 0..5: unknown variable `heads`; the parameter is written "
            "`${heads}`");
  EXPECT_EQ(value("${heads} * 2"), "16");
  EXPECT_EQ(value("heads * 2", ExprPlace::Inserted), "16");
  EXPECT_EQ(value("${i}"), "41") << "variables hide parameters";
  EXPECT_EQ(value("${config:text_config.dims[3].x}"), "64");
  EXPECT_EQ(value("config:eps * 2", ExprPlace::Inserted), "1.0");
  EXPECT_EQ(value("config:eps"),
            "! 0..10: found `config:eps` outside of `${…}`, expected "
            "`${config:eps}`");
  EXPECT_EQ(value("${config:none ?? config:eps}"), "0.5");
  EXPECT_EQ(value("${config:none} ?? 3"), "3");
  EXPECT_EQ(value("${config:text_config.dim}"),
            "! 2..24: the config has no value `text_config.dim`; did you mean "
            "`text_config.dims`?");
  EXPECT_EQ(value("${head}"),
            "! 2..6: unknown variable `head`; did you mean `heads`?");
  EXPECT_EQ(value("nane"),
            "! 0..4: unknown variable `nane`; did you mean `name`?");
  EXPECT_EQ(value("[${heads}, len('${heads}')]"), "[8, 1]");
  EXPECT_EQ(value("min(${heads}, heads)"),
            "! 14..19: unknown variable `heads`; the parameter is written "
            "`${heads}`");
}

TEST(Expression, PutsValuesIntoText) {
  EXPECT_EQ(textOf(""), "");
  EXPECT_EQ(textOf("a $b ${heads}.$ $"), "a $b 8.$ $");
  EXPECT_EQ(textOf("${heads}${name}"), "8wq");
  EXPECT_EQ(textOf("l.${i + 1}.w"), "l.42.w");
  EXPECT_EQ(textOf("${[1, 'a', true, 0.5]}"), "[1, a, true, 0.5]");
  EXPECT_EQ(textOf("\"quotes\" are 'text' ${\"and \" }'s"),
            "\"quotes\" are 'text' and 's");
  EXPECT_EQ(textOf("${\"a${'b' }c\"}"), "abc");
  EXPECT_EQ(textOf("${'}'}"), "}");
  EXPECT_EQ(textOf("${ heads # comment }\n }"), "8");
  EXPECT_EQ(textOf("lines\nare text"), "lines\nare text");
  EXPECT_EQ(value("'x${\"y${heads}\"}z'"), "xy8z");
  EXPECT_EQ(value("'don${\"'\"}t'"), "don't");
  EXPECT_EQ(textOf("a${heads"), "? 1..8: `${` is not closed by `}`");
  EXPECT_EQ(textOf("a${}"),
            "? 3..4: found `}`, expected a number, a name, a string or a "
            "bracket");
  EXPECT_EQ(textOf("${heads heads}"),
            "? 8..13: found `heads`, expected an operator or `}`");
  EXPECT_EQ(textOf("a${none}b"), "! 3..7: unknown variable `none`");
}

TEST(Expression, ReadsBracesOfALongerText) {
  std::string_view text = "layers.{i - 20}.{name}";
  size_t at = 8;
  auto first = parseBraced(text, at, FileId(1), 50);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->written, "i - 20");
  EXPECT_EQ(first->range, (SourceRange{FileId(1), 58, 64}));
  EXPECT_EQ(at, 15u);
  at = 17;
  auto second = parseBraced(text, at, FileId(1), 50);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->text, "name");
  EXPECT_EQ(at, text.size());
  at = 1;
  auto open = parseBraced("{i", at, FileId(1), 50);
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(open.error().message, "`{` is not closed by `}`");
}

TEST(Expression, KnowsThePlaceOfEveryNode) {
  auto expr = parseExpression(" (i + 2) * -f ", FileId(3), 100);
  ASSERT_TRUE(!expr.has_value() || expr->kind == Expr::Kind::Multiply);
  ASSERT_TRUE(expr.has_value());
  auto range = [](const Expr &node) {
    return std::pair(node.range.begin - 100, node.range.end - 100);
  };
  EXPECT_EQ(range(*expr), (std::pair(1u, 13u)));
  EXPECT_EQ(range(expr->operands[0]), (std::pair(1u, 8u)));
  EXPECT_EQ(range(expr->operands[0].operands[1]), (std::pair(6u, 7u)));
  EXPECT_EQ(range(expr->operands[1]), (std::pair(11u, 13u)));
  auto list = parseExpression("[1, 'a${ b }c', config:x.y[2]]", FileId(3), 100);
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(range(*list), (std::pair(0u, 30u)));
  EXPECT_EQ(range(list->operands[1]), (std::pair(4u, 14u)));
  EXPECT_EQ(range(list->operands[1].operands[0]), (std::pair(5u, 6u)));
  EXPECT_EQ(range(list->operands[1].operands[1]), (std::pair(9u, 10u)));
  EXPECT_EQ(range(list->operands[2]), (std::pair(16u, 29u)));
  EXPECT_EQ(list->operands[2].text, "x.y[2]");
}

TEST(Expression, FailsWithTheNumbers) {
  EXPECT_EQ(value("7/2"),
            "! 0..3: `7 / 2` is no whole number; did you mean `//`?");
  EXPECT_EQ(value("1 + i // 0"), "! 4..10: `41 // 0` divides by zero");
  EXPECT_EQ(value("i % 0"), "! 0..5: `41 % 0` divides by zero");
  EXPECT_EQ(value("1.0 / 0"), "! 0..7: `1.0 / 0` divides by zero");
  EXPECT_EQ(value("9223372036854775807 + 1"),
            "! 0..23: `9223372036854775807 + 1` is beyond 64 bits");
  EXPECT_EQ(value("low - 1"),
            "! 0..7: `-9223372036854775808 - 1` is beyond 64 bits");
  EXPECT_EQ(value("-low"),
            "! 0..4: `-(-9223372036854775808)` is beyond 64 bits");
  for (std::string_view text :
       {"low // -1", "low / -1", "low * 2", "gcd(low)", "lcm(low)",
        "lcm(9223372036854775807, 2)", "1e308 * 10", "-1e308 - 1e308"})
    EXPECT_NE(value(text).find("beyond 64 bits"), std::string::npos) << text;
  EXPECT_EQ(value("9007199254740993 + 0.5"),
            "! 0..22: `9007199254740993 + 0.5` would round 9007199254740993 "
            "to a float");
  EXPECT_EQ(value("9223372036854775807 * 1.0"),
            "! 0..25: `9223372036854775807 * 1.0` would round "
            "9223372036854775807 to a float");
}

TEST(Expression, RefusesWrongKindsOfValues) {
  EXPECT_EQ(value("1 + 'a'"),
            "! 0..7: `+` between 1 and the text `a`, expected two numbers");
  EXPECT_EQ(value("[1] * 2"),
            "! 0..7: `*` between a list and 2, expected two numbers");
  EXPECT_EQ(value("true + 1"),
            "! 0..8: `+` between true and 1, expected two numbers");
  EXPECT_EQ(value("7.5 // 2"),
            "! 0..8: `//` between 7.5 and 2, expected two whole numbers");
  EXPECT_EQ(value("1 == 'a'"), "! 0..8: `==` between 1 and the text `a`, "
                               "expected two values of one kind");
  EXPECT_EQ(value("[1] == ['a']"), "! 0..12: `==` between a list and a list, "
                                   "expected two values of one kind");
  EXPECT_EQ(value("'a' < 'b'"), "! 0..9: `<` between the text `a` and the "
                                "text `b`, expected two numbers");
  EXPECT_EQ(value("not 1"),
            "! 4..5: found 1, expected a truth value for `not`");
  EXPECT_EQ(value("true and 1"),
            "! 9..10: found 1, expected a truth value for `and`");
  EXPECT_EQ(value("-'a'"),
            "! 0..4: found the text `a` behind a sign, expected a number");
  EXPECT_EQ(value("max(1, 'a')"),
            "! 7..10: found the text `a`, expected a number for `max`");
  EXPECT_EQ(value("gcd(1.0, 2)"),
            "! 4..7: found 1.0, expected a whole number for `gcd`");
  EXPECT_EQ(value("len(1)"),
            "! 4..5: found 1, expected a list or a text for `len`");
  EXPECT_EQ(value("min()"), "! 0..5: `min` is given 0 values, expected at "
                            "least 1");
  EXPECT_EQ(value("len([], [])"),
            "! 0..11: `len` is given 2 values, expected 1");
}

TEST(Expression, ReadsTemporaries) {
  auto shape = [](std::string_view text) {
    auto expr = parseExpression(text, FileId(3), 100);
    if (!expr)
      return print(expr.error(), 100);
    std::string result = expr->text + " " +
                         std::to_string(expr->range.begin - 100) + ".." +
                         std::to_string(expr->range.end - 100);
    if (expr->kind != Expr::Kind::Temporary)
      return "no temporary: " + result;
    if (!expr->operands.empty())
      result += " [" + expr->operands[0].text + " " +
                std::to_string(expr->operands[0].range.begin - 100) + ".." +
                std::to_string(expr->operands[0].range.end - 100) + "]";
    return result;
  };
  EXPECT_EQ(shape("%g"), "%g 0..2");
  EXPECT_EQ(shape(" %gate_up2 "), "%gate_up2 1..10");
  EXPECT_EQ(shape("%2"), "%2 0..2");
  EXPECT_EQ(shape("%_"), "%_ 0..2");
  EXPECT_EQ(shape("(%g)"), "%g 0..4");
  EXPECT_EQ(shape("%g[i]"), "%g 0..5 [i 3..4]");
  EXPECT_EQ(shape("%g[ %i [1]]"), "7..8: found `[`, expected an operator or "
                                  "`]`");
  EXPECT_EQ(shape("%g[%i[1] ]"), "%g 0..10 [%i 3..8]");
  EXPECT_EQ(shape("%g[i % 2]"), "%g 0..9 [ 3..8]");
  EXPECT_EQ(shape("%g[]"), "3..4: found `]`, expected a number, a name, a "
                           "string or a bracket");
  EXPECT_EQ(shape("%g[1:2]"), "4..5: found `:`, expected an operator or `]`");
  EXPECT_EQ(shape("%g[1"), "4..4: found the end of the expression, expected an "
                           "operator or `]`");
  EXPECT_EQ(shape("%g.a"), "2..3: found `.`, expected an operator");
  EXPECT_EQ(shape("% g"), "0..1: found `%`, expected a number, a name, a "
                          "string or a bracket");
  EXPECT_EQ(shape("%"), "0..1: found `%`, expected a number, a name, a string "
                        "or a bracket");
}

TEST(Expression, KnowsTheModuloFromATemporary) {
  EXPECT_EQ(value("7 %4"), "3");
  EXPECT_EQ(value("7%4"), "3");
  EXPECT_EQ(value("i %i"), "0");
  EXPECT_EQ(value("(7)%i"), "7");
  EXPECT_EQ(value("7 % %i"),
            "! 4..6: found the tensor `%i`, expected a value; functions such "
            "as `extent` ask for its");
  EXPECT_EQ(value("max(1, %g[i])"),
            "! 7..12: found the tensor `%g[…]`, expected a value; functions "
            "such as `extent` ask for its");
  EXPECT_NE(value("-%g").find("! 1..3: found the tensor"), std::string::npos);
}

TEST(Expression, LimitsTheNestingOfTemporaries) {
  auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i)
      text += "%g[";
    return text + "1" + std::string(depth, ']');
  };
  EXPECT_TRUE(parseExpression(nested(256), FileId(3), 100).has_value());
  EXPECT_EQ(parseFault(nested(257)), "770..771: nesting is deeper than 256");
}

/// Answers with what it was asked.
class AskedScope final : public ExprScope {
public:
  std::optional<Constant> variable(std::string_view name) const override {
    if (name == "two")
      return Constant{int64_t{2}};
    return std::nullopt;
  }
  std::optional<Constant> parameter(std::string_view name) const override {
    if (name == "three")
      return Constant{int64_t{3}};
    return std::nullopt;
  }
  std::optional<Constant> config(std::string_view) const override {
    return std::nullopt;
  }
  ExprResult<Constant> ask(const TensorQuestion &question) const override {
    std::string name = question.name.text;
    if (question.name.kind == Expr::Kind::Text) {
      ExprResult<std::string> text = evaluateText(question.name, *this);
      if (!text)
        return std::unexpected(text.error());
      name = "\"" + *text + "\"";
    }
    if (!question.name.operands.empty() &&
        question.name.kind == Expr::Kind::Temporary) {
      ExprResult<Constant> index = evaluate(question.name.operands[0], *this);
      if (!index)
        return std::unexpected(index.error());
      name += "[" + printConstant(*index) + "]";
    }
    if (name == "unknown")
      return std::unexpected(
          ExprFault{question.name.range, "no such parameter", true});
    return Constant{question.call.text + " " + name + " " +
                    std::to_string(question.axis)};
  }
};

std::string answer(std::string_view text, ExprPlace place = ExprPlace::Bare) {
  auto expr = parseExpression(text, FileId(3), 100);
  if (!expr)
    return "? " + print(expr.error(), 100);
  auto result = evaluate(*expr, AskedScope(), place);
  return result ? printConstant(*result) : "! " + print(result.error(), 100);
}

TEST(Expression, AsksTheScopeForTensors) {
  EXPECT_EQ(answer("rank(w)"), "rank w 0");
  EXPECT_EQ(answer("dtype('w.x')"), "dtype \"w.x\" 0");
  EXPECT_EQ(answer("exists(\"l.${two + 1}.w\")"), "exists \"l.3.w\" 0");
  EXPECT_EQ(answer("exists('${\"w\"}')"), "exists \"w\" 0");
  EXPECT_EQ(answer("extent(%g, 1)"), "extent %g 1");
  EXPECT_EQ(answer("extent(%g[two*2], -1)"), "extent %g[4] -1");
  EXPECT_EQ(answer("src_degree(w, two + two)"), "src_degree w 4");
  EXPECT_EQ(answer("dst_degree (w, ${three})"), "dst_degree w 3");
  // Inside of `${…}` the axis sees parameters, too.
  EXPECT_EQ(answer("extent(w, three)"),
            "! 10..15: unknown variable `three`; the parameter is written "
            "`${three}`");
  EXPECT_EQ(answer("${extent(w, three)}"), "extent w 3");
  EXPECT_EQ(answer("extent(w, three)", ExprPlace::Inserted), "extent w 3");
  // The value of a variable is no name of a tensor: names are quoted.
  EXPECT_EQ(answer("rank(two)"), "rank two 0");
}

TEST(Expression, ChecksWhatAQuestionIsGiven) {
  EXPECT_EQ(answer("rank()"),
            "! 0..6: `rank` is given 0 values, expected a tensor");
  EXPECT_EQ(answer("exists(a, b)"),
            "! 0..12: `exists` is given 2 values, expected a tensor");
  EXPECT_EQ(answer("extent(a)"),
            "! 0..9: `extent` is given 1 value, expected a tensor and an axis");
  EXPECT_EQ(answer("src_degree(a, 0, 1)"),
            "! 0..19: `src_degree` is given 3 values, expected a tensor and an "
            "axis");
  const std::string wanted = ", expected a macro's parameter, a name in "
                             "quotes or a `%name`";
  EXPECT_EQ(answer("rank(1)"),
            "! 5..6: found 1 as the tensor of `rank`" + wanted);
  EXPECT_EQ(answer("rank(1.5)"),
            "! 5..8: found 1.5 as the tensor of `rank`" + wanted);
  EXPECT_EQ(answer("rank([w])"),
            "! 5..8: found a list as the tensor of `rank`" + wanted);
  EXPECT_EQ(answer("rank(w + 1)"),
            "! 5..10: found the operator `+` as the tensor of `rank`" + wanted);
  EXPECT_EQ(answer("exists(max(1))"),
            "! 7..13: found the function `max` as the tensor of `exists`" +
                wanted);
  EXPECT_EQ(answer("rank(${w})"),
            "! 5..9: found `${…}` without quotes as the tensor of `rank`" +
                wanted);
  EXPECT_EQ(answer("extent(w, 'a')"),
            "! 10..13: found the text `a` as the axis of `extent`, expected a "
            "whole number");
  EXPECT_EQ(answer("extent(w, 1.0)"),
            "! 10..13: found 1.0 as the axis of `extent`, expected a whole "
            "number");
  EXPECT_EQ(answer("extent(w, 1/0)"), "! 10..13: `1 / 0` divides by zero");
}

TEST(Expression, KeepsFaultsOfQuestions) {
  EXPECT_EQ(answer("rank(unknown)"), "! 5..12: no such parameter");
  EXPECT_EQ(answer("rank(unknown) ?? 1"), "! 5..12: no such parameter");
  EXPECT_EQ(answer("exists(unknown) ?? false"), "! 7..14: no such parameter");
  EXPECT_EQ(answer("rank(\"${gone}\") ?? 1"),
            "! 8..12: unknown variable `gone`");
  // An axis is a value like others.
  EXPECT_EQ(answer("extent(w, gone ?? 1)"), "extent w 1");
  // Where nothing is known of tensors, as in layouts.
  EXPECT_EQ(value("rank(w)"), "! 0..7: `rank` asks for a tensor, and none are "
                              "known here");
  EXPECT_EQ(value("exists(w) ?? true"),
            "! 0..9: `exists` asks for a tensor, and none are known here");
  EXPECT_EQ(parseFault("exten(w, 0)"),
            "0..5: unknown function `exten`; did you mean `extent`?");
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  const std::string operand = "expected a number, a name, a string or a "
                              "bracket";
  EXPECT_EQ(parseFault(""),
            "0..0: found the end of the expression, " + operand);
  EXPECT_EQ(parseFault("--1"), "1..2: found `-`, " + operand);
  EXPECT_EQ(parseFault("- -1"), "2..3: found `-`, " + operand);
  EXPECT_EQ(parseFault("+-1"), "1..2: found `-`, " + operand);
  EXPECT_EQ(parseFault("1 - - -1"), "6..7: found `-`, " + operand);
  EXPECT_EQ(parseFault("i 2"), "2..3: found `2`, expected an operator");
  EXPECT_EQ(parseFault("(i"),
            "2..2: found the end of the expression, expected an operator or "
            "`)`");
  EXPECT_EQ(parseFault("i)"), "1..2: found `)`, expected an operator");
  EXPECT_EQ(parseFault("1."),
            "0..2: expected digits behind the point of a number");
  EXPECT_EQ(parseFault(".5"),
            "0..1: expected digits before the point of a number");
  EXPECT_EQ(parseFault("1.5.2"), "3..4: found `.`, expected an operator");
  EXPECT_EQ(parseFault("2x"),
            "1..2: found `x`, expected an operator behind the number");
  EXPECT_EQ(parseFault("1e"),
            "1..2: found `e`, expected an operator behind the number");
  EXPECT_EQ(parseFault("abs(1)"), "0..3: unknown function `abs`");
  EXPECT_EQ(parseFault("mim(1)"),
            "0..3: unknown function `mim`; did you mean `min`?");
  EXPECT_EQ(parseFault("99999999999999999999"),
            "0..20: number 99999999999999999999 is beyond 64 bits");
  EXPECT_EQ(parseFault("1e999"), "0..5: number 1e999 is beyond 64 bits");
  EXPECT_EQ(parseFault("1 < 2 < 3"),
            "6..7: comparisons do not chain; join them by `and`");
  EXPECT_EQ(parseFault("1 < 2 == true"),
            "6..8: comparisons do not chain; join them by `and`");
  EXPECT_EQ(parseFault("1 + not true"), "4..7: found `not`, " + operand);
  EXPECT_EQ(parseFault("- not true"), "2..5: found `not`, " + operand);
  EXPECT_EQ(parseFault("and"), "0..3: found `and`, " + operand);
  EXPECT_EQ(parseFault("a -> b"), "2..3: found `-`, expected an operator");
  EXPECT_EQ(parseFault("'a"), "0..2: the string is not closed");
  EXPECT_EQ(parseFault("'a\nb'"), "0..2: the line ends inside of the string");
  EXPECT_EQ(parseFault("config:"),
            "7..7: found the end of the expression, expected a name behind "
            "`config:`");
  EXPECT_EQ(parseFault("config: x"),
            "7..8: found ` `, expected a name behind `config:`");
  EXPECT_EQ(parseFault("config:a."),
            "9..9: found the end of the expression, expected a name behind "
            "`.`");
  EXPECT_EQ(parseFault("config:a[x]"),
            "9..10: found `x`, expected the number of a list entry");
  EXPECT_EQ(parseFault("config:a[1"),
            "10..10: found the end of the expression, expected `]`");
  EXPECT_EQ(parseFault("é"), "0..2: found `é`, " + operand);
  EXPECT_EQ(parseFault("[1, ]"), "4..5: found `]`, " + operand);
  EXPECT_EQ(parseFault("[1 2]"), "3..4: found `2`, expected `,` or `]`");
  for (std::string_view bad :
       {"1+", "*1", "1**2", "1///2", "min(1,)", "i;", "1 + (2 * )", "a.b",
        "1 = 2", "a ? b", "${", "${a", "$a", "% g", "%g[", "%g.a", "a[0]",
        "1..3", "a b"})
    EXPECT_FALSE(parseFault(bad).empty()) << bad;
}

TEST(Expression, LimitsNestingAndDepth) {
  auto repeat = [](std::string_view text, size_t times) {
    std::string result;
    for (size_t i = 0; i < times; ++i)
      result += text;
    return result;
  };
  auto nested = [&](std::string_view open, std::string_view close, size_t n,
                    std::string_view inner) {
    return repeat(open, n) + std::string(inner) + repeat(close, n);
  };
  EXPECT_EQ(value(nested("(", ")", 256, "1")), "1");
  EXPECT_EQ(parseFault(nested("(", ")", 257, "1")),
            "256..257: nesting is deeper than 256");
  EXPECT_EQ(value(nested("not ", "", 256, "true")), "true");
  for (auto [open, close] :
       std::vector<std::pair<const char *, const char *>>{{"(", ")"},
                                                          {"[", "]"},
                                                          {"${", "}"},
                                                          {"'${", "}'"},
                                                          {"not ", ""},
                                                          {"-(", ")"},
                                                          {"min(1,", ")"}})
    EXPECT_NE(parseFault(nested(open, close, 200'000, "1"))
                  .find("nesting is deeper than 256"),
              std::string::npos)
        << open;
  EXPECT_EQ(value("1" + repeat("+1", 999)), "1000");
  EXPECT_NE(parseFault("1" + repeat("+1", 200'000))
                .find("deeper than 1000 operators"),
            std::string::npos);
  // Lists are as long as one likes.
  EXPECT_EQ(value("len([1" + repeat(", 1*2", 20'000) + "])"), "20001");
}

TEST(Expression, TellsWhichVariablesItAsksFor) {
  auto expr = parseExpression("i + '${j}' == min(k, [l])", FileId(0), 0);
  ASSERT_TRUE(expr.has_value());
  for (std::string_view name : {"i", "j", "k", "l"})
    EXPECT_TRUE(
        anyVariable(*expr, [&](std::string_view v) { return v == name; }));
  EXPECT_FALSE(
      anyVariable(*expr, [](std::string_view v) { return v == "min"; }));
}

} // namespace
