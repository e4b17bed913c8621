//===- LimitTest.cpp - Small scripts that would make much -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ScriptBuilder.h"

#include <gtest/gtest.h>

namespace aoa::expand::test {
namespace {

ast::ExprRef number(int64_t value) {
  Expr expr;
  expr.kind = Expr::Kind::Integer;
  expr.integer = value;
  return std::make_shared<const Expr>(std::move(expr));
}

Texts reportsOf(const ast::Script &script, const TestEnds &ends) {
  Expanded expanded;
  expanded.script =
      aoa::expandScript(script, ends.inputs(), expanded.diagnostics);
  return expanded.reports();
}

/// `statement` with `value` for its first attribute.
ast::Script withValue(const std::string &statement, const std::string &value) {
  ast::Script script = makeScript({statement}, ast::Dialect::Aoa);
  ExprResult<Expr> parsed = parseExpression(value, FileId(0), 0);
  EXPECT_TRUE(parsed);
  std::get<ast::Statement>(script.body.front().data)
      .attributes.front()
      .value.data = std::make_shared<const Expr>(std::move(*parsed));
  return script;
}

/// Expands `for i in 1..numTurns { … }`.
Texts reportsOfLoop(ast::Script script, int64_t numTurns,
                    const TestEnds &ends) {
  ast::For loop{.variable = "i",
                .variableRange = {},
                .first = number(1),
                .last = number(numTurns),
                .body = std::move(script.body),
                .range = {}};
  script.body.clear();
  script.body.push_back({std::move(loop)});
  return reportsOf(script, ends);
}
Texts reportsOfLoop(const std::string &statement, int64_t numTurns,
                    const TestEnds &ends) {
  return reportsOfLoop(makeScript({statement}, ast::Dialect::Aoa), numTurns,
                       ends);
}

TestEnds withNames(int64_t maxNames) {
  TestEnds ends;
  ends.maxNames = maxNames;
  return ends;
}

TestEnds withBytes(int64_t maxValueBytes) {
  TestEnds ends = source({"l.0", "l.1", "l.2"});
  ends.maxValueBytes = maxValueBytes;
  return ends;
}

const Texts tooManyBytes = {
    "too-many-statements: expansion makes more than 4000 bytes of texts and "
    "lists"};

TEST(ExpandLimit, NamesOfStatementsThatALoopRepeats) {
  std::string statement = "a, b, c -> d, axis=0";
  EXPECT_EQ(reportsOfLoop(statement, 10, withNames(20)), Texts());
  EXPECT_EQ(reportsOfLoop(statement, 11, withNames(20)),
            Texts{"too-many-statements: expansion makes more than 20 names"});
  EXPECT_EQ(reportsOfLoop("a -> b", 1000, withNames(20)), Texts());
}

TEST(ExpandLimit, ListsOfStatementsThatALoopRepeats) {
  std::string sizes = "0";
  for (int i = 0; i < 40; ++i)
    sizes += ",1";
  std::string statement = "a -> b, c, axis=0, sizes=[" + sizes + "]";
  EXPECT_EQ(reportsOfLoop(statement, 1, withBytes(4000)), Texts());
  EXPECT_EQ(reportsOfLoop(statement, 2, withBytes(4000)), tooManyBytes);
  EXPECT_EQ(reportsOfLoop("a -> b, permute=[1,0]", 1000, withBytes(4000)),
            Texts());
}

TEST(ExpandLimit, LongNames) {
  std::string name(1000, 'n');
  EXPECT_EQ(reportsOfLoop("a -> " + name, 4, withBytes(4000)), Texts());
  EXPECT_EQ(reportsOfLoop("a -> " + name, 5, withBytes(4000)), tooManyBytes);
  for (const std::string &many :
       {name + "[0:5] -> a, axis=0", "l.$LAYER_ID -> " + name + ".$LAYER_ID",
        "$$A -> $$A." + name})
    EXPECT_EQ(expandTexts({many}, withBytes(4000)).reports(), tooManyBytes)
        << many;
}

TEST(ExpandLimit, StepsOfExpressions) {
  TestEnds ends = source({"l.0", "l.1", "l.2"});
  ends.maxExprSteps = 40;
  const Texts tooMany = {
      "too-many-statements: expressions take more than 40 steps"};
  ast::Script script = withValue("a -> b, c, axis=0", "1 + 2*3 - 7"); // 7 nodes
  EXPECT_EQ(reportsOfLoop(script, 5, ends), Texts());
  EXPECT_EQ(reportsOfLoop(script, 6, ends), tooMany);
  // Once, though each of the instances has its own value.
  script = withValue("l.$LAYER_ID -> m.$LAYER_ID, axis=0",
                     "${LAYER_ID}+1+2+3+4+5+6+7+8+9+10+11+12");
  EXPECT_EQ(reportsOf(script, ends), tooMany);
}

TEST(ExpandLimit, StepsOfLongValues) {
  TestEnds ends;
  ends.maxExprSteps = 40;
  std::string text(1000, 't');
  ast::Script script = withValue("a -> b, c, axis=0", "len(\"" + text + "\")");
  EXPECT_EQ(reportsOfLoop(script, 2, ends), Texts());
  EXPECT_EQ(reportsOfLoop(script, 3, ends),
            Texts{"too-many-statements: expressions take more than 40 steps"});
}

TEST(ExpandLimit, LongNamesThatAStarFinds) {
  TestEnds ends = withBytes(4000);
  for (const char *number : {"0", "1", "2", "3", "4"})
    ends.source[std::string(1000, 'n') + number] = {};
  Texts statement = {std::string(1000, 'n') + "* -> a, axis=0"};
  EXPECT_EQ(expandTexts(statement, ends).reports(), tooManyBytes);
}

} // namespace
} // namespace aoa::expand::test
