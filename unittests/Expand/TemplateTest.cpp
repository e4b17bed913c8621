//===- TemplateTest.cpp - Placeholders, arrays and stars --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "ScriptBuilder.h"

#include <gtest/gtest.h>

namespace aoa::expand::test {
namespace {

TestEnds listing(const Texts &sourceNames, const Texts &targetNames) {
  TestEnds ends = source(sourceNames);
  ends.targetLists = true;
  for (const std::string &name : targetNames)
    ends.target[name] = {};
  return ends;
}

TEST(ExpandTemplate, IdsInNumericOrder) {
  expectExpansion({"l.$LAYER_ID.w -> m.$LAYER_ID.w"},
                  source({"l.10.w", "l.8.w", "l.9.w", "l.x.w", "l.9.w_x"}),
                  {"l.8.w->m.8.w", "l.9.w->m.9.w", "l.10.w->m.10.w"});
}

TEST(ExpandTemplate, CombinationsThatExist) {
  expectExpansion({"l.$LAYER_ID.e.$EXPERT_ID.w -> o.$EXPERT_ID.$LAYER_ID"},
                  source({"l.0.e.0.w", "l.1.e.0.w", "l.1.e.1.w"}),
                  {"l.0.e.0.w->o.0.0", "l.1.e.0.w->o.0.1", "l.1.e.1.w->o.1.1"});
}

TEST(ExpandTemplate, AnyPlaceholderInCapitals) {
  expectExpansion({"b.$BLOCK_ID.w$Y_ID_x -> c.$BLOCK_ID.$Y_ID"},
                  source({"b.2.w3_x"}), {"b.2.w3_x->c.2.3"});
}

TEST(ExpandTemplate, LiteralDigitsBeside) {
  expectExpansion({"w1$N_ID -> x$N_ID"}, source({"w12", "w13", "w22", "w1"}),
                  {"w12->x2", "w13->x3"});
}

TEST(ExpandTemplate, SeesNamesBoundSoFar) {
  expectExpansion(
      {"l.$LAYER_ID.q -> t.$LAYER_ID.q", "t.$LAYER_ID.q -> u.$LAYER_ID.q"},
      source({"l.0.q", "l.1.q"}),
      {"l.0.q->t.0.q", "l.1.q->t.1.q", "t.0.q->u.0.q", "t.1.q->u.1.q"});
}

TEST(ExpandTemplate, PaddleSeesTheSourceOnly) {
  Expanded expanded = expandTexts(
      {"l.$LAYER_ID.q -> t.$LAYER_ID.q", "t.$LAYER_ID.q -> u.$LAYER_ID.q"},
      source({"l.0.q"}), ast::Dialect::Paddle);
  EXPECT_EQ(expanded.text(), Texts{"l.0.q->t.0.q"});
  ASSERT_EQ(expanded.diagnostics.list.size(), 1u);
  EXPECT_EQ(expanded.diagnostics.list[0].kind, &diag::TemplateWithoutMatch);
}

TEST(ExpandTemplate, DoesNotSeeRemovedNames) {
  expectExpansion({"l.1.w -> _", "l.$LAYER_ID.w -> m.$LAYER_ID.w"},
                  source({"l.0.w", "l.1.w"}), {"l.1.w->_", "l.0.w->m.0.w"});
}

TEST(ExpandTemplate, RemovesByTemplate) {
  expectExpansion({"l.$LAYER_ID.w -> _"}, source({"l.0.w", "l.1.w"}),
                  {"l.0.w->_", "l.1.w->_"});
}

TEST(ExpandTemplate, AddsByTemplateOverTheTarget) {
  expectExpansion({"_ -> l.$LAYER_ID.w"},
                  listing({"l.5.w"}, {"l.0.w", "l.1.w", "x"}),
                  {"_->l.0.w", "_->l.1.w"});
  expectError({"_ -> l.$LAYER_ID.w"}, source({"l.5.w"}),
              "unmatched-template: `l.$LAYER_ID.w` takes its ids from the "
              "names that the target lists, and this target lists none");
}

TEST(ExpandTemplate, KeepsTheSpelling) {
  expectExpansion(
      {"l.$LAYER_ID.a, l.$LAYER_ID.b -> m.$LAYER_ID.c, axis=0"},
      source({"l.09.a", "l.09.b", "l.10.a", "l.10.b"}),
      {"l.09.a,l.09.b->m.09.c,axis=0", "l.10.a,l.10.b->m.10.c,axis=0"});
}

TEST(ExpandTemplate, TwoSpellingsOfOneId) {
  expectError({"l.$LAYER_ID.w -> m.$LAYER_ID.w"}, source({"l.01.w", "l.1.w"}),
              "id-spelling: id 1 of `$LAYER_ID` is spelt in two ways: "
              "`l.01.w` and `l.1.w`");
  expectError({"a.$LAYER_ID, b.$LAYER_ID -> m.$LAYER_ID, axis=0"},
              source({"a.01", "b.1"}),
              "id-spelling: id 1 of `$LAYER_ID` is spelt in two ways: `a.01` "
              "and `b.1`");
}

TEST(ExpandTemplate, LeftNamesHaveTheSameIds) {
  expectError({"a.$LAYER_ID, b.$LAYER_ID -> c.$LAYER_ID, axis=0"},
              source({"a.0", "a.1", "b.0"}),
              "missing-instance: there is `a.1` but no `b.1`");
  expectError({"a.$LAYER_ID, b.$LAYER_ID -> c.$LAYER_ID, axis=0"},
              source({"a.0", "b.0", "b.1"}),
              "missing-instance: there is `b.1` but no `a.1`");
  expectError({"a.$LAYER_ID, b.$LAYER_ID -> c.$LAYER_ID, axis=0"},
              source({"a.0"}), "missing-instance: there is `a.0` but no `b.0`");
}

TEST(ExpandTemplate, LeftNameOfTheOuterIdOnly) {
  expectExpansion(
      {"e.$LAYER_ID.$EXPERT_ID, s.$LAYER_ID, all -> "
       "o.$LAYER_ID.$EXPERT_ID, axis=0"},
      source({"e.0.0", "e.0.1", "s.0", "all"}),
      {"e.0.0,s.0,all->o.0.0,axis=0", "e.0.1,s.0,all->o.0.1,axis=0"});
  expectError({"e.$LAYER_ID.$EXPERT_ID, s.$LAYER_ID -> "
               "o.$LAYER_ID.$EXPERT_ID, axis=0"},
              source({"e.0.0", "s.0", "s.1"}),
              "missing-instance: there is `s.1` but no `e.1.$EXPERT_ID`");
}

TEST(ExpandTemplate, PlaceholderOnOneSide) {
  expectError({"l.$LAYER_ID.w -> all"}, source({"l.0.w"}),
              "missing-placeholder: `all` lacks `$LAYER_ID` of "
              "`l.$LAYER_ID.w`, so each id would bind it anew; `*` gathers "
              "names");
  expectError({"a -> l.$LAYER_ID.w"}, source({"a", "l.0.w"}),
              "missing-placeholder: `$LAYER_ID` stands on the right only: no "
              "left name says which ids there are");
  expectError({"a.$A_ID, b.$B_ID -> c.$A_ID.$B_ID, axis=0"},
              source({"a.0", "b.0"}),
              "missing-placeholder: no left name has all placeholders: "
              "`a.$A_ID` lacks `$B_ID`, so nothing says which ids go together");
}

TEST(ExpandTemplate, MatchesNothing) {
  expectError({"model.layers.$LAYER_ID.q -> m.$LAYER_ID.q"},
              source({"model.layer.0.q", "model.layer.1.q"}),
              "unmatched-template: `model.layers.$LAYER_ID.q` fits no name; "
              "the nearest is `model.layer.0.q`");
}

TEST(ExpandTemplate, Gap) {
  Expanded expanded = expandTexts({"l.$LAYER_ID.w -> m.$LAYER_ID.w"},
                                  source({"l.0.w", "l.1.w", "l.3.w", "l.6.w"}));
  EXPECT_EQ(expanded.reports(),
            Texts{"id-gap: `l.2.w` is missing (and 2 more) between `l.1.w` and "
                  "`l.3.w`"});
  EXPECT_EQ(expanded.text().size(), 4u);
}

TEST(ExpandTemplate, GapOfAnExpertInOneLayer) {
  Expanded expanded = expandTexts(
      {"l.$LAYER_ID.e.$EXPERT_ID -> m.$LAYER_ID.$EXPERT_ID"},
      source({"l.4.e.0", "l.4.e.1", "l.4.e.2", "l.5.e.0", "l.5.e.2"}));
  EXPECT_EQ(expanded.reports(),
            Texts{"id-gap: `l.5.e.1` is missing between `l.5.e.0` and "
                  "`l.5.e.2`"});
}

TEST(ExpandTemplate, QuotedNamesAreLiteral) {
  expectExpansion({"\"l.$LAYER_ID.w\" -> \"a.*\"", "x -> \"fused_ffn\""},
                  source({"l.$LAYER_ID.w", "x"}),
                  {"l.$LAYER_ID.w->a.*", "x->fused_ffn"});
}

TEST(ExpandTemplate, OffsetIsOneLessOnTheRight) {
  expectExpansion(
      {"b.$LAYER_ID_OFFSET.e.$EXPERT_ID -> c.$LAYER_ID_OFFSET.$EXPERT_ID"},
      source({"b.1.e.0", "b.1.e.1", "b.2.e.0"}),
      {"b.1.e.0->c.0.0", "b.1.e.1->c.0.1", "b.2.e.0->c.1.0"});
  expectError({"b.$LAYER_ID_OFFSET.w -> c.$LAYER_ID_OFFSET.w"},
              source({"b.0.w"}),
              "negative-id: `$LAYER_ID_OFFSET` is one less on the right, and "
              "`b.0.w` has id 0");
}

TEST(ExpandTemplate, ReadsAllBeforeItBindsAny) {
  // Instance 2 binds l.1, which instance 1 has read by then.
  expectExpansion({"l.$LAYER_ID_OFFSET -> l.$LAYER_ID_OFFSET"},
                  source({"l.1", "l.2"}), {"l.1->l.0", "l.2->l.1"});
  expectExpansion(
      {"w.$A_ID.$B_ID^T -> w.$B_ID.$A_ID"},
      source({"w.0.1", "w.1.0", "w.1.1", "w.1.0_tmp"}),
      {"w.1.0->w.1.0_tmp_1", "w.0.1->w.0.1_transpose_tmp,permute=[]",
       "w.0.1_transpose_tmp->w.1.0",
       "w.1.0_tmp_1->w.1.0_tmp_1_transpose_tmp,permute=[]",
       "w.1.0_tmp_1_transpose_tmp->w.0.1",
       "w.1.1->w.1.1_transpose_tmp,permute=[]", "w.1.1_transpose_tmp->w.1.1"});
}

TEST(ExpandTemplate, ChainAndRanges) {
  Expanded expanded = expandTexts({"l.$LAYER_ID.e.$EXPERT_ID^T -> m.$LAYER_ID."
                                   "$EXPERT_ID"},
                                  source({"l.3.e.7"}));
  ASSERT_EQ(expanded.script.statements.size(), 2u);
  const ast::Statement &permute = expanded.script.statements[0];
  EXPECT_EQ(permute.range.begin, 0u);
  EXPECT_EQ(permute.left[0].range.begin, 0u);
  std::vector<Note> notes =
      ast::expansionNotes(expanded.script, permute.expansion);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].message, "in expansion of `^T`");
  EXPECT_EQ(notes[1].message,
            "in expansion of `$LAYER_ID` ($LAYER_ID = 3, $EXPERT_ID = 7)");
  EXPECT_EQ(expanded.script.numWritten, 1u);
}

