//===- BlockErrorsTest.cpp - Likely slips around blocks, and their wording ===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

struct Slip {
  const char *text, *reports;
};

void expectReports(std::initializer_list<Slip> slips) {
  for (const Slip &slip : slips)
    EXPECT_EQ(ParsedText(slip.text).reports(), slip.reports) << slip.text;
}

TEST(BlockErrors, wordLoops) {
  expectReports({
      {R"(for i in 0..3
  a -> b
}
c -> d)",
       R"(1:14: expected `{` after `3`, found the end of the line [syntax-error]
)"},
      {R"(for i in 0..3 b {
 a -> b
})",
       R"(1:15: expected `{` after `3`, found `b` [syntax-error]
)"},
      {R"(for i in 0..3 {
 a -> b)",
       R"(1:15: the block that begins here is not closed by a `}` [syntax-error]
)"},
      {R"(for i in 0..3 {
  a ->
  b -> c
  d e -> f
}
x y)",
       R"(3:5: found a second `->` in one statement [syntax-error]
  2:5: the first one
4:5: expected `,` or `->` after `d`, found `e` [syntax-error]
6:3: expected `,` or `->` after `x`, found `y` [syntax-error]
)"},
      {R"(for in 0..3 { a -> b })",
       R"(1:5: expected the name of a variable after `for`, found `in` [syntax-error]
)"},
      {R"(for i 0..3 { a -> b })",
       R"(1:7: expected `in` after `i`, found `0..3` [syntax-error]
)"},
      {R"(for i in 0 3 { a -> b })",
       R"(1:12: expected `..` after `0` in the range, found `3` [syntax-error]
)"},
      {R"(for i in 3 { a -> b })",
       R"(1:12: expected `..` after `3` in the range, found `{` [syntax-error]
)"},
      {R"(for i in range(3) { a -> b })",
       R"(1:19: expected `..` after `)` in the range, found `{` [syntax-error]
)"},
      {R"(for i in 0..3: { a -> b })",
       R"(1:14: expected `{` after `3`, found `:` [syntax-error]
)"},
      {R"(for i in {q, k} { a -> b })",
       R"(1:10: expected a value after `in`, found `{` [syntax-error]
)"},
      {R"(for a.b in 0..3 { })",
       R"(1:5: the variable of a `for` is `a.b`, expected letters, digits and `_` only [syntax-error]
)"},
      {R"(for X_ID in 0..3 { })",
       R"(1:5: the variable of a `for` is `X_ID`, expected another ending: names that end in `_ID` are placeholders [syntax-error]
)"},
      {R"(for i in 0..3 { } else { })",
       R"(1:19: found an `else` without an `if` before it [syntax-error]
)"},
      {R"(for i in 0..3 { a -> b } }
c -> d)",
       R"(1:26: found a `}` without a `{` before it [syntax-error]
)"},
      {R"(fro i in 0..3 {
  a -> b
}
c -> d)",
       R"(1:5: expected `,` or `->` after `fro`, found `i` [syntax-error]
)"},
      {R"(for i in 0..3
for j in 0..3
for k in 0..3)",
       R"(1:14: expected `{` after `3`, found the end of the line [syntax-error]
2:14: expected `{` after `3`, found the end of the line [syntax-error]
3:14: expected `{` after `3`, found the end of the text [syntax-error]
)"},
  });
}

