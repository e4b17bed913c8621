//===- FormatScriptTest.cpp - Canonical text, stable ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"

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

TEST(FormatScript, keepsPaddleStatementsOnTheirLine) {
  std::string longName(150, 'a');
  EXPECT_EQ(formatted(longName + "->b,permute = '[1,0]'\n\n\nc->d,x='p\nq'",
                      ast::Dialect::Paddle),
            longName + " -> b, permute='[1,0]'\n\nc -> d, x='p\nq'\n");
}

TEST(FormatScript, refusesSyntaxErrors) {
  EXPECT_EQ(formatted("a -> b\nc ->"), "refused");
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
  uint32_t state = 7;
  int numValid = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::string text = "a -> b";
    for (int i = 0; i < 12; ++i) {
      state = state * 1664525 + 1013904223;
      text += parts[(state >> 16) % parts.size()];
    }
    numValid += formatted(text) != "refused";
  }
  EXPECT_GT(numValid, 200);
}

} // namespace