TEST(ExpandArray, UnderscoreAndNumber) {
  expectExpansion(
      {"p[2:4]^T, \"q-r\"[0:1] -> w, axis=0", "w -> x[9:11], axis=0"},
      source({"p_2", "p_3", "q-r_0"}),
      {"p_2->p_2_transpose_tmp,permute=[]", "p_3->p_3_transpose_tmp,permute=[]",
       "p_2_transpose_tmp,p_3_transpose_tmp,q-r_0->w,axis=0",
       "w->x_9,x_10,axis=0"});
}

TEST(ExpandArray, OfATemplate) {
  expectExpansion({"p.$LAYER_ID[0:2] -> o.$LAYER_ID, axis=0"},
                  source({"p.0_0", "p.0_1", "p.1_0", "p.1_1"}),
                  {"p.0_0,p.0_1->o.0,axis=0", "p.1_0,p.1_1->o.1,axis=0"});
  expectError({"p.$LAYER_ID[0:2] -> o.$LAYER_ID, axis=0"},
              source({"p.0_0", "p.0_1", "p.1_0"}),
              "missing-instance: there is `p.1_0` but no `p.1_1`");
}

TEST(ExpandArray, Empty) {
  expectError({"p[2:2] -> w"}, source({}),
              "empty-array: `[2:2]` stands for no names");
  expectError({"p.$LAYER_ID[3:1] -> w.$LAYER_ID"}, source({"p.0"}),
              "empty-array: `[3:1]` stands for no names");
}