TEST(BlockErrors, wordBranches) {
  expectReports({
      {R"(if x {
  a -> b
  for i in 0..3 {
    c -> d
}
e -> f)",
       R"(1:6: the block that begins here is not closed by a `}` [syntax-error]
  3:17: the `}` of this one is indented otherwise: perhaps its own is missing
)"},
      {R"(if { a -> b })",
       R"(1:4: expected a value after `if`, found `{` [syntax-error]
)"},
      {R"(if x = 3 { a -> b })",
       R"(1:6: expected `{` after `x`, found `=`; equality is `==` [syntax-error]
)"},
      {R"(if x a -> b)",
       R"(1:6: expected `{` after `x`, found `a` [syntax-error]
)"},
      {R"(if x { a -> b } else)",
       R"(1:21: expected `{` or `if` after `else`, found the end of the text [syntax-error]
)"},
      {R"(if x { a -> b } else y { })",
       R"(1:22: expected `{` or `if` after `else`, found `y` [syntax-error]
)"},
      {R"(if x { a -> b } elif y { })",
       R"(1:17: expected a new line or `;` after `}`, found `elif` [syntax-error]
)"},
      {R"(if x { a -> b } else { } else { })",
       R"(1:26: found an `else` behind the last one, which has no condition [syntax-error]
)"},
      {R"(if x { } else { } else if y { })",
       R"(1:19: found an `else` behind the last one, which has no condition [syntax-error]
)"},
      {R"(else { a -> b })",
       R"(1:1: found an `else` without an `if` before it [syntax-error]
)"},
      {R"(a -> b
else { a -> b })",
       R"(2:1: found an `else` without an `if` before it [syntax-error]
)"},
      {R"(if x { a -> b } c -> d)",
       R"(1:17: expected a new line or `;` after `}`, found `c` [syntax-error]
)"},
      {R"(if x { a -> b } , c -> d)",
       R"(1:17: expected a new line or `;` after `}`, found `,` [syntax-error]
)"},
  });
}

TEST(BlockErrors, wordReservedWords) {
  expectReports({
      {R"(for let in 0..3 { })",
       R"(1:5: `let` is a word of the language, expected another name [reserved-word]
)"},
      {R"(let in = 3)",
       R"(1:5: `in` is a word of the language, expected another name [reserved-word]
)"},
      {R"(for -> b)",
       R"(1:1: `for` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(if -> b)",
       R"(1:1: `if` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(a -> if)",
       R"(1:6: `if` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(let, a -> b)",
       R"(1:1: `let` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(else -> b)",
       R"(1:1: `else` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(else^T -> b)",
       R"(1:1: `else` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(if^T -> b)",
       R"(1:1: `if` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(not x -> y)",
       R"(1:1: `not` is a word of the language; quote it to name a tensor [reserved-word]
)"},
  });
}

TEST(BlockErrors, wordLets) {
  expectReports({
      {R"(let = 3)",
       R"(1:5: expected the name of a variable after `let`, found `=` [syntax-error]
)"},
      {R"(let n 3)",
       R"(1:7: expected `=` after `n`, found `3` [syntax-error]
)"},
      {R"(let n = )",
       R"(1:8: expected a value after `=`, found the end of the text [syntax-error]
)"},
      {R"(let n.m = 3)",
       R"(1:5: the variable of a `let` is `n.m`, expected letters, digits and `_` only [syntax-error]
)"},
      {R"(let and = 3)",
       R"(1:5: the variable of a `let` is `and`, a word of expressions, expected another name [syntax-error]
)"},
      {R"(let n = 3 m = 4)",
       R"(1:11: expected a new line or `;` after `3`, found `m` [syntax-error]
)"},
      {R"(let n = 3 let m = 4)",
       R"(1:11: expected a new line or `;` after `3`, found `let` [syntax-error]
)"},
      {R"(a -> b let n = 3)",
       R"(1:8: expected a new line or `;` after `b`, found `let` [syntax-error]
)"},
      {R"(let n = 3 a -> b)",
       R"(1:11: expected a new line or `;` after `3`, found `a` [syntax-error]
)"},
      {R"(let[0:2] -> b)",
       R"(1:4: expected the name of a variable after `let`, found `[` [syntax-error]
)"},
  });
}

TEST(BlockErrors, wordBraces) {
  expectReports({
      {R"(})",
       R"(1:1: found a `}` without a `{` before it [syntax-error]
)"},
      {R"(a -> b }
c -> d)",
       R"(1:8: found a `}` without a `{` before it [syntax-error]
)"},
      {R"(a } -> b
c -> d)",
       R"(1:3: expected `,` or `->` after `a`, found `}` [syntax-error]
)"},
      {R"(a { b
c -> d)",
       R"(1:3: expected `,` or `->` after `a`, found `{` [syntax-error]
)"},
      {R"(x { for y } z)",
       R"(1:3: expected `,` or `->` after `x`, found `{` [syntax-error]
)"},
      {R"(a -> b, axis=0 { c }
d -> e)",
       R"(1:16: expected `,` or the end of the statement after `0`, found `{` [syntax-error]
)"},
  });
}

