//===- LexicalTest.cpp - The rows of the language page's section 1 --------===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

/// What is reported, shortened to its place and kind.
std::string refused(std::string text,
                    ast::Dialect dialect = ast::Dialect::Aoa) {
  ParsedText parsed(std::move(text), dialect);
  std::string all;
  for (const Diagnostic &report : parsed.found.list)
    all += (all.empty() ? "" : " ") + parsed.at(report.range) + " " +
           std::string(report.kind->name);
  return all;
}
std::string refusedByPaddle(std::string text) {
  return refused(std::move(text), ast::Dialect::Paddle);
}

TEST(AoaLexical, namesHoldDashesAndSlashesInside) {
  EXPECT_EQ(parsed("a-b->c"), "a-b -> c\n");
  EXPECT_EQ(parsed("e/f-g.h--i/-j->k"), "e/f-g.h--i/-j -> k\n");
  EXPECT_EQ(parsed("_a.$LAYER_ID.b*.9 -> $X"), "_a.$LAYER_ID.b*.9 -> $X\n");
  EXPECT_EQ(refused("a- -> b"), "1:2 unexpected-character");
  EXPECT_EQ(refused("a/ -> b"), "1:2 unexpected-character");
}

TEST(AoaLexical, namesBeginWithALetterOrUnderscore) {
  EXPECT_EQ(parsed("0.w -> b"),
            "1:1: `0.w` does not begin with a letter or `_`; quote it to name "
            "a tensor [syntax-error]\n");
  EXPECT_EQ(refused("*.w -> b"), "1:1 syntax-error");
  EXPECT_EQ(refused("a, .w -> b"), "1:4 syntax-error");
  EXPECT_EQ(parsed("\xC3\xA9.w -> b"),
            "1:1: unexpected character `\xC3\xA9`; quote names that are not "
            "ASCII [unexpected-character]\n");
}

TEST(AoaLexical, reservedWordsAreNamesOnlyInQuotes) {
  for (std::string word : {"macro", "let", "for", "if", "else", "assert",
                           "include", "in", "not", "shortest", "longest"}) {
    EXPECT_EQ(refused(word + " -> b"), "1:1 reserved-word") << word;
    EXPECT_EQ(refused("a -> b, " + word), "1:9 reserved-word") << word;
    EXPECT_EQ(parsed("\"" + word + "\" -> b"), "\"" + word + "\" -> b\n");
    EXPECT_EQ(parsed(word + ".x -> " + word + "2"),
              word + ".x -> " + word + "2\n");
  }
}

TEST(AoaLexical, quotedNamesAreLiteral) {
  ParsedText text("\"0.auto-model.w\"^T, '_' -> \"h\xC3\xA9 $X\", axis=0");
  ASSERT_EQ(text.reports(), "");
  const ast::Statement &statement =
      *ast::statementsOf(text.script.body).front();
  EXPECT_EQ(statement.left[0].text, "0.auto-model.w");
  EXPECT_TRUE(statement.left[0].quoted);
  EXPECT_TRUE(statement.left[0].transposed);
  EXPECT_FALSE(statement.left[1].isDiscard());
  EXPECT_EQ(statement.right[0].text, "h\xC3\xA9 $X");
  EXPECT_EQ(refused("\"\" -> b"), "1:1 syntax-error");
}

TEST(AoaLexical, transposeEndsAName) {
  ParsedText text("a^b.c^T -> d");
  ASSERT_EQ(text.reports(), "");
  EXPECT_EQ(ast::statementsOf(text.script.body)[0]->left[0].text, "a^b.c");
  EXPECT_TRUE(ast::statementsOf(text.script.body)[0]->left[0].transposed);
  EXPECT_EQ(refused("a^Tb -> c"), "1:4 syntax-error");
  EXPECT_EQ(refused("a ^T -> c"), "1:3 syntax-error");
  EXPECT_EQ(refused("a^T^T -> c"), "1:4 syntax-error");
}

