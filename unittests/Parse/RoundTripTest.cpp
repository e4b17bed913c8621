//===- RoundTripTest.cpp - Printed scripts parse to the same --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ParsedText.h"
#include "RandomScript.h"
#include "TreeOutline.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

void expectRoundTrip(std::string text, ast::Dialect dialect) {
  ParsedText first(text, dialect);
  ASSERT_EQ(first.reports(), "") << text;
  ParsedText second(first.printed(), dialect);
  ASSERT_EQ(second.reports(), "") << first.printed();
  EXPECT_EQ(outline(first.script), outline(second.script)) << text;
  EXPECT_EQ(first.printed(), second.printed());
}

TEST(RoundTrip, aoa) {
  for (const char *text : {
           "a,b->c,fused_qkv,axis=0,num_heads=8",
           "\"0.w\"^T, '_', _ -> \"let\", x.$L[0:3]^T, a=1, tag, b=2",
           "a -> b, i=-3, f=0.1, g=1e300, h=100.0, w=BF16, s='x\"y', l=[[], "
           "[1, 'q', w]]",
           "w -> _; _ -> b, shape=[2, 3], dtype=F32",
           "\"a b\" -> \"h\xC3\xA9\"",
           "%t, l.${n + 1}-${m}^T, ${a}${b}.w?, q[0:n]^T? -> $$A.$(X)w, copy, "
           "optional",
           "\"a'${len([\"}\", '${\"x\"}'])}\"^T? -> b, x='\"${n}', "
           "y=\"'${'\"'}\"",
           "a -> b, pad=[[0,47],[d, 2*n]], value=last, s=1/n, t=(1 # c\n+ 2), "
           "u=\"${x}\", v=${ a ?? 3 }, w=(\"${x}\")",
           "$X.$L_ID, $$A.w -> c, $X not in {q,k.*, 0}, x=1, $L_ID in 0..15, "
           "late, $$A shortest, $X in n..-m",
           "q[config :n], q[config:n:0] -> b, x=not a or b == 'c'",
           "%g[i], %${q}[ i+1 ]^T, %r[0]? -> (a, (b.${i}, \"c ${j}\"? for j in "
           "0 .. n-1), %u[i*j]^T for i in -1..max(m, 2)), d",
           "let n=1+2;let m = n; let s='x ${n}'\nlet l=[]",
           "for i in 0..3 { a.${i} -> b.${i} }\nfor j in n..m {\n\n}",
           "if x == 3 { } else if not y { a -> b; c -> d } else if (z) {} "
           "else "
           "{ for i in 0..1 { if x { e -> f } } }",
           "if true { a -> b }\n# c\n else { c -> d } # d",
           "assert x == 3, '\"'\nassert y, \"n ${x} '${\"}\"}'\"; assert z, ''",
           "include \"a b.aoa\"; include '\".aoa'",
           "macro m(a,b->c;d,e=1,f=[n, 'x'] ,\n g = \"${d}\") { a, b -> c, "
           "d=d\n let "
           "n=3\n for i in 0..n { assert i, \"\" } }\nx -> y, m, d=3",
           "macro m_1(a -> b, c) {}",
       })
    expectRoundTrip(text, ast::Dialect::Aoa);
}

TEST(RoundTrip, randomScripts) {
  for (uint32_t seed = 0; seed < 1500; ++seed)
    expectRoundTrip(RandomScript(seed).script(), ast::Dialect::Aoa);
}

TEST(RoundTrip, paddle) {
  for (const char *text : {
           "a,b->c,fused_qkv,axis=0,num_heads=8",
           "a^T, b^T^T, c[0:3] -> d, permute='[1,0]', dtype=\"float16\"",
           "a -> b, x='p\nq', y='\"z\"', z='${\"', w=\"${'\"",
       })
    expectRoundTrip(text, ast::Dialect::Paddle);
}

TEST(RoundTrip, bareNamesAreThoseThatTheLexerReadsWhole) {
  std::vector<std::string> names = {""};
  const std::vector<std::string> alphabet = {"a", "T", "0", ".",    "_",
                                             "$", "*", "^", "-",    "/",
                                             "%", "(", ")", "$(T)", "$(T_0)x"};
  for (size_t i = 0; names.size() < 4000; ++i)
    for (const std::string &part : alphabet)
      names.push_back(names[i] + part);
  for (ast::Dialect dialect : {ast::Dialect::Aoa, ast::Dialect::Paddle})
    for (const std::string &name : names) {
      ParsedText text(name + " -> x", dialect);
      bool isRead =
          text.reports().empty() && text.script.body.size() == 1 &&
          ast::statementsOf(text.script.body)[0]->left.size() == 1 &&
          ast::statementsOf(text.script.body)[0]->left[0].text == name;
      EXPECT_EQ(ast::isBareName(name, dialect), isRead) << name;
    }
}

} // namespace
