//===- BlocksTest.cpp - The tree of what says which statements there are --===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

template <typename Node>
const Node &item(const ast::Block &block, size_t index) {
  return std::get<Node>(block.at(index).data);
}

TEST(Blocks, everyItemKnowsItsBytes) {
  ParsedText text("let n = a + 1 # c\n"
                  "for i in 0 .. n-1 {a -> b\n}\n"
                  "assert n == 3, \"is ${n}\"\n"
                  "include 'x.aoa'");
  ASSERT_EQ(text.reports(), "");
  ASSERT_EQ(text.script.body.size(), 4u);
  EXPECT_EQ(text.script.numWritten, 1u);
  const auto &let = item<ast::Let>(text.script.body, 0);
  EXPECT_EQ(let.variable, "n");
  EXPECT_EQ(text.textOf(let.variableRange), "n");
  EXPECT_EQ(let.value->kind, Expr::Kind::Add);
  EXPECT_EQ(text.textOf(let.range), "let n = a + 1");
  const auto &loop = item<ast::For>(text.script.body, 1);
  EXPECT_EQ(loop.variable, "i");
  EXPECT_EQ(text.textOf(loop.variableRange), "i");
  EXPECT_EQ(loop.first->kind, Expr::Kind::Integer);
  EXPECT_EQ(loop.last->written, "n-1");
  EXPECT_EQ(text.textOf(loop.range), "for i in 0 .. n-1");
  EXPECT_EQ(loop.body.size(), 1u);
  const auto &assertion = item<ast::Assert>(text.script.body, 2);
  EXPECT_EQ(assertion.condition->kind, Expr::Kind::Equal);
  EXPECT_EQ(assertion.message->kind, Expr::Kind::Text);
  EXPECT_EQ(assertion.message->operands.size(), 2u);
  EXPECT_EQ(text.textOf(assertion.range), "assert n == 3, \"is ${n}\"");
  const auto &include = item<ast::Include>(text.script.body, 3);
  EXPECT_EQ(include.path, "x.aoa");
  EXPECT_EQ(text.textOf(include.pathRange), "'x.aoa'");
  EXPECT_EQ(text.textOf(include.range), "include 'x.aoa'");
}

TEST(Blocks, aSingleWordIsAVariable) {
  ParsedText text("let n = m\nfor i in a..b { }\nif c { }\nassert d, 'x'\n"
                  "%g[i] -> (x for j in e..f)");
  ASSERT_EQ(text.reports(), "");
  const ast::Block &body = text.script.body;
  const auto &statement = item<ast::Statement>(body, 4);
  const ast::NameList &list = *statement.right[0].list;
  for (const ast::ExprRef &expr :
       {item<ast::Let>(body, 0).value, item<ast::For>(body, 1).first,
        item<ast::For>(body, 1).last,
        item<ast::If>(body, 2).branches[0].condition,
        item<ast::Assert>(body, 3).condition, statement.left[0].element,
        list.first, list.last})
    EXPECT_EQ(expr->kind, Expr::Kind::Variable) << expr->written;
}

TEST(Blocks, branchesEndInOneWithoutACondition) {
  ParsedText text("if a { x -> y } else if b == 1 {\n}\n# c\n\nelse { }");
  ASSERT_EQ(text.reports(), "");
  const auto &branches = item<ast::If>(text.script.body, 0).branches;
  ASSERT_EQ(branches.size(), 3u);
  EXPECT_EQ(text.textOf(branches[0].range), "if a");
  EXPECT_EQ(branches[0].body.size(), 1u);
  EXPECT_EQ(text.textOf(branches[1].range), "else if b == 1");
  EXPECT_TRUE(branches[1].condition);
  EXPECT_FALSE(branches[2].condition);
  EXPECT_EQ(text.textOf(branches[2].range), "else");
}

TEST(Blocks, macrosKeepTheirText) {
  ParsedText text("x -> y; macro m (a, b -> c; d,\n e = [1, 2]\n) { # text\n"
                  "  a, b -> c, axis=d; b -> c\n} \n");
  ASSERT_EQ(text.reports(), "");
  EXPECT_EQ(text.script.numWritten, 3u);
  const auto &macro =
      *item<std::shared_ptr<const ast::MacroDefinition>>(text.script.body, 1);
  EXPECT_EQ(macro.tag, "m");
  EXPECT_EQ(text.textOf(macro.tagRange), "m");
  ASSERT_EQ(macro.left.size(), 2u);
  EXPECT_EQ(macro.left[1].name, "b");
  EXPECT_EQ(text.textOf(macro.left[1].range), "b");
  ASSERT_EQ(macro.right.size(), 1u);
  ASSERT_EQ(macro.attributes.size(), 2u);
  EXPECT_EQ(macro.attributes[0].name, "d");
  EXPECT_FALSE(macro.attributes[0].fallback);
  EXPECT_EQ(macro.attributes[1].fallback->kind, Expr::Kind::List);
  EXPECT_EQ(macro.body.size(), 2u);
  EXPECT_EQ(text.textOf(macro.range), "macro m (a, b -> c; d,\n e = [1, 2]\n)");
  EXPECT_EQ(macro.written, "macro m (a, b -> c; d,\n e = [1, 2]\n) { # text\n"
                           "  a, b -> c, axis=d; b -> c\n}");
}