TEST(AoaLexical, suffixesStandInOrderBehindTheName) {
  ParsedText text("q[0:3]^T, \"r\"[1:2] -> d");
  ASSERT_EQ(text.reports(), "");
  const ast::Name &name = ast::statementsOf(text.script.body)[0]->left[0];
  ASSERT_TRUE(name.array);
  EXPECT_EQ(name.array->begin, 0);
  EXPECT_EQ(name.array->end, 3);
  EXPECT_EQ(text.textOf(name.array->range), "[0:3]");
  EXPECT_EQ(refused("q^T[0:3] -> d"), "1:4 syntax-error");
  EXPECT_EQ(refused("q [0:3] -> d"), "1:3 syntax-error");
  EXPECT_EQ(refused("q[0:3][0:3] -> d"), "1:7 syntax-error");
  EXPECT_EQ(refused("q[0] -> d"), "1:4 syntax-error");
  EXPECT_EQ(refused("q[-1:2] -> d"), "1:3 syntax-error");
  EXPECT_EQ(refused("q? -> d"), "");
  EXPECT_EQ(parsed("q[0:n+1]^T?, r^T?, s? -> d"),
            "q[0:n+1]^T?, r^T?, s? -> d\n");
  EXPECT_EQ(refused("q?^T -> d"), "1:3 syntax-error");
  EXPECT_EQ(refused("q?[0:1] -> d"), "1:3 syntax-error");
  EXPECT_EQ(refused("q?? -> d"), "1:3 syntax-error");
  EXPECT_EQ(refused("q ? -> d"), "1:3 syntax-error");
}

TEST(AoaLexical, boundsOfArraysAreNumbersOrExpressions) {
  ParsedText text("q[2*n:${m}] -> d, w[n:3]");
  ASSERT_EQ(text.reports(), "");
  const ast::Statement &statement = *ast::statementsOf(text.script.body)[0];
  const ast::ArrayRange &array = *statement.left[0].array;
  ASSERT_TRUE(array.beginExpr && array.endExpr);
  EXPECT_EQ(array.beginExpr->kind, Expr::Kind::Multiply);
  EXPECT_EQ(array.beginExpr->written, "2*n");
  EXPECT_EQ(text.textOf(array.endExpr->range), "${m}");
  EXPECT_EQ(statement.right[1].array->beginExpr->kind, Expr::Kind::Variable);
  EXPECT_FALSE(statement.right[1].array->endExpr);
  EXPECT_EQ(statement.right[1].array->end, 3);
  EXPECT_EQ(parsed("q[0:-1] -> d"),
            "1:5: found -1, expected a whole number from 0 on in `[a:b]` "
            "[syntax-error]\n");
}

TEST(AoaLexical, namesHoldInterpolations) {
  ParsedText text("l.${n + 1}-${m}^T, ${a}${b}.w?, x-${a}/y, %t.${a}[0:2] -> "
                  "\"${f}.auto-model\"^T, b");
  EXPECT_EQ(text.reports(), "");
  ParsedText good("l.${n + 1}-${m}^T, ${a}${b}.w?, x-${a}/y, x.${a}^b^${c} -> "
                  "\"${'f'}.auto-model\"^T, $$A.${n}$(X)w");
  ASSERT_EQ(good.reports(), "");
  const ast::Statement &statement = *ast::statementsOf(good.script.body)[0];
  const ast::Name &first = statement.left[0];
  EXPECT_EQ(first.text, "l.${n + 1}-${m}");
  EXPECT_TRUE(first.transposed);
  EXPECT_FALSE(first.quoted);
  ASSERT_TRUE(first.interpolation);
  EXPECT_EQ(first.interpolation->kind, Expr::Kind::Text);
  EXPECT_EQ(first.interpolation->operands.size(), 4u);
  EXPECT_EQ(good.textOf(first.range), "l.${n + 1}-${m}");
  EXPECT_TRUE(statement.left[1].maybe);
  EXPECT_EQ(statement.left[2].text, "x-${a}/y");
  EXPECT_EQ(statement.left[3].text, "x.${a}^b^${c}");
  EXPECT_TRUE(statement.right[0].quoted);
  EXPECT_EQ(statement.right[0].text, "${'f'}.auto-model");
  EXPECT_EQ(statement.right[0].interpolation->operands.size(), 2u);
  EXPECT_EQ(statement.right[1].text, "$$A.${n}$(X)w");
  EXPECT_EQ(parsed("l.${x}->b"), "l.${x} -> b\n");
  EXPECT_EQ(parsed("l.${x # c\n + # d\n 1}.w -> b"), "l.${x + 1}.w -> b\n");
}