TEST(BlockErrors, wordMacros) {
  expectReports({
      {R"(macro m { a -> b })",
       R"(1:9: expected `(` after `m`, found `{` [syntax-error]
)"},
      {R"(macro m(a -> b) a -> b)",
       R"(1:17: expected `{` after `)`, found `a` [syntax-error]
)"},
      {R"(macro m(a, b) { a -> b })",
       R"(1:13: expected `,` or `->` after `b`, found `)`; a macro has names on both sides: `(a -> b)` [syntax-error]
  1:8: to close this `(`
)"},
      {R"(macro m(a; b) { a -> b })",
       R"(1:10: expected `,` or `->` after `a`, found `;`; a macro has names on both sides: `(a -> b)` [syntax-error]
  1:8: to close this `(`
)"},
      {R"(macro (a -> b) { a -> b })",
       R"(1:7: expected the tag of the macro after `macro`, found `(` [syntax-error]
)"},
      {R"(macro m.x(a -> b) { })",
       R"(1:7: the tag of a macro is `m.x`, expected letters, digits and `_` only [syntax-error]
)"},
      {R"(macro for(a -> b) { })",
       R"(1:7: `for` is a word of the language, expected another name [reserved-word]
)"},
      {R"(macro m(-> b) { })",
       R"(1:9: expected the name of a parameter after `(`, found `->` [syntax-error]
)"},
      {R"(macro m(a ->) { })",
       R"(1:13: expected the name of a parameter after `->`, found `)` [syntax-error]
)"},
      {R"(macro m(a -> b;) { })",
       R"(1:16: expected the name of an attribute after `;`, found `)` [syntax-error]
)"},
      {R"(macro m(a -> b; c c) { })",
       R"(1:19: expected `,` or `)` after `c`, found `c` [syntax-error]
  1:8: to close this `(`
)"},
      {R"(macro m(a -> b; c=) { })",
       R"(1:19: expected a value after `=`, found `)` [syntax-error]
)"},
      {R"(macro m(a -> b, c=1) { })",
       R"(1:18: expected `,`, `;` or `)` after `c`, found `=` [syntax-error]
  1:8: to close this `(`
)"},
      {R"(macro m(a, b { a -> b }
x -> y)",
       R"(1:14: expected `,` or `->` after `b`, found `{` [syntax-error]
  1:8: to close this `(`
)"},
      {R"(macro m(a -> b {
 a -> b
}
x -> y)",
       R"(1:16: expected `,`, `;` or `)` after `b`, found `{` [syntax-error]
  1:8: to close this `(`
)"},
      {R"(macro m(a -> a, b; b, b) { })",
       R"(1:14: the macro `m` has two parameters `a`, expected one of a name [syntax-error]
  1:9: the first one
1:20: the macro `m` has two parameters `b`, expected one of a name [syntax-error]
  1:17: the first one
1:23: the macro `m` has two parameters `b`, expected one of a name [syntax-error]
  1:17: the first one
)"},
      {R"(macro m(a.x, %b, "c", 0 -> d) { })",
       R"(1:18: expected the name of a parameter after `,`, found `"c"` [syntax-error]
)"},
      {R"(macro m(a.x, %b -> d; in) { })",
       R"(1:23: `in` is a word of the language, expected another name [reserved-word]
)"},
      {R"(macro m(a, let -> d; x) { })",
       R"(1:12: `let` is a word of the language, expected another name [reserved-word]
)"},
      {R"(macro m(a -> b) { macro n(a -> b) { a -> b } 
a -> b })",
       R"(1:19: found the macro `n` inside a block, expected it at top level [syntax-error]
)"},
      {R"(macro copy(a -> b) { })",
       R"(1:7: the tag of a macro is `copy`, a word of statements, expected another name [syntax-error]
)"},
      {R"(macro m(a, _ -> b) { })",
       R"(1:12: a parameter of a macro is `_`, which discards as a name, expected another name [syntax-error]
)"},
      {R"(macro -> b)",
       R"(1:1: `macro` is a word of the language; quote it to name a tensor [reserved-word]
)"},
      {R"(if x { macro m(a) { }
 a -> b)",
       R"(1:6: the block that begins here is not closed by a `}` [syntax-error]
