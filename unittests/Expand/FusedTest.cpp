//===- FusedTest.cpp - Tags, `^T` and degrees -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "ScriptBuilder.h"

#include <gtest/gtest.h>

namespace aoa::expand::test {
namespace {

constexpr ast::Dialect aoaDialect = ast::Dialect::Aoa;
constexpr ast::Dialect paddleDialect = ast::Dialect::Paddle;

const TestTensor whole = {.parts = {1, 1}};
TestTensor cut(std::vector<int64_t> parts) {
  return {.parts = std::move(parts)};
}

TEST(ExpandTags, AnywhereBehindTheNames) {
  TestEnds ends{.source = {{"g", whole}, {"u", whole}}};
  const Texts expected = {
      "g,u->g.u.tmp,axis=0",
      "g.u.tmp->fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0,axis=0",
      "fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0->f,axis=0"};
  expectExpansion({"g, u -> f, fused_ffn, axis=0"}, ends, expected);
  expectExpansion({"g, u -> f, axis=0, fused_ffn"}, ends, expected);
  expectError({"g, u -> f, axis=0, fused_ffn"}, ends,
              "misplaced-tag: the tag `fused_ffn` stands behind an attribute; "
              "in the paddle dialect it directly follows the names",
              paddleDialect);
}

TEST(ExpandTags, FirstRightWordIsAName) {
  expectExpansion({"a -> fused_ffn"}, {.source = {{"a", whole}}},
                  {"a->fused_ffn"});
}

TEST(ExpandTags, Faults) {
  TestEnds ends{.source = {{"a", whole}, {"b", whole}}};
  expectError({"a, b -> c, fused_fnn"}, ends,
              "misspelt-tag: split of `a` in 2 names without `axis`; did you "
              "mean the tag `fused_ffn` by `fused_fnn`?");
  expectError({"a, b -> c, d, axis=0"}, ends,
              "many-to-many: 2 names on the left and 2 on the right: one side "
              "must be a single name");
  expectError({"a, b -> c, fused_fnn, axis=0"}, ends,
              "many-to-many: 2 names on the left and 2 on the right: one side "
              "must be a single name; did you mean the tag `fused_ffn` by "
              "`fused_fnn`?");
  expectError({"a -> c, fused_ffn, fused_qkv"}, ends,
              "several-macros: the statement carries both `fused_ffn` and "
              "`fused_qkv`");
  expectError({"a -> c, copy, copy"}, ends,
              "repeated-word: `copy` stands twice; a tensor of that name is "
              "written in quotes");
  expectError({"a -> c, num_heads=4"}, ends,
              "macro-attribute: `num_heads` belongs to `fused_qkv` and "
              "`fused_qkv_old`, and the statement carries neither");
}

TEST(ExpandTranspose, Places) {
  TestEnds ends{.source = {{"a", whole}, {"b", whole}}};
  expectExpansion({"a^T, b, a^T -> c, axis=1"}, ends,
                  {"a->a_transpose_tmp,permute=[]",
                   "a_transpose_tmp,b,a_transpose_tmp->c,axis=1"});
  expectExpansion(
      {"a^T^T -> c", "a^T^T^T -> d"}, ends,
      {"a->c", "a->a_transpose_tmp,permute=[]", "a_transpose_tmp->d"});
  expectExpansion({"a^T -> _"}, ends, {"a->_"});
  expectError({"a -> c^T"}, ends,
              "right-transpose: `^T` on `c`, which is bound here: it belongs "
              "on a left name");
}

TEST(ExpandTranspose, TemporaryGivesWay) {
  TestEnds ends{.source = {{"a", whole}, {"a_transpose_tmp", whole}}};
  expectExpansion({"a^T -> c"}, ends,
                  {"a->a_transpose_tmp_1,permute=[]", "a_transpose_tmp_1->c"});
  Expanded paddle = expandTexts({"a^T -> c"}, ends, paddleDialect);
  EXPECT_EQ(paddle.text(), Texts({"a->a_transpose_tmp_1,permute=\"[]\"",
                                  "a_transpose_tmp_1->c"}));
  EXPECT_EQ(paddle.reports(),
            Texts{"temporary-clash: upstream's temporary `a_transpose_tmp` "
                  "would replace a tensor of that name; it is "
                  "`a_transpose_tmp_1` here"});
}

TEST(ExpandFused, PartsOfOneStatementAreApart) {
  // The parts of `q` and `q1` are both named q10 upstream.
  TestEnds ends{.source = {{"q", whole}, {"q1", whole}, {"v", whole}}};
  Expanded expanded = expandTexts(
      {"q, q1, v -> f, fused_qkv, num_heads=11, num_key_value_groups=11"},
      ends);
  ASSERT_EQ(expanded.text().size(), 4u);
  EXPECT_TRUE(
      llvm::StringRef(expanded.text()[1]).starts_with("q1->q10_1,q11,"));
}

TEST(ExpandFused, QkvSingleHeadIsARename) {
  TestEnds ends{.source = {{"f", whole}}};
  expectExpansion(
      {"f -> q, k, v, fused_qkv, num_heads=2, "
       "num_key_value_groups=1, axis=-1"},
      ends, {"f->q0,q1,k0,v0,axis=-1", "q0,q1->q,axis=-1", "k0->k", "v0->v"});
  expectExpansion({"f -> q, k, v, fused_qkv, num_heads=2, "
                   "num_key_value_groups=1"},
                  ends,
                  {"f->q0,q1,k0,v0,axis=1", "q0,q1->q,axis=1", "k0->k,axis=1",
                   "v0->v,axis=1"},
                  paddleDialect);
}

TEST(ExpandFused, QkvThrowsPartsAway) {
  expectExpansion(
      {"f -> q, _, v, fused_qkv, num_heads=2, "
       "num_key_value_groups=2, axis=0"},
      {.source = {{"f", whole}}},
      {"f->q0,_,v0,q1,_,v1,axis=0", "q0,q1->q,axis=0", "v0,v1->v,axis=0"});
}

TEST(ExpandFused, Faults) {
  TestEnds ends{.source = {{"f", whole}}};
  const std::string heads = ", num_heads=4, num_key_value_groups=2";
  for (ast::Dialect dialect : {aoaDialect, paddleDialect})
    expectError({"f -> g, fused_qkv" + heads}, ends,
                "macro-arity: `fused_qkv` is given 1 to 1 names, expected 3 to "
                "1 or 1 to 3; `f -> g` without it leaves the elements as they "
                "are",
                dialect);
  expectError({"f -> a, b, fused_qkv_old" + heads}, ends,
              "macro-arity: `fused_qkv_old` is given 1 to 2 names, expected 3 "
              "to 1, 1 to 3 or 1 to 1");
  expectError({"f -> g, fused_qkv_old, num_heads=4"}, ends,
              "macro-attribute: `fused_qkv_old` needs `num_key_value_groups`");
  expectError(
      {"f -> a, b, c, fused_qkv, num_heads=6, num_key_value_groups=4"}, ends,
      "failed-assertion: 6 heads do not divide into 4 key/value groups");
  expectError({"f -> a, b, c, fused_qkv, num_heads=0, num_key_value_groups=4"},
              ends,
              "failed-assertion: 0 heads and 4 key/value groups, expected at "
              "least 1 of each");
  expectError({"f -> a, b, c, fused_qkv, num_heads='4', "
               "num_key_value_groups=4"},
              ends,
              "macro-attribute: `num_heads` is \"4\", expected a whole number");
  expectError({"f -> g, fused_ffn, dtype=float32"}, ends,
              "macro-attribute: `dtype` cannot stand with `fused_ffn`; write "
              "it as a statement of its own");
  expectError({"f -> g, fused_ffn, axis=0, axis=1"}, ends,
              "macro-attribute: `axis` stands twice");
  expectError({"f -> _, fused_ffn"}, ends,
              "macro-arity: `fused_ffn` cannot act on `_`");
  expectError({"f -> a, b, c, fused_qkv, num_heads=9000000000000000000, "
               "num_key_value_groups=1"},
              ends,
              "too-many-statements: expansion makes more than 20000000 names");
}

/// `f -> g, fused_ffn` from degree 2 to degree 1.
const Texts fromTwoToOne = {
    "f->fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0,fused_ffn_tmp.GATE_1,"
    "fused_ffn_tmp.UP_1,axis=1",
    "fused_ffn_tmp.GATE_0,fused_ffn_tmp.GATE_1,fused_ffn_tmp.UP_0,"
    "fused_ffn_tmp.UP_1->g,axis=1"};

TEST(ExpandDegree, OfTheSource) {
  expectExpansion({"f -> g, fused_ffn"}, {.source = {{"f", cut({1, 2})}}},
                  fromTwoToOne);
}

TEST(ExpandDegree, ThroughTranspose) {
  TestEnds ends{.source = {{"f", cut({2, 1})}}};
  Texts expected = {"f->f_transpose_tmp,permute=[]",
                    "f_transpose_tmp" + fromTwoToOne[0].substr(1),
                    fromTwoToOne[1]};
  expectExpansion({"f^T -> g, fused_ffn"}, ends, expected);
  // Upstream loses the degree there.
  Expanded paddle = expandTexts({"f^T -> g, fused_ffn"}, ends, paddleDialect);
  EXPECT_EQ(paddle.text()[1], "f_transpose_tmp->fused_ffn_tmp.GATE_0,"
                              "fused_ffn_tmp.UP_0,axis=1");
}

TEST(ExpandDegree, ThroughRenamesAndPermutes) {
  TestEnds ends{.source = {{"x", cut({1, 1, 2})}}};
  Expanded expanded =
      expandTexts({"x -> y", "y -> z, permute=[2, 0, 1]",
                   "z -> f, dtype=float32", "f -> g, fused_ffn, axis=0"},
                  ends);
  EXPECT_EQ(expanded.reports(), Texts());
  ASSERT_EQ(expanded.text().size(), 5u);
  EXPECT_EQ(expanded.text()[3],
            fromTwoToOne[0].substr(0, fromTwoToOne[0].size() - 1) + "0");
}

TEST(ExpandDegree, ThroughPermutesBesideAJoinOrACut) {
  // Axis 1 of `f` is axis 0 of the merge, which joins along axis 1.
  TestEnds ends{.source = {{"a", cut({2, 1})}, {"b", cut({2, 1})}}};
  Expanded joined = expandTexts(
      {"a, b -> f, axis=1, permute=[1, 0]", "f -> g, fused_ffn"}, ends);
  EXPECT_EQ(joined.reports(), Texts());
  ASSERT_EQ(joined.text().size(), 3u);
  EXPECT_EQ(joined.text()[1], fromTwoToOne[0]);
  // The cut is along axis 0 of the permuted tensor, axis 1 of `x`.
  Expanded parts =
      expandTexts({"x -> f, y, permute=[1, 0], axis=0", "f -> g, fused_ffn"},
                  {.source = {{"x", cut({2, 1})}}});
  EXPECT_EQ(parts.reports(), Texts());
  ASSERT_EQ(parts.text().size(), 3u);
  EXPECT_EQ(parts.text()[1], fromTwoToOne[0]);
  // Forward, the same two.
  Expanded target =
      expandTexts({"g, u -> t, fused_ffn", "t, x -> h, axis=0, permute=[1, 0]"},
                  {.source = {{"g", whole}, {"u", whole}, {"x", whole}},
                   .target = {{"h", cut({2, 1})}}});
  EXPECT_EQ(target.reports(), Texts());
  EXPECT_EQ(target.text()[2],
            "fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0,fused_ffn_tmp.GATE_1,"
            "fused_ffn_tmp.UP_1->t,axis=1");
  Expanded cutting =
      expandTexts({"g, u -> t, fused_ffn", "t -> h, i, permute=[1, 0], axis=1"},
                  {.source = {{"g", whole}, {"u", whole}},
                   .target = {{"h", cut({2, 1})}, {"i", cut({2, 1})}}});
  EXPECT_EQ(cutting.reports(), Texts());
  EXPECT_EQ(cutting.text()[2], target.text()[2]);
}

TEST(ExpandDegree, ForwardThroughTransposeToTheTarget) {
  TestEnds ends{.source = {{"g", whole}, {"u", whole}},
                .target = {{"h", cut({2, 1})}}};
  Expanded expanded = expandTexts({"g, u -> t, fused_ffn", "t^T -> h"}, ends);
  EXPECT_EQ(expanded.reports(), Texts());
  EXPECT_EQ(expanded.text()[2],
            "fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0,fused_ffn_tmp.GATE_1,"
            "fused_ffn_tmp.UP_1->t,axis=1");
}

TEST(ExpandDegree, ForwardThroughAMergeAlongAnotherAxis) {
  TestEnds ends{.source = {{"g", whole}, {"u", whole}, {"x", whole}},
                .target = {{"h", cut({1, 2})}}};
  Expanded expanded =
      expandTexts({"g, u -> t, fused_ffn", "t, x -> h, axis=0"}, ends);
  EXPECT_EQ(expanded.reports(), Texts());
  EXPECT_EQ(expanded.text()[1],
            "g.u.tmp->fused_ffn_tmp.GATE_0,fused_ffn_tmp.GATE_1,"
            "fused_ffn_tmp.UP_0,fused_ffn_tmp.UP_1,axis=1");
  expectError({"g, u -> t, fused_ffn", "t, x -> h, axis=-1"}, ends,
              "unclear-degree: in how many parts `t` is cut cannot be told: "
              "`h` is cut in 2 parts along the axis of a merge or split "
              "between them");
}

TEST(ExpandDegree, BackThroughAMerge) {
  Texts statements = {"a, b -> f, axis=1", "f -> g, fused_ffn"};
  Expanded expanded =
      expandTexts(statements, {.source = {{"a", whole}, {"b", whole}}});
  EXPECT_EQ(expanded.reports(), Texts());
  expectError(statements, {.source = {{"a", whole}, {"b", cut({1, 2})}}},
              "unclear-degree: in how many parts `f` is cut cannot be told: "
              "`b` is cut in 2 parts along the axis of a merge or split "
              "between them");
}

TEST(ExpandDegree, BindingsCountNotNames) {
  // The second `f` is the first one's result, which is cut nowhere.
  TestEnds ends{.source = {{"f", cut({1, 2})}}};
  Expanded expanded =
      expandTexts({"f -> f, fused_ffn", "f -> g, fused_ffn"}, ends);
  EXPECT_EQ(expanded.reports(), Texts());
  EXPECT_EQ(expanded.text()[2],
            "f->fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0,axis=1");
}

TEST(ExpandDegree, UnsuitableCuts) {
  expectError({"f -> g, fused_ffn"}, {.source = {{"f", cut({2, 1})}}},
              "unsuitable-cut: `f` is cut in 2 parts along axis 0, but "
              "`fused_ffn` works along its axis 1");
  expectError({"f -> g, fused_ffn"},
              {.source = {{"f", {.parts = {1, 2}, .sizes = {{4}, {3, 1}}}}}},
              "unsuitable-cut: `f` is cut in parts of [3, 1] along axis 1, but "
              "`fused_ffn` needs equal parts");
  const std::string old = "f -> f, fused_qkv_old, num_heads=";
  TestEnds four{.source = {{"f", whole}}, .target = {{"f", cut({1, 4})}}};
  expectError({old + "4, num_key_value_groups=2"}, four,
              "failed-assertion: `f` is cut in 4 parts along axis 1, more than "
              "its 2 key/value groups, which upstream does not replicate",
              paddleDialect);
  TestEnds six{.source = {{"f", whole}}, .target = {{"f", cut({1, 6})}}};
  expectError(
      {old + "12, num_key_value_groups=4"}, six,
      "failed-assertion: `f` is cut in 6 parts along axis 1, which is no "
      "multiple of its 4 key/value groups, so ranks cannot have a copy "
      "of one each");
  for (ast::Dialect dialect : {aoaDialect, paddleDialect}) {
    expectError(
        {old + "6, num_key_value_groups=6"}, four,
        "failed-assertion: `f` is cut in 4 parts along axis 1, which is "
        "not on boundaries of its 6 heads",
        dialect);
    expectError(
        {old + "12, num_key_value_groups=6"}, four,
        "failed-assertion: `f` is cut in 4 parts along axis 1, which is "
        "not on boundaries of its 6 key/value groups",
        dialect);
  }
}

TEST(ExpandFused, FewerGroupsThanRanks) {
  const std::string heads = ", fused_qkv_old, num_heads=4, "
                            "num_key_value_groups=2";
  TestEnds written{.source = {{"q", whole}, {"k", whole}, {"v", whole}},
                   .target = {{"f", cut({1, 4})}}};
  const std::string t = "fused_qkv_old_tmp.";
  const std::string written4 = t + "Q_0," + t + "K_0," + t + "V_0," + t +
                               "Q_1," + t + "K_0," + t + "V_0," + t + "Q_2," +
                               t + "K_1," + t + "V_1," + t + "Q_3," + t +
                               "K_1," + t + "V_1";
  Texts made = expandTexts({"q, k, v -> f" + heads}, written).text();
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[2], written4 + "->f,axis=1");