TEST(AoaLexical, stringsHoldInterpolationsWithStrings) {
  ParsedText text("\"a'${f(\"}\", '${\"x\"}')}\" -> b, x=\"${n}\", y='$$ {$'");
  EXPECT_EQ(text.reports(), "1:6: unknown function `f` [syntax-error]\n");
  ParsedText good("\"a'${len([\"}\", '${\"x\"}'])}\" -> b, x=\"${n}\", "
                  "y='$$ {$', r=\"(h ${p}) -> h\"");
  ASSERT_EQ(good.reports(), "");
  const ast::Statement &statement = *ast::statementsOf(good.script.body)[0];
  EXPECT_EQ(statement.left[0].text, "a'${len([\"}\", '${\"x\"}'])}");
  const auto &x = std::get<ast::ExprRef>(statement.attributes[0].value.data);
  EXPECT_EQ(x->kind, Expr::Kind::Text);
  EXPECT_EQ(x->written, "\"${n}\"");
  EXPECT_EQ(std::get<ast::Text>(statement.attributes[1].value.data).text,
            "$$ {$");
  EXPECT_EQ(good.printed(),
            "\"a'${len([\"}\", '${\"x\"}'])}\" -> b, x=\"${n}\", "
            "y=\"$$ {$\", r=\"(h ${p}) -> h\"\n");
  EXPECT_EQ(refused("a -> b, x=\"${n} c\nd -> e"), "1:11 unclosed-string");
  EXPECT_EQ(refused("a -> b, x=\"${n}\nd -> e"), "1:11 unclosed-string");
  EXPECT_EQ(refused("a -> b, x=\"${n}$"), "1:11 unclosed-string");
}

TEST(AoaLexical, placeholdersAndTemporaries) {
  EXPECT_EQ(parsed("$$A.to_q.$$B, l.$(LAYER_ID)x -> %t.$X_norm, %_"),
            "$$A.to_q.$$B, l.$(LAYER_ID)x -> %t.$X_norm, %_\n");
  EXPECT_EQ(refused("a -> b, %t=1"), "1:9 syntax-error");
  // Behind a value `%` is an operator.
  EXPECT_EQ(refused("a -> b, x=4%t -> c"), "1:15 syntax-error");
}

