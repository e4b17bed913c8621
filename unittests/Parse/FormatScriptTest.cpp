//===- FormatScriptTest.cpp - Canonical text, stable ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"
#include "RandomScript.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

/// Formats twice: the second time must change nothing.
std::string formatted(std::string text,
                      ast::Dialect dialect = ast::Dialect::Aoa) {
  ParsedText first(std::move(text), dialect);
  auto once = formatScript(first.sources, first.file, dialect, first.found);
  if (!once)
    return "refused";
  ParsedText second(*once, dialect);
  auto twice = formatScript(second.sources, second.file, dialect, second.found);
  EXPECT_EQ(twice, once);
  EXPECT_EQ(first.printed(), second.printed());
  return *once;
}

TEST(FormatScript, putsOneStatementOnALine) {
  EXPECT_EQ(formatted("a ,b->c,axis = 0 ,permute=[ 1,0 ];q[ 0:2 ]^T->d"),
            "a, b -> c, axis=0, permute=[1, 0]\nq[0:2]^T -> d\n");
  EXPECT_EQ(formatted("a, b -> c, axis=0C -> D"),
            "a, b -> c, axis=0\nC -> D\n");
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted("\n\n;\n"), "");
}

TEST(FormatScript, joinsWhatFitsOnALine) {
  EXPECT_EQ(formatted("a,\n  b\n  ->\n\n  c"), "a, b -> c\n");
}

TEST(FormatScript, keepsQuotesAndSpellings) {
  EXPECT_EQ(formatted("'a' -> \"b\", dtype='f', x=\"g\", n=007, f=1e5, s=+1"),
            "'a' -> \"b\", dtype='f', x=\"g\", n=007, f=1e5, s=+1\n");
}

TEST(FormatScript, keepsCommentsAndAtMostOneBlankLine) {
  EXPECT_EQ(formatted("\n\n# head  \r\n\n\n\na -> b;   # one\n# two\n\n  # "
                      "three\nc -> d# four\n\n\n# end\n\n"),
            "# head\n\na -> b # one\n# two\n\n# three\nc -> d # four\n\n# "
            "end\n");
  EXPECT_EQ(formatted("; # alone\na -> b"), "# alone\na -> b\n");
  EXPECT_EQ(formatted("a -> b; c -> d # last"), "a -> b\nc -> d # last\n");
}

TEST(FormatScript, breaksLongStatementsBeforeArrowAndBehindCommas) {
  std::string q = "model.layers.$LAYER_ID.self_attn.q_proj.weight";
  std::string k = "model.layers.$LAYER_ID.self_attn.k_proj.weight";
  std::string v = "model.layers.$LAYER_ID.self_attn.v_proj.weight";
  std::string qkv = "decoder.layers.$LAYER_ID.self_attention.linear_qkv.weight";
  EXPECT_EQ(formatted(q + ", " + k + " -> " + qkv + ", axis=0"),
            q + ", " + k + "\n  -> " + qkv + ", axis=0\n");
  EXPECT_EQ(formatted(q + ", " + k + ", " + v + "\n  -> " + qkv +
                      ", fused_qkv, axis=0, num_heads=32"),
            q + ", " + k + ",\n  " + v + "\n  -> " + qkv +
                ", fused_qkv, axis=0, num_heads=32\n");
}

TEST(FormatScript, breaksBehindCommentsWithinAStatement) {
  EXPECT_EQ(formatted("a, # one\n# two\n b # three\n -> c, permute=[1, # four\n"
                      "0], # five\n axis=0 # six\nd -> e"),
            "a, # one\n  # two\n  b # three\n  -> c, permute=[1, 0], # four\n"
            "  # five\n  axis=0 # six\nd -> e\n");
  EXPECT_EQ(formatted("a -> b, p=[1, # one\n# two\n0] # three\nd -> e"),
            "a -> b, p=[1, 0] # one\n# two\n# three\nd -> e\n");
}