  TestEnds read{.source = {{"f", cut({1, 4})}}};
  expectExpansion({"f -> q, k, _" + heads}, read,
                  {"f->" + t + "Q_0," + t + "K_0_copy_0,_," + t + "Q_1," + t +
                       "K_0_copy_1,_," + t + "Q_2," + t + "K_1_copy_0,_," + t +
                       "Q_3," + t + "K_1_copy_1,_,axis=1",
                   t + "K_0_copy_0," + t + "K_0_copy_1->" + t +
                       "K_0,tie=verify,states=copy",
                   t + "K_1_copy_0," + t + "K_1_copy_1->" + t +
                       "K_1,tie=verify,states=copy",
                   t + "Q_0," + t + "Q_1," + t + "Q_2," + t + "Q_3->q,axis=1",
                   t + "K_0," + t + "K_1->k,axis=1"});

  TestEnds both{.source = {{"f", cut({1, 4})}}, .target = {{"g", cut({1, 2})}}};
  made = expandTexts({"f -> g" + heads}, both).text();
  ASSERT_EQ(made.size(), 6u);
  EXPECT_EQ(made[5], t + "Q_0," + t + "Q_1," + t + "K_0," + t + "V_0," + t +
                         "Q_2," + t + "Q_3," + t + "K_1," + t +
                         "V_1->g,axis=1");
}

TEST(ExpandDegree, BehindOtherAxes) {
  expectError({"f -> g, fused_ffn", "g -> c, reshape=[4,4]"},
              {.source = {{"f", whole}}, .target = {{"c", cut({1, 2})}}},
              "unclear-degree: in how many parts `g` is cut cannot be told: "
              "`c` is cut in 2 parts, and `reshape` lies between them");
  expectError({"f -> x, rearrange=\"a b -> b a\"", "x -> g, fused_ffn"},
              {.source = {{"f", cut({1, 2})}}},
              "unclear-degree: in how many parts `x` is cut cannot be told: "
              "`f` is cut in 2 parts, and `rearrange` lies between them");
  expectExpansion({"f -> g, fused_ffn", "g -> c, reshape=[4,4]"},
                  {.source = {{"f", whole}}},
                  {"f->fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0,axis=1",
                   "fused_ffn_tmp.GATE_0,fused_ffn_tmp.UP_0->g,axis=1",
                   "g->c,reshape=[4,4]"});
  // A tie is no merge along an axis.
  EXPECT_EQ(expandTexts({"a, b -> t, tie=first", "t -> g, fused_ffn, axis=0"},
                        {.source = {{"a", cut({2, 1})}, {"b", cut({2, 1})}}})
                .reports(),
            Texts());
}

TEST(ExpandTranspose, OfACopy) {
  expectExpansion({"a^T -> b, c, copy, dtype=BF16"}, {.source = {{"a", whole}}},
                  {"a->b,c,copy,permute=[],dtype=BF16"});
}

TEST(ExpandDegree, TwoTargetsDisagree) {
  TestEnds ends{.source = {{"g", whole}, {"u", whole}},
                .target = {{"a", cut({1, 2})}, {"b", cut({1, 4})}}};
  expectError({"g, u -> t, fused_ffn", "t -> a", "t -> b"}, ends,
              "unclear-degree: `t` goes to `a`, arranged for 2 ranks, and to "
              "`b`, for 4");
}

TEST(ExpandDegree, Segments) {
  TestTensor segmented = {.parts = {1, 4}, .segmented = true};
  for (ast::Dialect dialect : {aoaDialect, paddleDialect})
    expectError(
        {"g, u -> f, fused_ffn"},
        {.source = {{"g", whole}, {"u", whole}}, .target = {{"f", segmented}}},
        "segments-and-macro: `segments` of the layout and `fused_ffn` "
        "both arrange `f` for 4 ranks along axis 1: drop `fused_ffn` "
        "and keep the tensor in its natural order, or drop `segments`",
        dialect);
}

TEST(ExpandDegree, PaddleCountsAllAxes) {
  expectExpansion({"f -> g, fused_ffn"}, {.source = {{"f", cut({2, 1})}}},
                  fromTwoToOne, paddleDialect);
}

} // namespace
} // namespace aoa::expand::test