TEST(AoaLexical, clauses) {
  ParsedText text("$L.$$R, $X.y -> $L.z, $L in 0 .. 15, $X not in {q,k.*,\n"
                  " # more\n 0}, $$R  shortest, $(Y) longest, opt, $Z not in "
                  "n..${m + 1}, axis=1");
  ASSERT_EQ(text.reports(), "");
  const ast::Statement &statement = *ast::statementsOf(text.script.body)[0];
  ASSERT_EQ(statement.clauses.size(), 5u);
  using Kind = ast::Clause::Kind;
  const auto &clauses = statement.clauses;
  EXPECT_EQ(clauses[0].placeholder, "$L");
  EXPECT_EQ(clauses[0].kind, Kind::In);
  EXPECT_EQ(std::get<int64_t>(clauses[0].first->data), 0);
  EXPECT_EQ(std::get<int64_t>(clauses[0].last->data), 15);
  EXPECT_EQ(text.textOf(clauses[0].range), "$L in 0 .. 15");
  EXPECT_EQ(clauses[1].kind, Kind::NotIn);
  EXPECT_EQ(clauses[1].set, (std::vector<std::string>{"q", "k.*", "0"}));
  EXPECT_EQ(clauses[2].placeholder, "$$R");
  EXPECT_EQ(clauses[2].kind, Kind::Shortest);
  EXPECT_EQ(clauses[3].placeholder, "$Y");
  EXPECT_EQ(clauses[3].kind, Kind::Longest);
  EXPECT_EQ(std::get<ast::ExprRef>(clauses[4].first->data)->kind,
            Expr::Kind::Variable);
  EXPECT_EQ(statement.firstLateName, 1u);
  EXPECT_EQ(text.printed(),
            "$L.$$R, $X.y -> $L.z, axis=1, $L in 0..15, $X not in {q, k.*, 0}, "
            "$$R shortest, $Y longest, $Z not in n..${m + 1}, opt\n");
  EXPECT_EQ(refused("$X -> b, x in {q}"), "1:10 syntax-error");
  EXPECT_EQ(refused("$X -> b, $x in {q}"), "1:10 syntax-error");
  EXPECT_EQ(refused("$X -> b, $X_ shortest"), "1:10 syntax-error");
  EXPECT_EQ(refused("$X -> b, \"$X\" shortest"), "1:10 syntax-error");
  EXPECT_EQ(refused("$X -> b, $X in {}"), "1:17 syntax-error");
  EXPECT_EQ(refused("$X -> b, $X in {'q'}"), "1:17 unexpected-character");
  EXPECT_EQ(refused("$X -> b, $X in 3"), "1:17 syntax-error");
  EXPECT_EQ(refused("$X -> b, $X not {q}"), "1:17 syntax-error");
}

TEST(AoaLexical, stringsHaveNoEscapesAndEndOnTheirLine) {
  EXPECT_EQ(parsed("a -> b, x='\\n\"', y=\"it's\""),
            "a -> b, x='\\n\"', y=\"it's\"\n");
  EXPECT_EQ(refused("a -> b, x=\"c\nd -> e\""), "1:11 unclosed-string "
                                                "2:7 unclosed-string");
}

TEST(AoaLexical, commentsEndWithTheLine) {
  EXPECT_EQ(parsed("# one\na -> b # two -> three\n#"), "a -> b\n");
  EXPECT_EQ(parsed("a -> b, axis=0# two\nc -> d"), "a -> b, axis=0\nc -> d\n");
}

TEST(AoaLexical, valuesAreNumbersWordsStringsAndLists) {
  ParsedText text("a -> b, i=-12, j=+3, f=0.5, g=1e-3, w=BF16, s='x', "
                  "l=[1, [-2, 'y'], z], e=[]");
  ASSERT_EQ(text.reports(), "");
  const auto &attributes = ast::statementsOf(text.script.body)[0]->attributes;
  EXPECT_EQ(std::get<int64_t>(attributes[0].value.data), -12);
  EXPECT_EQ(std::get<int64_t>(attributes[1].value.data), 3);
  EXPECT_EQ(std::get<double>(attributes[2].value.data), 0.5);
  EXPECT_EQ(std::get<double>(attributes[3].value.data), 1e-3);
  EXPECT_EQ(std::get<ast::Word>(attributes[4].value.data).text, "BF16");
  EXPECT_EQ(std::get<ast::Text>(attributes[5].value.data).text, "x");
  const auto &list = std::get<ast::List>(attributes[6].value.data);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(std::get<ast::List>(list[1].data).size(), 2u);
  EXPECT_TRUE(std::get<ast::List>(attributes[7].value.data).empty());
}