TEST(FormatScript, keepsExpressionsAndPutsClausesInForm) {
  EXPECT_EQ(formatted("l.${ n+1 }.w ? -> b"), "refused");
  EXPECT_EQ(formatted("l.${ n+1 }.w?,q[ 0 : n ]^T?->b ,x=( 1 + 2*n ) ,y=[ a,b "
                      "],z=\"${ n }\", f=max( a,b )"),
            "l.${n+1}.w?, q[0:n]^T? -> b, x=(1 + 2*n), y=[a, b], z=\"${n}\", "
            "f=max(a, b)\n");
  EXPECT_EQ(formatted("$X.$$R->b, $X  not  in{ q ,k.* }, $$R   shortest, $L_ID "
                      "in 0 .. 15"),
            "$X.$$R -> b, $X not in {q, k.*}, $$R shortest, $L_ID in 0..15\n");
  EXPECT_EQ(formatted("$X -> b, $X in {q, # one\n # two\n k}, axis=(1\n+2)"),
            "$X\n  -> b, $X in {q, k}, # one\n  # two\n  axis=(1 + 2)\n");
  EXPECT_EQ(formatted("q[config :n] -> b"), "q[config :n] -> b\n");
}

TEST(FormatScript, indentsBlocks) {
  EXPECT_EQ(
      formatted("for i in 0 .. 3{a->b;c  ->d}\nif(x){\n\n\n a->b }else if "
                "not y{}else{if z { c->d }}"),
      "for i in 0..3 {\n  a -> b\n  c -> d\n}\nif (x) {\n  a -> b\n} else "
      "if not y {\n} else {\n  if z {\n    c -> d\n  }\n}\n");
  EXPECT_EQ(formatted("let n=3;let  m = n+1\nassert n==m,'x ${ n }'\ninclude"
                      "\"x.aoa\""),
            "let n = 3\nlet m = n+1\nassert n==m, 'x ${n}'\ninclude "
            "\"x.aoa\"\n");
  EXPECT_EQ(formatted("macro  m (a ,b->c;d , e = [ 1,2 ]){a,b->c,axis=d}"),
            "macro m(a, b -> c; d, e=[1, 2]) {\n  a, b -> c, axis=d\n}\n");
  EXPECT_EQ(formatted("( %g[ i ],(%${q}[i+1 ] ^T for j in 0 .. n), b for i in "
                      "-1..2 )->c"),
            "refused");
  EXPECT_EQ(formatted("( %g[ i ],(%${q}[i+1 ]^T? for j in 0 .. n), b for i in "
                      "-1..2 )->c, x=extent( %g[ 0 ],0 )"),
            "(%g[i], (%${q}[i+1]^T? for j in 0..n), b for i in -1..2) -> c, "
            "x=extent(%g[0], 0)\n");
}

TEST(FormatScript, keepsOneBlankLineBetweenTheItemsOfABlock) {
  EXPECT_EQ(
      formatted("for i in 0..3 {\n\n  # a\n\n\n  a -> b\n\n  c -> d\n\n\n"
                "  # e\n\n}\n\n\na -> b"),
      "for i in 0..3 {\n  # a\n\n  a -> b\n\n  c -> d\n\n  # e\n}\n\na -> "
      "b\n");
}

TEST(FormatScript, keepsCommentsAroundBraces) {
  EXPECT_EQ(
      formatted("if x { # behind\n # own\n a -> b } # end\n # other\n else "
                "{ # else\n}# last"),
      "if x { # behind\n  # own\n  a -> b\n} # end\n# other\nelse { # "
      "else\n} # last\n");
  EXPECT_EQ(
      formatted("if x {\n a -> b # b\n # before\n} else if y {\n # only\n}"),
      "if x {\n  a -> b # b\n  # before\n} else if y {\n  # only\n}\n");
  EXPECT_EQ(formatted("for i in 0..(n # n\n + 1) { # one\n # two\n a -> b\n}"),
            "for i in 0..(n + 1) { # n\n  # one\n  # two\n  a -> b\n}\n");
}