1:17: expected `,` or `->` after `a`, found `)`; a macro has names on both sides: `(a -> b)` [syntax-error]
  1:15: to close this `(`
)"},
  });
}

TEST(BlockErrors, wordIncludes) {
  expectReports({
      {R"(for i in 0..3 { include "x.aoa" })",
       R"(1:17: found an `include` inside a block, expected it at top level [syntax-error]
)"},
      {R"(include x.aoa)",
       R"(1:9: expected the path of a file in quotes after `include`, found `x.aoa` [syntax-error]
)"},
      {R"(include)",
       R"(1:8: expected the path of a file in quotes after `include`, found the end of the text [syntax-error]
)"},
      {R"(include "${n}.aoa")",
       R"(1:9: found `${…}` in the path of an `include`, expected a text: files are read before anything has a value [syntax-error]
)"},
      {R"(include l.${n})",
       R"(1:9: found the name `l.${n}`, expected the path of a file in quotes [syntax-error]
)"},
      {R"(include "")",
       R"(1:9: the path of an `include` is empty, expected the name of a file [syntax-error]
)"},
      {R"(include "a" "b")",
       R"(1:13: expected a new line or `;` after `"a"`, found `"b"` [syntax-error]
)"},
      {R"(include -> b)",
       R"(1:1: `include` is a word of the language; quote it to name a tensor [reserved-word]
)"},
  });
}

TEST(BlockErrors, wordAssertions) {
  expectReports({
      {R"(assert x)",
       R"(1:9: expected `,` and a text in quotes after `x`, found the end of the text [syntax-error]
)"},
      {R"(assert x, y)",
       R"(1:11: expected a text in quotes after `,`, found `y` [syntax-error]
)"},
      {R"(assert , "y")",
       R"(1:8: expected a value after `assert`, found `,` [syntax-error]
)"},
      {R"(assert x "y")",
       R"(1:10: expected `,` and a text in quotes after `x`, found `"y"` [syntax-error]
)"},
      {R"(assert x, "y)",
       R"(1:11: the string that begins here is not closed on its line [unclosed-string]
)"},
      {R"(assert x, l.${n})",
       R"(1:11: found the name `l.${n}`, expected the text of the assertion in quotes [syntax-error]
)"},
      {R"(assert x, "a", "b")",
       R"(1:14: expected a new line or `;` after `"a"`, found `,` [syntax-error]
)"},
  });
}