TEST(AoaLexical, numbersHaveOneSignAndDigitsAroundThePoint) {
  EXPECT_EQ(refused("a -> b, x=--1"), "1:12 syntax-error");
  EXPECT_EQ(refused("a -> b, x=1."), "1:12 unexpected-character");
  EXPECT_EQ(refused("a -> b, x=.5"), "1:11 unexpected-character");
  EXPECT_EQ(parsed("a -> b, x=-9223372036854775808"),
            "a -> b, x=-9223372036854775808\n");
  EXPECT_EQ(parsed("a -> b, x=9223372036854775808"),
            "1:11: `9223372036854775808` does not fit in 64 bits "
            "[number-out-of-range]\n");
  EXPECT_EQ(refused("a -> b, x=1e999"), "1:11 number-out-of-range");
  EXPECT_EQ(refused("a -> b, x=1+9223372036854775808"), "1:13 syntax-error");
}

TEST(AoaLexical, valuesAreExpressions) {
  ParsedText text("a -> b, p=[[0,47],[d, 2*n]], q=- 3, r=(1), s=n // 2 # c\n"
                  ", t=not x and y, u=config:a, v=${config:a.b[3] ?? 4}, "
                  "w=extent(a, 0), v=-n");
  EXPECT_EQ(text.reports(), "2:1: expected a statement, found `,` "
                            "[syntax-error]\n");
  ParsedText good("a -> b, p=[[0,47],[d, 2*n]], q=- 3, r=(1), s=n // 2, # c\n"
                  " t=not x and y, u=config:a, v=${config:a.b[3] ?? 4}, "
                  "w=extent(a, 0), v=-n, x=a-b->c");
  EXPECT_EQ(good.reports(),
            "2:81: found a second `->` in one statement [syntax-error]\n"
            "  1:52: this `,` continues the statement on the next line\n");
  ParsedText fine("a -> b, p=[[0,47],[d, 2*n]], q=- 3, r=(1), s=n // 2, # c\n"
                  " t=not x and y, u=config:a, v=${config:a.b[3] ?? 4}, "
                  "w=extent(a, 0), v=-n, x=a-b, y=true");
  ASSERT_EQ(fine.reports(), "");
  const auto &attributes = ast::statementsOf(fine.script.body)[0]->attributes;
  const auto &list = std::get<ast::List>(attributes[0].value.data);
  const auto &second = std::get<ast::List>(list[1].data);
  EXPECT_EQ(std::get<ast::Word>(second[0].data).text, "d");
  EXPECT_EQ(std::get<ast::ExprRef>(second[1].data)->written, "2*n");
  EXPECT_EQ(std::get<int64_t>(attributes[1].value.data), -3);
  std::vector<Expr::Kind> kinds;
  for (const ast::Attribute &attribute : attributes)
    if (const auto *expr = std::get_if<ast::ExprRef>(&attribute.value.data)) {
      kinds.push_back((*expr)->kind);
      EXPECT_EQ(fine.textOf(attribute.value.range), (*expr)->written);
    }
  using Kind = Expr::Kind;
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::Integer, Kind::FloorDivide, Kind::And,
                               Kind::Config, Kind::Inserted, Kind::Call,
                               Kind::Negate, Kind::Subtract}));
  EXPECT_EQ(std::get<ast::Word>(attributes.back().value.data).text, "true");
}

TEST(AoaLexical, expressionsEndWhereAStatementGoesOn) {
  EXPECT_EQ(refused("a -> b, x=2*n c -> d"), "1:15 glued-statements");
  EXPECT_EQ(refused("a -> b, x=\"${n}\"\"c\" -> d"), "1:17 glued-statements");
  EXPECT_EQ(refused("a -> b, x=2${n}.c -> d"), "1:12 glued-statements");
  EXPECT_EQ(refused("a -> b, x=2 let -> d"), "1:13 syntax-error");
  EXPECT_EQ(parsed("a -> b, x=(1 +\n 2); c -> d"),
            "a -> b, x=(1 + 2)\nc -> d\n");
  EXPECT_EQ(refused("a -> b, x=1 +\n 2"), "1:14 syntax-error 2:2 syntax-error");
}

TEST(AoaLexical, newlinesAndSemicolonsEndStatements) {
  EXPECT_EQ(parsed("\n;; a -> b;c -> d\r\n\r\ne -> f\r"),
            "a -> b\nc -> d\ne -> f\n");
  EXPECT_EQ(parsed(""), "");
  EXPECT_EQ(parsed("\xEF\xBB\xBF"
                   "a -> b"),
            "a -> b\n");
}