TEST(FormatScript, keepsCommentsInHeadsAndLists) {
  EXPECT_EQ(
      formatted("macro m( # open\n a, # a\n b # b\n -> c; # c\n # own\n d=1 # "
                "d\n) { # e\n a -> b }"),
      "macro m(a, # open\n    # a\n    b # b\n    -> c; # c\n    # own\n    "
      "d=1) { # d\n  # e\n  a -> b\n}\n");
  EXPECT_EQ(
      formatted("for i in 0..3 {\n (a, # a\n %b[i] # b\n for j in 0..1) -> c\n"
                " assert x, # x\n 'y'\n}"),
      "for i in 0..3 {\n  (a, %b[i] for j in 0..1) # a\n    # b\n    -> c\n  "
      "assert x, # x\n    'y'\n}\n");
}

TEST(FormatScript, breaksLongLinesInBlocks) {
  std::string longName(60, 'n');
  EXPECT_EQ(formatted("if x { " + longName + "," + longName + "->" + longName +
                      " }\nmacro m(" + longName + ", " + "b" + longName +
                      " -> a" + longName + "; x" + longName + ") { }"),
            "if x {\n  " + longName + ",\n    " + longName + "\n    -> " +
                longName + "\n}\nmacro m(" + longName + ",\n    b" + longName +
                "\n    -> a" + longName + ";\n    x" + longName + ") {\n}\n");
  // The width counts from the indent.
  std::string name(54, 'n');
  EXPECT_EQ(formatted(name + "x -> " + name + "yzzzzzz"),
            name + "x -> " + name + "yzzzzzz\n");
  EXPECT_EQ(formatted("if x { " + name + "x -> " + name + "yzzzzzz }"),
            "if x {\n  " + name + "x\n    -> " + name + "yzzzzzz\n}\n");
}

TEST(FormatScript, keepsPaddleStatementsOnTheirLine) {
  std::string longName(150, 'a');
  EXPECT_EQ(formatted(longName + "->b,permute = '[1,0]'\n\n\nc->d,x='p\nq'",
                      ast::Dialect::Paddle),
            longName + " -> b, permute='[1,0]'\n\nc -> d, x='p\nq'\n");
}

TEST(FormatScript, refusesSyntaxErrors) {
  EXPECT_EQ(formatted("a -> b\nc ->"), "refused");
}

/// Formats random scripts; returns how many had no error.
int numFormatted(std::string begin, const std::vector<std::string> &parts,
                 int numRounds) {
  uint32_t state = 7;
  int numValid = 0;
  for (int round = 0; round < numRounds; ++round) {
    std::string text = begin;
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525 + 1013904223;
      text += parts[(state >> 16) % parts.size()];
    }
    numValid += formatted(text) != "refused";
  }
  return numValid;
}

TEST(FormatScript, isStableOnRandomBlocks) {
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    std::string text = RandomScript(seed).script();
    std::string once = formatted(text);
    ASSERT_NE(once, "refused") << text << "\n" << ParsedText(text).reports();
    EXPECT_EQ(llvm::StringRef(once).count('#'),
              llvm::StringRef(text).count('#'))
        << text;
  }
}

TEST(FormatScript, isStableOnRandomScripts) {
  const std::vector<std::string> parts = {"a",
                                          "b.c",
                                          "->",
                                          "-> d",
                                          ",",
                                          ", e",
                                          "\n",
                                          "\n\n",
                                          "# x",
                                          "# y\n",
                                          ";",
                                          "=0",
                                          "=[1,",
                                          "0]",
                                          " ",
                                          ", k=[1, # z\n 2]",
                                          ", $X in {q,",
                                          "k }",
                                          "${ n + # w\n",
                                          " m }",
                                          "?",
                                          "\"s ${",
                                          "1}\"",
                                          std::string(40, 'n')};
  EXPECT_GT(numFormatted("a -> b", parts, 40'000), 200);
}

} // namespace
