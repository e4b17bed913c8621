//===- RenameTest.cpp - `$NAME`, `$$NAME`, shifts and clauses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "MatchText.h"
#include "Placeholders.h"
#include "PutInValues.h"
#include "ScriptBuilder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <set>

namespace aoa::expand::test {
namespace {

TEST(ExpandRename, PrefixOff) {
  // Applied once, to names that begin so.
  expectExpansion({"model.$$REST -> $$REST"},
                  source({"model.model.w", "model.b", "other", "mymodel.x"}),
                  {"model.b->b", "model.model.w->model.w"});
}

TEST(ExpandRename, NothingTakesItsDotWithIt) {
  expectExpansion({"layers.$$REST -> model.layers.$$REST"},
                  source({"layers", "layers.0.w", "layersx"}),
                  {"layers->model.layers", "layers.0.w->model.layers.0.w"});
  expectExpansion({"$$A.q.$$B -> $$A.p.$$B"},
                  source({"q", "q.b", "a.q", "a.b.q.c.d", "aq"}),
                  {"q->p", "q.b->p.b", "a.q->a.p", "a.b.q.c.d->a.b.p.c.d"});
  expectError({"a.$$M.b -> $$M"}, source({"a.b", "a.x.b"}),
              "ambiguous-template: `$$M` is empty for `a.b`");
}

TEST(ExpandRename, OnePieceWithoutADot) {
  expectExpansion({"h.$X.w -> $(X)_w.$X"}, source({"h.q.w", "h.q.r.w", "h..w"}),
                  {"h.q.w->q_w.q"});
  // The longest run of capitals, digits and inner `_`.
  expectExpansion({"$X_norm -> n.$X"}, source({"q_norm", "k_norm"}),
                  {"k_norm->n.k", "q_norm->n.q"});
}

TEST(ExpandRename, OneAfterTheOther) {
  expectExpansion({"$$A.attn.$$B -> $$A.self_attn.$$B", "model.$$R -> $$R",
                   "$$A.to_q.$$B -> $$A.q_proj.$$B"},
                  source({"model.l.attn.to_q.w", "model.n"}),
                  {"model.l.attn.to_q.w->model.l.self_attn.to_q.w",
                   "model.l.self_attn.to_q.w->l.self_attn.to_q.w", "model.n->n",
                   "l.self_attn.to_q.w->l.self_attn.q_proj.w"});
}

TEST(ExpandRename, SeesWhatNothingHasReadOrRemoved) {
  expectExpansion({"a.x -> y", "a.z -> _", "a.k -> k, copy", "a.$$R -> b.$$R"},
                  source({"a.x", "a.z", "a.k", "a.w"}),
                  {"a.x->y", "a.z->_", "a.k->k,copy", "a.k->b.k", "a.w->b.w"});
}

TEST(ExpandRename, SwapsReadBeforeTheyBind) {
  expectExpansion({"$A.$B -> $B.$A"}, source({"x.y", "y.x"}),
                  {"y.x->y.x_tmp", "x.y->y.x", "y.x_tmp->x.y"});
}

TEST(ExpandRename, SeveralNames) {
  expectExpansion(
      {"$$A.w1, $$A.w3 -> $$A.w13, axis=0"},
      source({"e.0.w1", "e.0.w3", "e.1.w1", "e.1.w3"}),
      {"e.0.w1,e.0.w3->e.0.w13,axis=0", "e.1.w1,e.1.w3->e.1.w13,axis=0"});
  expectError({"$$A.w1, $$A.w3 -> $$A.w13, axis=0"},
              source({"e.0.w1", "e.0.w3", "e.1.w1"}),
              "missing-instance: there is `e.1.w1` but no `e.1.w3`");
}

TEST(ExpandRename, WithIdsAndStars) {
  expectExpansion({"l.$LAYER_ID.$$R -> m.${LAYER_ID+1}.$$R"},
                  source({"l.0.a.b", "l.1.c"}),
                  {"l.0.a.b->m.1.a.b", "l.1.c->m.2.c"});
  expectExpansion({"$$A.e.*.w -> $$A.w, stack=0"},
                  source({"x.e.0.w", "x.e.1.w", "e.0.w"}),
                  {"e.0.w->w,stack=0", "x.e.0.w,x.e.1.w->x.w,stack=0"});
}

TEST(ExpandRename, TwoWays) {
  TestEnds ends = source({"a.q.q.b"});
  expectError({"$$A.q.$$B -> $$A.p.$$B"}, ends,
              "ambiguous-template: `$$A.q.$$B` fits `a.q.q.b` in two ways, "
              "`$$A` = `a`, `$$B` = `q.b` and `$$A` = `a.q`, `$$B` = `b`; the "
              "clause `$$A shortest` or `$$A longest` decides");
  expectExpansion({"$$A.q.$$B -> $$A.p.$$B, $$A shortest"}, ends,
                  {"a.q.q.b->a.p.q.b"});
  expectExpansion({"$$A.q.$$B -> $$A.p.$$B, $$A longest"}, ends,
                  {"a.q.q.b->a.q.p.b"});
  // Clauses admit one way only.
  expectExpansion({"$$A.q.$$B -> $$A.p.$$B, $$B not in {q*}"}, ends,
                  {"a.q.q.b->a.q.p.b"});
}

TEST(ExpandRename, NamesThatWouldReadAsSomethingElse) {
  Expanded expanded =
      expandTexts({"m.$$R -> $$R"}, source({"m._", "m.a*", "m.copy", "m.%x"}));
  EXPECT_EQ(expanded.reports(), Texts());
  ASSERT_EQ(expanded.script.statements.size(), 4u);
  for (const ast::Statement &statement : expanded.script.statements) {
    EXPECT_TRUE(statement.right[0].quoted) << statement.right[0].text;
    EXPECT_FALSE(statement.right[0].isDiscard());
  }
}

TEST(ExpandRename, RemovalAndOneSide) {
  expectExpansion({"$$A.inv_freq -> _"}, source({"l.0.inv_freq", "l.1.w"}),
                  {"l.0.inv_freq->_"});
  expectError({"$$A.w -> all"}, source({"l.w"}),
              "missing-placeholder: `all` lacks `$$A` of `$$A.w`, so each text "
              "would bind it anew; `*` gathers names");
  expectError({"b -> $X.w"}, source({"b"}),
              "missing-placeholder: `$X` stands on the right only: no left "
              "name says which texts there are");
}

/// All ways to fill `shape` that make `name`, by trying all texts.
std::set<std::vector<std::string>> waysOf(const NameTemplate &shape,
                                          llvm::StringRef name,
                                          const Placeholders &placeholders) {
  std::set<std::string> pieces = {""};
  for (size_t i = 0; i < name.size(); ++i)
    for (size_t j = i + 1; j <= name.size(); ++j)
      pieces.insert(name.slice(i, j).str());
  std::set<std::vector<std::string>> ways;
  std::vector<std::string> values(placeholders.size());
  auto isValue = [&](unsigned p, llvm::StringRef text) {
    return placeholders[p].isRest || (!text.empty() && !text.contains('.'));
  };
  std::function<void(unsigned)> tryAll = [&](unsigned p) {
    if (p == values.size()) {
      if (shape.fill(values) == name)
        ways.insert(values);
      return;
    }
    for (const std::string &piece : pieces)
      if (isValue(p, piece)) {
        values[p] = piece;
        tryAll(p + 1);
      }
  };
  tryAll(0);
  return ways;
}

TEST(ExpandMatchText, AgreesWithTryingAll) {
  Parameters parameters;
  InstanceScope scope(parameters);
  uint64_t numFits = 0, numSeveral = 0;
  for (const char *pattern :
       {"$$A",    "a.$$A",     "$$A.a",     "$$A.a.$$B",  "a.$$A.a",  "$$A.$$B",
        "$A.$$B", "$A$$B",     "$$A$B",     "a$$A.$$B.a", "$A.$B",    "$$A.a$B",
        "$$A.$A", "a.$$A.$$B", "$$A.$$B.a", "$$A$$B.a",   "a.$$A$$B", "$$A.$$A",
        ".$$A.",  "$$A..$$B",  "$A.$$B.$A"}) {
    ast::Name written;
    written.text = pattern;
    Placeholders placeholders;
    NameTemplate shape = parseTemplate(written, scope, placeholders);
    // All names of up to 6 characters out of `a`, `b` and `.`.
    for (unsigned length = 0; length <= 6; ++length)
      for (unsigned code = 0, end = std::pow(3, length); code < end; ++code) {
        std::string name;
        for (unsigned i = 0, rest = code; i < length; ++i, rest /= 3)
          name += "ab."[rest % 3];
        auto expected = waysOf(shape, name, placeholders);
        uint64_t steps = 1'000'000;
        TextMatch match =
            matchText(shape, name,
                      {static_cast<unsigned>(placeholders.size()),
                       [](unsigned, llvm::StringRef) { return true; }},
                      steps);
        ASSERT_EQ(static_cast<size_t>(match.ways),
                  std::min<size_t>(expected.size(), 2))
            << pattern << " " << name;
        auto isWay = [&](const Values &values) {
          return expected.contains({values.begin(), values.end()});
        };
        ASSERT_TRUE(match.ways == TextMatch::None || isWay(match.first))
            << pattern << " " << name;
        ASSERT_TRUE(match.ways != TextMatch::Several || isWay(match.second))
            << pattern << " " << name;
        numFits += match.ways != TextMatch::None;
        numSeveral += match.ways == TextMatch::Several;
      }
  }
  EXPECT_GT(numFits, 5000u);
  EXPECT_GT(numSeveral, 1000u);
}

TEST(ExpandShift, OnBothSides) {
  expectExpansion({"l.$LAYER_ID -> l.${LAYER_ID+1}"}, source({"l.0", "l.1"}),
                  {"l.1->l.1_tmp", "l.0->l.1", "l.1_tmp->l.2"});
  expectExpansion({"l.${LAYER_ID+4} -> mtp.$LAYER_ID"}, source({"l.4", "l.5"}),
                  {"l.4->mtp.0", "l.5->mtp.1"});
  expectExpansion({"l.$LAYER_ID -> l.${7-LAYER_ID}.${LAYER_ID//2}"},
                  source({"l.6", "l.7"}), {"l.6->l.1.3", "l.7->l.0.3"});
  expectExpansion({"l.${3-LAYER_ID} -> m.$LAYER_ID"}, source({"l.3", "l.2"}),
                  {"l.3->m.0", "l.2->m.1"});
  expectExpansion({"l.$LAYER_ID -> l.${LAYER_ID+1}"}, source({"l.08", "l.09"}),
                  {"l.09->l.09_tmp", "l.08->l.09", "l.09_tmp->l.10"});
}

TEST(ExpandShift, CopiesKeepNoTemporaries) {
  expectExpansion({"l.$LAYER_ID -> l.${LAYER_ID+1}, copy"},
                  source({"l.0", "l.1"}),
                  {"l.1->%l.1_tmp", "l.0->l.1,copy", "%l.1_tmp->l.2,copy"});
}

TEST(ExpandShift, BelowNothing) {
  expectError({"l.$LAYER_ID -> m.${LAYER_ID-1}"}, source({"l.0", "l.1"}),
              "negative-id: `${LAYER_ID-1}` is -1 for `l.0`, below 0");
  expectError({"l.${LAYER_ID+1} -> m.$LAYER_ID"}, source({"l.0", "l.1"}),
              "negative-id: `l.${LAYER_ID+1}` fits `l.0` for `$LAYER_ID` = -1; "
              "a clause `$LAYER_ID in 0..n` leaves it out");
  expectExpansion({"l.${LAYER_ID+1} -> m.$LAYER_ID, $LAYER_ID in 0..0"},
                  source({"l.0", "l.1"}), {"l.1->m.0"});
  expectError({"l.${LAYER_ID*2} -> m.$LAYER_ID"}, source({"l.0"}),
              "unsolvable-id: `${LAYER_ID*2}` cannot be solved for an id, and "
              "names are matched on this side: write an id plus or minus a "
              "number");
}

TEST(ExpandClause, Ranges) {
  TestEnds ends = source({"l.0", "l.1", "l.2", "l.4"});
  expectExpansion({"l.$LAYER_ID -> m.$LAYER_ID, $LAYER_ID in 1..2"}, ends,
                  {"l.1->m.1", "l.2->m.2"});
  expectError({"l.$LAYER_ID -> m.$LAYER_ID, $LAYER_ID in 1..4"}, ends,
              "missing-instance: there is no `l.3`, and the clause says "
              "`$LAYER_ID` in 1..4");
  expectExpansion({"l.$LAYER_ID -> m.$LAYER_ID, $LAYER_ID in 1..9, optional"},
                  ends, {"l.1->m.1", "l.2->m.2", "l.4->m.4"});
  expectExpansion({"l.$LAYER_ID -> m.$LAYER_ID, $LAYER_ID not in 1..3"}, ends,
                  {"l.0->m.0", "l.4->m.4"});
  expectExpansion({"l.$LAYER_ID -> m.$LAYER_ID, $LAYER_ID in {4, 1}"}, ends,
                  {"l.1->m.1", "l.4->m.4"});
  expectExpansion({"l.$LAYER_ID -> m.$LAYER_ID, $LAYER_ID in 0..4, $LAYER_ID "
                   "not in {3}"},
                  ends, {"l.0->m.0", "l.1->m.1", "l.2->m.2", "l.4->m.4"});
}

TEST(ExpandClause, Sets) {
  TestEnds ends = source({"a.q.w", "a.k.w", "a.o.w", "a.x.y"});
  expectExpansion({"a.$X.w -> b.$X, $X in {q, k, v}"}, ends,
                  {"a.k.w->b.k", "a.q.w->b.q"});
  expectExpansion({"a.$$R -> b.$$R, $$R not in {q.*, *y}"}, ends,
                  {"a.k.w->b.k.w", "a.o.w->b.o.w"});
  expectError({"a.$X.w -> b.$X, $X in {z}"}, ends,
              "unmatched-template: `a.$X.w` fits no name that the clauses "
              "admit");
}

TEST(ExpandClause, Faults) {
  TestEnds ends = source({"a.0"});
  expectError({"a.$A_ID -> b.$A_ID, $B_ID in 0..3"}, ends,
              "clause-fault: `$B_ID` stands in no name of the statement; did "
              "you mean `$A_ID`?");
  expectError({"a.$A_ID -> b.$A_ID, $A_ID in 3..2"}, ends,
              "clause-fault: the range 3..2 holds no ids");
  expectError({"a.$A_ID -> b.$A_ID, $A_ID in 0..9000000000000000000"}, ends,
              "clause-fault: the range 0..9000000000000000000 holds more than "
              "1000000 ids");
  expectError({"a.$A_ID -> b.$A_ID, $A_ID shortest"}, ends,
              "clause-fault: `$A_ID` stands for a number, which fits in one "
              "way only");
}

TEST(ExpandRename, LargeModels) {
  TestEnds ends;
  for (unsigned layer = 0; layer < 1000; ++layer)
    for (unsigned part = 0; part < 100; ++part)
      ends.source["transformer.h." + std::to_string(layer) + ".attn.part" +
                  std::to_string(part) + ".weight"] = {};
  Texts statements;
  for (int i = 0; i < 12; ++i)
    statements.push_back("$$A.step" + std::to_string(i) + ".$$B -> $$A.step" +
                         std::to_string(i + 1) + ".$$B, optional");
  statements.push_back("transformer.h.$$R -> model.layers.$$R");
  statements.push_back("$$A.attn.$$B -> $$A.self_attn.$$B");
  auto begin = std::chrono::steady_clock::now();
  Expanded expanded = expandTexts(statements, ends);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(expanded.reports(), Texts());
  EXPECT_EQ(expanded.script.statements.size(), 200'000u);
  std::printf("%.0f ms\n", seconds.count() * 1000);
  EXPECT_LT(seconds.count(), 30);
}

TEST(ExpandRename, HostileNames) {
  TestEnds ends =
      source({std::string(20'000, 'a') + "." + std::string(20'000, 'a')});
  auto begin = std::chrono::steady_clock::now();
  Expanded expanded = expandTexts(
      {"$$A$$B$$C$$A$$B$$C.$$D$$D$$E$$E.x -> $$A$$B$$C$$D$$E"}, ends);
  EXPECT_EQ(expanded.diagnostics.numErrors(), 1u);
  std::string many;
  for (int i = 0; i < 200; ++i)
    many += "$$A" + std::to_string(i);
  EXPECT_EQ(expandTexts({many + " -> " + many}, ends).diagnostics.numErrors(),
            1u);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  std::printf("%.0f ms\n", seconds.count() * 1000);
  EXPECT_LT(seconds.count(), 60);
}

} // namespace
} // namespace aoa::expand::test