TEST(AoaLexical, statementsContinueBehindCommasArrowsAndEquals) {
  EXPECT_EQ(parsed("a, # x\n\n b ->\n c,\n axis=\n# y\n 0\nd -> e"),
            "a, b -> c, axis=0\nd -> e\n");
  EXPECT_EQ(parsed("a -> b, p=[1,\n0\n]\nd -> e"),
            "a -> b, p=[1, 0]\nd -> e\n");
  EXPECT_EQ(parsed("q[0\n:\n2] -> b"), "q[0:2] -> b\n");
}

TEST(AoaLexical, statementsContinueBeforeAnArrow) {
  EXPECT_EQ(parsed("a # x\n\n# y\n  -> b\nd -> e"), "a -> b\nd -> e\n");
}

TEST(AoaLexical, gluedStatementsAreTwoWithAWarning) {
  ParsedText text("a, b -> c, axis=0a, b -> d, dtype='f'e -> \"g\" h -> i");
  EXPECT_EQ(text.printed(), "a, b -> c, axis=0\na, b -> d, dtype=\"f\"\n"
                            "e -> \"g\"\nh -> i\n");
  EXPECT_EQ(refused("a, b -> c, axis=0a, b -> d"), "1:18 glued-statements");
  ASSERT_EQ(text.found.list.size(), 3u);
  EXPECT_EQ(text.found.numErrors(), 0u);
  EXPECT_EQ(text.found.list[0].message,
            "a statement begins at `a` without a new line before it");
}

TEST(AoaLexical, textIsUtf8) {
  EXPECT_EQ(parsed("a -> b\n# \xFF\n"),
            "2:3: byte 0xFF at offset 9 is not UTF-8 text "
            "[script-not-utf8]\n");
  EXPECT_EQ(refused("\"\xC3\" -> b"), "1:2 script-not-utf8");
  EXPECT_EQ(refused("\"\xED\xA0\x80\" -> b"), "1:2 script-not-utf8");
}

TEST(PaddleLexical, namesAreLettersDigitsAndFiveSigns) {
  EXPECT_EQ(paddle("a$LAYER_ID.*_9 -> b^.x^"), "a$LAYER_ID.*_9 -> b^.x^\n");
  EXPECT_EQ(paddle("let, in -> for, axis=0"), "let, in -> for, axis=0\n");
  EXPECT_EQ(refusedByPaddle("a-b -> p"), "1:2 unexpected-character");
  EXPECT_EQ(refusedByPaddle("a/b -> p"), "1:2 unexpected-character");
  EXPECT_EQ(refusedByPaddle("0.w -> p"), "1:1 syntax-error");
  EXPECT_EQ(refusedByPaddle("$X -> p"), "1:1 unexpected-character");
  EXPECT_EQ(refusedByPaddle("a\xD9\xA3 -> p"), "1:2 unexpected-character");
  EXPECT_EQ(refusedByPaddle("\"a\" -> p"), "1:1 syntax-error");
}

TEST(PaddleLexical, transposeIsTheEndOfAName) {
  ParsedText text("a^T, b^T^T, c^Td -> e^T", ast::Dialect::Paddle);
  ASSERT_EQ(text.reports(), "");
  const ast::Statement &statement = *ast::statementsOf(text.script.body)[0];
  EXPECT_TRUE(statement.left[0].transposed);
  EXPECT_EQ(statement.left[0].text, "a");
  EXPECT_EQ(statement.left[1].text, "b^T");
  EXPECT_EQ(statement.left[2].text, "c^Td");
  EXPECT_FALSE(statement.left[2].transposed);
  EXPECT_TRUE(statement.right[0].transposed);
}

