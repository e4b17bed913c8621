//===- PrintScriptTest.cpp - Statements as canonical text -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Dump.h"
#include "aoa/AST/Script.h"

#include "gtest/gtest.h"

using namespace aoa;
using namespace aoa::ast;

namespace {

Name name(std::string text, bool quoted = false) {
  return {std::move(text), {}, quoted};
}
Value value(decltype(Value::data) data) { return {std::move(data), {}}; }

TEST(PrintScript, printsTheCanonicalForm) {
  Statement statement;
  statement.left = {name("a"), name("b")};
  statement.right = {name("c")};
  statement.tags = {{"fused_qkv", {}}};
  statement.attributes = {{"axis", {}, value(int64_t(0))},
                          {"num_heads", {}, value(int64_t(8))}};
  EXPECT_EQ(printStatement(statement, Dialect::Aoa),
            "a, b -> c, fused_qkv, axis=0, num_heads=8");
}

TEST(PrintScript, quotesNamesThatNeedIt) {
  Statement statement;
  statement.left = {name("0.w"), name("let"), name("_", true), name("x\"y")};
  statement.left[0].transposed = true;
  statement.right = {name("_"), name("a-b")};
  EXPECT_EQ(printStatement(statement, Dialect::Aoa),
            "\"0.w\"^T, \"let\", \"_\", 'x\"y' -> _, a-b");
}

TEST(PrintScript, quotesWordsAndListsForPaddle) {
  EXPECT_EQ(printValue(value(Word{"bfloat16"})), "bfloat16");
  EXPECT_EQ(printValue(value(Word{"bfloat16"}), Dialect::Paddle),
            "\"bfloat16\"");
  Value list = value(List{value(int64_t(1)), value(int64_t(0))});
  EXPECT_EQ(printValue(list), "[1, 0]");
  EXPECT_EQ(printValue(list, Dialect::Paddle), "\"[1, 0]\"");
  EXPECT_EQ(printValue(value(int64_t(3)), Dialect::Paddle), "3");
  EXPECT_EQ(printValue(value(Text{"x"}), Dialect::Paddle), "\"x\"");
}

TEST(PrintScript, indentsBlocksByTwo) {
  auto expr = [](std::string written) {
    auto made = std::make_shared<Expr>();
    made->written = std::move(written);
    return made;
  };
  Statement statement;
  statement.left = {name("%g")};
  statement.left[0].element = expr("i");
  auto names = std::make_shared<NameList>();
  names->names = {name("a"), name("0")};
  names->variable = "j";
  names->first = expr("0");
  names->last = expr("n");
  statement.right = {name("")};
  statement.right[0].list = names;

  For loop;
  loop.variable = "i";
  loop.first = expr("0");
  loop.last = expr("n-1");
  loop.body.push_back({statement});
  If branches;
  branches.branches.push_back({expr("n"), {{loop}}, {}});
  branches.branches.push_back({nullptr, {{Let{"m", {}, expr("3"), {}}}}, {}});
  auto macro = std::make_shared<MacroDefinition>();
  macro->tag = "t";
  macro->left = {{"a", {}}, {"b", {}}};
  macro->right = {{"c", {}}};
  macro->attributes = {{"n", {}, nullptr}, {"axis", {}, expr("0")}};
  macro->body.push_back({branches});

  Script script;
  script.body.push_back({Include{"x.aoa", {}, {}}});
  script.body.push_back({std::shared_ptr<const MacroDefinition>(macro)});
  script.body.push_back({Assert{expr("n"), expr("'no'"), {}}});
  script.statements = {statement};
  EXPECT_EQ(printScript(script), R"(include "x.aoa"
macro t(a, b -> c; n, axis=0) {
  if n {
    for i in 0..n-1 {
      %g[i] -> (a, "0" for j in 0..n)
    }
  } else {
    let m = 3
  }
}
assert n, 'no'
%g[i] -> (a, "0" for j in 0..n)
)");
}

TEST(Dump, printsIncludes) {
  Script script;
  script.body.push_back({Include{"x.aoa", {}, {FileId(0), 3, 9}}});
  std::string text;
  llvm::raw_string_ostream os(text);
  dump(os, script);
  EXPECT_EQ(text, "include `x.aoa` [3, 9)\n");
}

TEST(PrintScript, floatsReadBackAsFloats) {
  EXPECT_EQ(printValue(value(0.25)), "0.25");
  EXPECT_EQ(printValue(value(-3.0)), "-3.0");
  EXPECT_EQ(printValue(value(1e300)), "1e+300");
}

TEST(ExpansionNotes, leadFromTheInnermostToTheUsersText) {
  Script script;
  ExpansionId outer = script.addExpansion(
      {{}, "$LAYER_ID", {FileId(0), 0, 9}, "$LAYER_ID = 3"});
  ExpansionId inner =
      script.addExpansion({outer, "fused_qkv", {FileId(0), 2, 5}, ""});
  std::vector<Note> notes = expansionNotes(script, inner);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].message, "in expansion of `fused_qkv`");
  EXPECT_EQ(notes[0].range, (SourceRange{FileId(0), 2, 5}));
  EXPECT_EQ(notes[1].message, "in expansion of `$LAYER_ID` ($LAYER_ID = 3)");
  EXPECT_TRUE(expansionNotes(script, {}).empty());
}

} // namespace