TEST(Blocks, listsStandAmongNamesAndInLists) {
  ParsedText text("((%q[g*p+j] for j in 0..p-1), %k[g], %v[g]^T?\n for g in "
                  "0..n-1), c -> (d for i in 1..2), (e for i in 3..4), axis=1");
  ASSERT_EQ(text.reports(), "");
  const auto &statement = item<ast::Statement>(text.script.body, 0);
  ASSERT_EQ(statement.left.size(), 2u);
  const ast::NameList &outer = *statement.left[0].list;
  EXPECT_EQ(statement.left[0].text, "");
  EXPECT_FALSE(statement.left[0].isDiscard());
  EXPECT_EQ(text.textOf(statement.left[0].range), text.textOf(outer.range));
  EXPECT_EQ(outer.variable, "g");
  EXPECT_EQ(text.textOf(outer.variableRange), "g");
  ASSERT_EQ(outer.names.size(), 3u);
  const ast::NameList &inner = *outer.names[0].list;
  EXPECT_EQ(text.textOf(inner.range), "(%q[g*p+j] for j in 0..p-1)");
  EXPECT_EQ(inner.names[0].text, "%q");
  EXPECT_EQ(inner.names[0].element->written, "g*p+j");
  EXPECT_EQ(outer.names[2].text, "%v");
  EXPECT_TRUE(outer.names[2].transposed);
  EXPECT_TRUE(outer.names[2].maybe);
  EXPECT_FALSE(outer.names[2].array);
  ASSERT_EQ(statement.right.size(), 2u);
  EXPECT_TRUE(statement.right[0].list);
  EXPECT_EQ(statement.firstLateName, 2u);
}

TEST(Blocks, elementsAreOfTemporaries) {
  ParsedText text("%a[0], %${q}[i]^T, %b.c[2*i]?, %d[0:2] -> x");
  ASSERT_EQ(text.reports(), "");
  const auto &left = item<ast::Statement>(text.script.body, 0).left;
  EXPECT_EQ(left[0].element->kind, Expr::Kind::Integer);
  EXPECT_TRUE(left[1].interpolation);
  EXPECT_EQ(left[1].element->kind, Expr::Kind::Variable);
  EXPECT_TRUE(left[2].maybe);
  EXPECT_FALSE(left[3].element);
  EXPECT_TRUE(left[3].array);
}

TEST(Blocks, newlinesAndSemicolonsSeparateItems) {
  EXPECT_EQ(parsed(";;for i in 0..3 {;\n;a -> b;\n\n c -> d;};let n=3;"),
            "for i in 0..3 {\n  a -> b\n  c -> d\n}\nlet n = 3\n");
  EXPECT_EQ(parsed("for i in 0..3 {a->b}\nfor i in 0..3 {x->y,axis=0}"),
            "for i in 0..3 {\n  a -> b\n}\nfor i in 0..3 {\n  x -> y, "
            "axis=0\n}\n");
}

TEST(Blocks, statementsContinueAsElsewhere) {
  EXPECT_EQ(parsed("for i in 0..3 {\n a,\n b\n -> c,\n p=[1,\n2]\n}"),
            "for i in 0..3 {\n  a, b -> c, p=[1, 2]\n}\n");
  EXPECT_EQ(parsed("let n =\n (1\n+ 2)\nassert n,\n 'x'"),
            "let n = (1 + 2)\nassert n, 'x'\n");
}

TEST(Blocks, clausesAndInterpolationsKeepTheirBraces) {
  EXPECT_EQ(parsed("if ${x} { $A.${n} -> b, $A in {q,\nk} }"),
            "if ${x} {\n  $A.${n} -> b, $A in {q, k}\n}\n");
  // The `}` of a string in `${…}` closes nothing, a `{` behind a name nothing.
  EXPECT_NE(parsed("if x == \"${\"}\"}\" { l.${n}{ -> b }").find("\n1:26: "),
            std::string::npos);
}

} // namespace