TEST(BlockErrors, wordListsAndElements) {
  expectReports({
      {R"((a, b) -> c)",
       R"(1:6: expected `,` or `for` after `b`, found `)`; a list says for what, `(a for i in 0..3)`, and other names need no brackets [syntax-error]
  1:1: to close this `(`
)"},
      {R"(c -> (a, b))",
       R"(1:11: expected `,` or `for` after `b`, found `)`; a list says for what, `(a for i in 0..3)`, and other names need no brackets [syntax-error]
  1:6: to close this `(`
)"},
      {R"((a, b for i in 0..3 -> c)",
       R"(1:21: expected `)` after `3`, found `->` [syntax-error]
  1:1: to close this `(`
)"},
      {R"((a b for i in 0..3) -> c)",
       R"(1:4: expected `,` or `for` after `a`, found `b` [syntax-error]
  1:1: to close this `(`
)"},
      {R"((a, for i in 0..3) -> c)",
       R"(1:5: expected a tensor name after `,`, found `for` [syntax-error]
)"},
      {R"((a for in 0..3) -> c)",
       R"(1:8: expected the name of a variable after `for`, found `in` [syntax-error]
  1:1: to close this `(`
)"},
      {R"((a for i 0..3) -> c)",
       R"(1:10: expected `in` after `i`, found `0..3` [syntax-error]
  1:1: to close this `(`
)"},
      {R"((a for i in 3) -> c)",
       R"(1:14: expected `..` after `3` in the list, found `)` [syntax-error]
  1:1: to close this `(`
)"},
      {R"((a for i in 0..3 j) -> c)",
       R"(1:18: expected `)` after `3`, found `j` [syntax-error]
  1:1: to close this `(`
)"},
      {R"((a for i in 0..3)^T -> c)",
       R"(1:18: found `^T` behind a list, expected it behind a name in the list [syntax-error]
)"},
      {R"((a for i in 0..3)[0:2] -> c)",
       R"(1:18: found `[0:2]` behind a list, expected it behind a name in the list [syntax-error]
)"},
      {R"(c -> (a for i in 0..3)?, axis=0)",
       R"(1:23: found `?` behind a list, expected it behind a name in the list [syntax-error]
)"},
      {R"(c -> (a for i in 0..3)=2)",
       R"(1:23: expected `,` or the end of the statement after `)`, found `=` [syntax-error]
)"},
      {R"(() -> c)",
       R"(1:2: expected a tensor name after `(`, found `)` [syntax-error]
)"},
      {R"((for i in 0..3) -> c)",
       R"(1:2: expected a tensor name after `(`, found `for` [syntax-error]
)"},
      {R"(a -> b, sizes=(n for i in 0..3))",
       R"(1:18: expected `,` or `)` after `n`, found `for`; lists with `for` stand among names only [syntax-error]
  1:15: to close this `(`
)"},
      {R"(a -> b, sizes=[n for i in 0..3])",
       R"(1:18: expected `,` or `]` after `n`, found `for`; lists with `for` stand among names only [syntax-error]
  1:15: to close this `[`
)"},
      {R"(%g[ -> b)",
       R"(1:5: expected a value after `[`, found `->` [syntax-error]
)"},
      {R"(%g[i -> b
c -> d)",
       R"(1:6: expected `]` or `:` after `i`, found `->` [syntax-error]
  1:3: to close this `[`
)"},
      {R"(%g[i j] -> b)",
       R"(1:6: expected `]` or `:` after `i`, found `j` [syntax-error]
  1:3: to close this `[`
)"},
      {R"(%g[] -> b)",
       R"(1:4: expected a value after `[`, found `]` [syntax-error]
)"},
      {R"(a[i] -> b)",
       R"(1:4: expected `:` after `i` in `[a:b]`, found `]`; only temporaries have elements: `%name[i]` [syntax-error]
)"},
      {R"("%g"[i] -> b)",
       R"(1:7: expected `:` after `i` in `[a:b]`, found `]`; only temporaries have elements: `%name[i]` [syntax-error]
)"},
      {R"(%g[i][j] -> b)",
       R"(1:6: a second `[i]` behind one name [syntax-error]
)"},
      {R"(%g[i][0:2] -> b)",
       R"(1:6: a second `[a:b]` behind one name [syntax-error]
)"},
      {R"(%g^T[i] -> b)",
       R"(1:5: `[i]` behind `^T`, expected `[i]^T` [syntax-error]
)"},
      {R"(%g [i] -> b)",
       R"(1:4: `[i]` stands apart, expected directly behind its name [syntax-error]
)"},
      {R"(a -> b, x=extent(%g[i, 0))",
       R"(1:22: expected an operator or `]` after `i`, found `,` [syntax-error]
  1:20: to close this `[`
)"},
      {R"(a -> b, x=extent(%g[0] 0))",
       R"(1:24: expected `,` or `)` after `]`, found `0` [syntax-error]
  1:17: to close this `(`
)"},
      {R"(a -> b, (c for i in 0..3, d
e -> f)",
       R"(1:25: expected `)` after `3`, found `,` [syntax-error]
  1:9: to close this `(`
)"},
  });
}