TEST(ExpandStar, LeftWithTranspose) {
  expectExpansion({"e.*.w^T -> all, axis=0"}, source({"e.1.w", "e.0.w"}),
                  {"e.0.w->e.0.w_transpose_tmp,permute=[]",
                   "e.1.w->e.1.w_transpose_tmp,permute=[]",
                   "e.0.w_transpose_tmp,e.1.w_transpose_tmp->all,axis=0"});
}

TEST(ExpandStar, InATemplate) {
  expectExpansion({"l.$LAYER_ID.e.*.w -> l.$LAYER_ID.all, axis=0"},
                  source({"l.0.e.0.w", "l.0.e.1.w", "l.1.e.0.w", "l.1.e.1.w"}),
                  {"l.0.e.0.w,l.0.e.1.w->l.0.all,axis=0",
                   "l.1.e.0.w,l.1.e.1.w->l.1.all,axis=0"});
}

TEST(ExpandStar, OfBoundNames) {
  expectExpansion({"a -> t.0, t.1, axis=0", "t.* -> b, axis=1"}, source({"a"}),
                  {"a->t.0,t.1,axis=0", "t.0,t.1->b,axis=1"});
}

TEST(ExpandStar, OnTheRightListedNames) {
  expectExpansion({"a -> e.*.w, axis=0"},
                  listing({"a", "e.0.w"}, {"e.0.w", "e.1.w", "e.2.w"}),
                  {"a->e.0.w,e.1.w,e.2.w,axis=0"});
  expectExpansion({"a -> e.*.w, axis=0"}, source({"a", "e.0.w", "e.1.w"}),
                  {"a->e.0.w,e.1.w,axis=0"});
}

