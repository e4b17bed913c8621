//===- ParseScriptTest.cpp - Locations, recovery, wording, limits ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace aoa;

namespace {

TEST(ParseScript, everyNodeKnowsItsBytes) {
  ParsedText text("# h\xC3\xA9\n\"\xC3\xA9\"^T, b[0:2] -> c, tag, axis=-1, "
                  "p=[1, 'x'] # end");
  ASSERT_EQ(text.reports(), "");
  ASSERT_EQ(text.script.body.size(), 1u);
  EXPECT_EQ(text.script.numWritten, 1u);
  const ast::Statement &statement = *ast::statementsOf(text.script.body)[0];
  EXPECT_EQ(text.textOf(statement.range),
            "\"\xC3\xA9\"^T, b[0:2] -> c, tag, axis=-1, p=[1, 'x']");
  EXPECT_EQ(text.textOf(statement.arrow), "->");
  EXPECT_EQ(text.textOf(statement.left[0].range), "\"\xC3\xA9\"");
  EXPECT_EQ(text.textOf(statement.left[1].range), "b");
  EXPECT_EQ(text.textOf(statement.left[1].array->range), "[0:2]");
  EXPECT_EQ(text.textOf(statement.right[1].range), "tag");
  EXPECT_EQ(text.textOf(statement.attributes[0].range), "axis");
  EXPECT_EQ(text.textOf(statement.attributes[0].value.range), "-1");
  EXPECT_EQ(text.textOf(statement.attributes[1].value.range), "[1, 'x']");
  const auto &list = std::get<ast::List>(statement.attributes[1].value.data);
  EXPECT_EQ(text.textOf(list[1].range), "'x'");
}

TEST(ParseScript, namesBehindAttributesAreLate) {
  ParsedText text("f -> g, axis=0, tag, x=1, y\na -> b, c");
  ASSERT_EQ(text.reports(), "");
  EXPECT_EQ(ast::statementsOf(text.script.body)[0]->right.size(), 3u);
  EXPECT_EQ(ast::statementsOf(text.script.body)[0]->firstLateName, 1u);
  EXPECT_EQ(ast::statementsOf(text.script.body)[1]->firstLateName, 2u);
}

TEST(ParseScript, reportsEveryBrokenStatementAndKeepsTheOthers) {
  ParsedText text("a -> b\n"
                  "c -> \n"
                  ";d -> = ; e -> f\n"
                  "g -> h, x=[1\n"
                  "]]\n"
                  "i -> j # fine\n");
  EXPECT_EQ(text.printed(), "a -> b\ne -> f\ni -> j\n");
  EXPECT_EQ(text.reports(),
            "3:1: expected a tensor name after `->`, found `;` [syntax-error]\n"
            "3:7: expected a tensor name after `->`, found `=` [syntax-error]\n"
            "5:2: expected `,` or the end of the statement after `]`, found "
            "`]` [syntax-error]\n");
}

TEST(ParseScript, leavesOutAStatementThatIsFollowedByItsRest) {
  EXPECT_EQ(ParsedText("a -> p axis=0\nb -> c, x=1 2\nd -> e").printed(),
            "d -> e\n");
}

TEST(ParseScript, wordsErrorsItself) {
  auto firstReport = [](std::string text) {
    std::string all = parsed(std::move(text));
    return all.substr(0, all.find(" ["));
  };
  EXPECT_EQ(firstReport("a, = -> b"),
            "1:4: expected a tensor name after `,`, found `=`");
  EXPECT_EQ(firstReport("= a -> b"), "1:1: expected a statement, found `=`");
  EXPECT_EQ(firstReport("a"), "1:2: expected `,` or `->` after `a`, found the "
                              "end of the text");
  EXPECT_EQ(firstReport("a b -> c"),
            "1:3: expected `,` or `->` after `a`, found `b`");
  EXPECT_EQ(firstReport("axis=0 -> c"),
            "1:5: expected `,` or `->` after `axis`, found `=`; attributes "
            "stand behind the names on the right");
  EXPECT_EQ(firstReport("a -> b, \"x\"=3"),
            "1:9: expected a bare word as the attribute before `=`, found "
            "`\"x\"`");
  EXPECT_EQ(firstReport("a -> b, axis=\n\n"),
            "1:14: expected a value after `=`, found the end of the text");
  EXPECT_EQ(firstReport("a -> p axis=0"),
            "1:8: expected `,` or the end of the statement after `p`, found "
            "`axis`");
  EXPECT_EQ(firstReport("a -> b, p=[1 0]"),
            "1:14: expected `,` or `]` after `1`, found `0`");
  EXPECT_EQ(firstReport("$X in {q} -> b"),
            "1:4: expected `,` or `->` after `$X`, found `in`; clauses stand "
            "behind the names on the right");
  EXPECT_EQ(firstReport("$X -> b, $X not 3"),
            "1:17: expected `in` after `not`, found `3`");
  EXPECT_EQ(firstReport("$X -> b, $X in 3"),
            "1:17: expected `..` after `3` in the clause, found the end of the "
            "text");
  EXPECT_EQ(firstReport("$X -> b, $X in {q k}"),
            "1:19: expected `,` or `}` after `q`, found `k`");
  EXPECT_EQ(firstReport("$(x) -> b"),
            "1:2: expected `,` or `->` after `$`, found `(`; a placeholder is "
            "written in capitals: `$(NAME)`");
  EXPECT_EQ(firstReport("a[1] -> b"),
            "1:4: expected `:` after `1` in `[a:b]`, found `]`; only "
            "temporaries have elements: `%name[i]`");
  EXPECT_EQ(firstReport("a[(x:1)] -> b"),
            "1:5: expected `,` or `)` after `x`, found `:`");
  EXPECT_EQ(firstReport("a[x:y:z] -> b"),
            "1:6: expected `]` after `y` in `[a:b]`, found `:`");
  EXPECT_EQ(firstReport("a -> b, x=1 +"),
            "1:14: expected a value after `+`, found the end of the text");
  EXPECT_EQ(firstReport("a -> b, l.${n m}"),
            "1:15: expected an operator or `}` after `n`, found `m`");
  EXPECT_EQ(firstReport("a -> b, x=max(1 2)"),
            "1:17: expected `,` or `)` after `1`, found `2`");
  EXPECT_EQ(firstReport("c <- a"), "1:3: unexpected character `<`; the arrow "
                                   "points to the right: `a -> b`");
}

TEST(ParseScript, notesLeadToTheCause) {
  EXPECT_EQ(parsed("a -> b,\nc -> d"),
            "2:3: found a second `->` in one statement [syntax-error]\n"
            "  1:7: this `,` continues the statement on the next line\n");
  EXPECT_EQ(parsed("a -> b -> c"),
            "1:8: found a second `->` in one statement [syntax-error]\n"
            "  1:3: the first one\n");
  EXPECT_EQ(parsed("a -> b, p=[[1], 0"),
            "1:18: expected `,` or `]` after `0`, found the end of the text "
            "[syntax-error]\n  1:11: to close this `[`\n");
}

TEST(ParseScript, deepNestingIsAnError) {
  for (char bracket : {'[', '('}) {
    std::string many(200'000, bracket);
    for (const std::string &text : {"a -> b, p=" + many, many + "a -> b",
                                    "a" + many, "a -> b, " + many}) {
      ParsedText parsed(text);
      ASSERT_EQ(parsed.found.list.size(), 1u);
      EXPECT_EQ(parsed.found.list[0].kind->name, "script-nesting");
    }
    ParsedText parsed("a -> b, p=" + many, ast::Dialect::Paddle);
    EXPECT_EQ(parsed.found.numErrors(), 1u);
  }
  // `${` and strings within it count, too; a chain of operators is no nesting.
  std::string names, strings, chain = "a -> b, x=1";
  for (int i = 0; i < 100'000; ++i) {
    names += "l.${";
    strings += i % 2 ? "'x${" : "\"x${";
    chain += "+1";
  }
  EXPECT_EQ(ParsedText(names).found.list[0].kind->name, "script-nesting");
  EXPECT_EQ(ParsedText("a" + names).found.list[0].kind->name, "script-nesting");
  EXPECT_EQ(ParsedText(strings).found.list[0].kind->name, "script-nesting");
  EXPECT_EQ(ParsedText("a -> b, x=" + strings).found.list[0].kind->name,
            "script-nesting");
  EXPECT_EQ(ParsedText(chain).found.list[0].kind->name, "syntax-error");
  auto nested = [](size_t depth) {
    return "a -> b, p=" + std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(ParsedText(nested(256)).reports(), "");
  EXPECT_EQ(parsed(nested(257)), "1:267: brackets are nested deeper than 256 "
                                 "[script-nesting]\n");
  // What one statement leaves open does not count in the next.
  std::string open;
  for (int i = 0; i < 300; ++i)
    open += "a[ -> b\n";
  EXPECT_NE(ParsedText(open).found.list[0].kind->name, "script-nesting");
}

TEST(ParseScript, anyBytesAreReadWithoutACrash) {
  std::string alphabet = "ab0.^T->=,[]()'\"#;:\n\r \t?%${}*/<+-_\xC3\xA9";
  uint32_t state = 1;
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      state = state * 1664525 + 1013904223;
      text += alphabet[(state >> 16) % alphabet.size()];
    }
    for (ast::Dialect dialect : {ast::Dialect::Aoa, ast::Dialect::Paddle}) {
      ParsedText parsed(text, dialect);
      for (const Diagnostic &report : parsed.found.list) {
        EXPECT_LE(report.range.begin, report.range.end) << text;
        EXPECT_LE(report.range.end, text.size()) << text;
      }
    }
  }
}

// 11,712 statements of 162 bytes; the bound is the project's, far above what an
// optimised build takes.
TEST(ParseScript, parsesALargeScriptInHalfASecond) {
  std::string text;
  for (int i = 0; i < 11'712; ++i) {
    std::string layer = std::to_string(i / 192),
                expert = std::to_string(i % 192);
    text += "model.layers." + layer + ".mlp.experts." + expert +
            ".gate_proj.weight, model.layers." + layer + ".mlp.experts." +
            expert + ".up_proj.weight -> decoder.layers." + layer +
            ".mlp.experts." + expert + ".linear_fc1.weight, axis=0\n";
  }
  auto start = std::chrono::steady_clock::now();
  ParsedText parsed(text);
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  RecordProperty("bytes", std::to_string(text.size()));
  RecordProperty("seconds", std::to_string(taken.count()));
  EXPECT_EQ(parsed.found.list.size(), 0u);
  EXPECT_EQ(parsed.script.body.size(), 11'712u);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(taken.count(), 0.5);
#endif
}

} // namespace