TEST(BlockErrors, whatFollowsThemIsParsed) {
  auto rest = [](const char *text) { return ParsedText(text).printed(); };
  EXPECT_EQ(rest("for i in 0..3 {\n a ->\n c -> d -> e\n f -> g\n}\nx y\nz -> "
                 "w"),
            "for i in 0..3 {\n  f -> g\n}\nz -> w\n");
  EXPECT_EQ(rest("if x {\n let n 3\n if y { a b; c -> d }\n e -> f\n}"),
            "if x {\n  if y {\n    c -> d\n  }\n  e -> f\n}\n");
  // A head that is broken takes its block along, not what follows.
  EXPECT_EQ(rest("for i of 0..3 {\n a -> b\n}\nc -> d"), "c -> d\n");
  EXPECT_EQ(rest("if x {\n for i in 3 {\n a -> b\n }\n c -> d\n}\ne -> f"),
            "if x {\n  c -> d\n}\ne -> f\n");
  EXPECT_EQ(rest("if x { a -> b } else y { c -> d }\ne -> f"), "e -> f\n");
  EXPECT_EQ(rest("macro m(a b) {\n a -> b\n}\nc -> d"), "c -> d\n");
  EXPECT_EQ(rest("macro m(a -> b {\n a -> b, x=[1\n}\nc -> d"), "c -> d\n");
  EXPECT_EQ(rest("fro i in 0..3 {\n a -> b\n}\nc -> d"), "c -> d\n");
  // Brackets that are left open end with the block.
  EXPECT_EQ(rest("for i in 0..3 { a -> b, x=[1 }\nc -> d"),
            "for i in 0..3 {\n}\nc -> d\n");
  EXPECT_EQ(rest("for i in (0..3 {\n a -> b\n}\nc -> d"), "c -> d\n");
  EXPECT_EQ(rest("let n = (1; a -> b"), "a -> b\n");
  EXPECT_EQ(rest("}\na -> b"), "a -> b\n");
}

TEST(BlockErrors, faultsOfWhatIsLeftOutAreReported) {
  EXPECT_EQ(ParsedText("for i of 0..3 {\n a -> b, x=1e999\n c ->\n}").reports(),
            "1:7: expected `in` after `i`, found `of` [syntax-error]\n"
            "2:12: `1e999` does not fit in a 64-bit float "
            "[number-out-of-range]\n"
            "4:1: expected a tensor name after `->`, found `}` "
            "[syntax-error]\n");
}

TEST(BlockErrors, nestingIsLimited) {
  auto many = [](const std::string &text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
      all += text;
    return all;
  };
  for (const char *head :
       {"for i in 0..3 {", "if x {", "if x { } else {", "if x {\n"}) {
    std::string deep = many(head, 256) + many("}", 256);
    EXPECT_EQ(ParsedText(deep).reports(), "") << head;
    ParsedText deeper(many(head, 257) + many("}", 257));
    ASSERT_EQ(deeper.found.list.size(), 1u) << head;
    EXPECT_EQ(deeper.found.list[0].message,
              "blocks are nested deeper than 256");
    // Without its `{` or `}`, too.
    EXPECT_NE(ParsedText(many(head, 100'000)).found.numErrors(), 0u);
  }
  for (const char *text : {"for i in 0..3\n", "if x\n", "macro m(a -> b)\n",
                           "for i in 0..3 {\n for j in 0..3\n }\n", "else\n",
                           "macro m(\n", "{", "}", "if x }", "(\n"})
    EXPECT_NE(ParsedText(many(text, 2'000)).found.numErrors(), 0u) << text;
  EXPECT_EQ(parsed("if x {\n" + many("(", 256)),
            "2:256: brackets are nested deeper than 256 [script-nesting]\n");
  EXPECT_EQ(parsed("a -> b, x=" + many("not ", 256) + "y"),
            "a -> b, x=" + many("not ", 256) + "y\n");
  EXPECT_EQ(parsed("a -> b, x=" + many("not ", 257) + "y"),
            "1:1035: `not` is nested deeper than 256 [script-nesting]\n");
  EXPECT_EQ(ParsedText("let x = [" + many("not y, ", 1000) + "z]").reports(),
            "");
  EXPECT_EQ(ParsedText("if " + many("not y and ", 400) + "not z { }").reports(),
            "");
  EXPECT_EQ(ParsedText("let x = " + many("not (", 200) + "y" + many(")", 200))
                .found.list[0]
                .kind->name,
            "script-nesting");
  std::string branches = "if x { a -> b }";
  EXPECT_EQ(
      ParsedText(branches + many(" else if y { c -> d }", 2'000)).reports(),
      "");
}

} // namespace