TEST(PaddleLexical, valuesAreDigitsAndStrings) {
  ParsedText text("a -> b, axis=007, dtype=\"'float16'\", x='\"q\"'",
                  ast::Dialect::Paddle);
  ASSERT_EQ(text.reports(), "");
  const auto &attributes = ast::statementsOf(text.script.body)[0]->attributes;
  EXPECT_EQ(std::get<int64_t>(attributes[0].value.data), 7);
  EXPECT_EQ(std::get<ast::Text>(attributes[1].value.data).text, "float16");
  EXPECT_EQ(std::get<ast::Text>(attributes[2].value.data).text, "\"q\"");
  EXPECT_EQ(refusedByPaddle("a -> p, axis=-1"), "1:14 unexpected-character");
  EXPECT_EQ(refusedByPaddle("a -> p, axis=0.5"), "1:15 unexpected-character");
  EXPECT_EQ(refusedByPaddle("a -> p, permute=[1,0]"), "1:17 syntax-error");
  EXPECT_EQ(refusedByPaddle("a -> p, permute=[]"), "1:17 syntax-error");
  EXPECT_EQ(refusedByPaddle("a -> p, dtype=bfloat16"), "1:15 syntax-error");
}

TEST(PaddleLexical, stringsRunOverLines) {
  EXPECT_EQ(paddle("a -> b, x='p\nq'\nc -> d"), "a -> b, x=\"p\nq\"\nc -> d\n");
  EXPECT_EQ(refusedByPaddle("a -> b, x='p\nc -> d"), "1:11 unclosed-string");
}

TEST(PaddleLexical, arraySyntaxAllowsBlanks) {
  EXPECT_EQ(paddle("q [0 : 2] -> b"), "q[0:2] -> b\n");
  EXPECT_EQ(refusedByPaddle("q^T[0:2] -> b"), "1:4 syntax-error");
}

TEST(PaddleLexical, hasNoCommentsSemicolonsAndContinuation) {
  EXPECT_EQ(paddle("a -> p # hi"),
            "1:8: unexpected character `#`; `--std=paddle` has no comments "
            "[unexpected-character]\n");
  EXPECT_EQ(refusedByPaddle("a -> b; c -> d"), "1:7 unexpected-character");
  EXPECT_EQ(refusedByPaddle("a,\nb -> c"), "1:3 syntax-error");
  EXPECT_EQ(refusedByPaddle("a ->\nb"), "1:5 syntax-error 2:2 syntax-error");
  EXPECT_EQ(refusedByPaddle("a -> b, axis=\n0"),
            "1:14 syntax-error 2:1 syntax-error");
}

TEST(PaddleLexical, hasArrowStatementsOnly) {
  EXPECT_EQ(paddle("let n = 3"),
            "1:1: `let` begins a statement of `--std=aoa`, `--std=paddle` has "
            "arrow statements only [unsupported-syntax]\n");
  for (std::string text :
       {"for i in 0..3 {\n a -> b\n}\nc -> d", "assert x == 3, 'no'",
        "macro m(a -> b; c) {\n a -> b\n if x {\n }\n}\n", "include 'x.aoa'",
        "if x {\n a -> b\n}\n", "if not x {\n a -> b\n}\n"})
    EXPECT_EQ(refusedByPaddle(text), "1:1 unsupported-syntax") << text;
  for (std::string text : {"if, b c -> d", "for -> b c ->", "let", "let = 3"})
    EXPECT_EQ(refusedByPaddle(text).find("unsupported"), std::string::npos)
        << text;
  EXPECT_EQ(refusedByPaddle("(a for i in 0..3) -> b"),
            "1:1 unexpected-character");
  EXPECT_EQ(refusedByPaddle("%g[0] -> b"), "1:1 unexpected-character");
}

TEST(PaddleLexical, gluedStatementsAreTwoWithAWarning) {
  EXPECT_EQ(refusedByPaddle("a, b -> c, axis=0a, b -> d, axis=1"),
            "1:18 glued-statements");
  EXPECT_EQ(refusedByPaddle("a -> b c -> d"), "1:8 glued-statements");
}

} // namespace