TEST(ExpandStar, Errors) {
  expectError({"expert.*.w -> all, axis=0"}, source({"experts.0.w"}),
              "star-without-match: `expert.*.w` fits no name; the nearest is "
              "`experts.0.w`");
  expectError({"e.*.* -> all, axis=0"}, source({"e.0.0"}),
              "several-stars: `e.*.*` has more than one `*`");
  expectError({"e.* -> all, axis=0"}, source({"e.1", "e.01"}),
              "id-spelling: number 1 at the `*` is spelt in two ways: `e.01` "
              "and `e.1`");
  Expanded expanded =
      expandTexts({"e.*.w -> all, axis=0"}, source({"e.0.w", "e.2.w"}));
  EXPECT_EQ(expanded.reports(),
            Texts{"id-gap: `e.1.w` is missing between `e.0.w` and `e.2.w`"});
}

TEST(ExpandLimit, Statements) {
  TestEnds ends = source({"l.0", "l.1", "l.2", "l.3"});
  ends.maxStatements = 4;
  EXPECT_EQ(expandTexts({"l.$LAYER_ID -> m.$LAYER_ID"}, ends).reports(),
            Texts());
  ends.maxStatements = 3;
  EXPECT_EQ(expandTexts({"l.$LAYER_ID -> m.$LAYER_ID"}, ends).reports(),
            Texts{"too-many-statements: expansion makes more than 3 "
                  "statements"});
  EXPECT_EQ(expandTexts({"p[0:9000000000000] -> w, axis=0"}, ends).reports(),
            Texts{"too-many-statements: expansion makes more than 20000000 "
                  "names"});
}

} // namespace
} // namespace aoa::expand::test
