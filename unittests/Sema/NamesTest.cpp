//===- NamesTest.cpp - Bound, read, removed, added, listed ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SemaTest.h"

#include <chrono>

using namespace aoa;
using namespace aoa::test;

namespace {

constexpr auto paddle = ast::Dialect::Paddle;
const std::vector<Tensor> pair = {{"a", DType::F32, {4, 6}, {}},
                                  {"b", DType::F32, {4, 6}, {}}};

std::string reportOf(std::string text, Target target = {},
                     ast::Dialect dialect = ast::Dialect::Aoa) {
  return run(std::move(text), pair, target, dialect)->report();
}
std::string resultsOf(std::string text, Target target = {},
                      ast::Dialect dialect = ast::Dialect::Aoa) {
  return run(std::move(text), pair, target, dialect)->results();
}

TEST(Names, ForwardReference) {
  EXPECT_EQ(reportOf("t -> c\na -> t"),
            "unknown-name at `t`: `t` is neither bound before nor a tensor of "
            "the source: forward reference\n"
            "  note at `t`: bound here, by a later statement\n");
}

TEST(Names, UnknownNamesGetTheNearestSpelling) {
  EXPECT_EQ(run("modle.w -> x", {{"model.w", DType::F32, {2}, {}}})->report(),
            "unknown-name at `modle.w`: `modle.w` is neither bound before nor "
            "a tensor of the source; did you mean `model.w`?\n"
            "  fix at `modle.w`: `model.w`\n");
}

TEST(Names, BoundOnesComeBeforeTheSource) {
  auto analysis = run("a^T -> a\na -> c", pair);
  EXPECT_EQ(analysis->report(), "");
  EXPECT_EQ(analysis->results(), "b: F32 [4, 6]\nc: F32 [6, 4]\n");
}

TEST(Names, SwapThroughATemporary) {
  EXPECT_EQ(run("e0 -> t\ne1 -> e0\nt -> e1",
                {{"e0", DType::F32, {1}, {}}, {"e1", DType::F32, {2}, {}}})
                ->results(),
            "e0: F32 [2]\ne1: F32 [1]\n");
}

TEST(Names, LostBinding) {
  EXPECT_EQ(reportOf("a -> t\nb -> t"),
            "lost-binding at `t`: `t` is bound anew before anything read it: "
            "the first value would vanish\n"
            "  note at `t`: first bound here\n");
  EXPECT_EQ(reportOf("a -> t, t, axis=0"),
            "lost-binding at `t`: `t` is bound anew before anything read it: "
            "the first value would vanish\n"
            "  note at `t`: first bound here\n");
  EXPECT_EQ(reportOf("a -> t\nt -> x\nb -> t"), "");
  EXPECT_EQ(reportOf("a -> t\nb -> t", {}, paddle),
            "rebound-unread at `t`: `t` is bound anew before anything read "
            "it: the first value would vanish\n"
            "  note at `t`: first bound here\n");
}

TEST(Names, ReplacingAnUnreadSource) {
  auto analysis = run("a -> b", pair);
  EXPECT_EQ(analysis->report(), "unused-source at `b`: source tensor `b` is "
                                "read by nothing: its name is bound anew "
                                "here\n");
  EXPECT_EQ(analysis->results(), "b: F32 [4, 6]\n");
  EXPECT_EQ(reportOf("a -> b", {}, paddle),
            "lost-binding at `b`: `b` is bound over a tensor of the source "
            "that nothing reads: upstream keeps that one and loses this; "
            "remove it with `b -> _` if this one is meant\n");
  EXPECT_EQ(reportOf("b -> _\na -> b", {}, paddle), "");
  EXPECT_EQ(resultsOf("a -> b\nb -> _", {}, paddle), "b: F32 [4, 6]\n");
}

TEST(Names, TemporariesAreNoResults) {
  EXPECT_EQ(resultsOf("a -> %t"), "b: F32 [4, 6]\n");
  EXPECT_EQ(resultsOf("a -> \"%t\""), "%t: F32 [4, 6]\nb: F32 [4, 6]\n");
}

TEST(Names, QuotedUnderscoreIsATensor) {
  EXPECT_EQ(resultsOf("a -> \"_\""), "_: F32 [4, 6]\nb: F32 [4, 6]\n");
}

TEST(Names, UnusableResultNames) {
  EXPECT_EQ(reportOf("a -> __metadata__"),
            "unusable-name at `__metadata__`: `__metadata__` cannot be the "
            "name of a result: safetensors keeps it for the file's own "
            "metadata\n");
  std::string zero = "a -> \"x!y\"";
  zero[zero.find('!')] = '\0';
  EXPECT_NE(reportOf(zero).find("`…` cannot be the name of a result: it holds "
                                "a zero byte\n"),
            std::string::npos);
  EXPECT_EQ(reportOf("a -> \"\xff\""),
            "unusable-name at `\"\xff\"`: `…` cannot be the name of a result: "
            "it is not UTF-8\n");
}

TEST(Remove, LeavesOut) {
  EXPECT_EQ(resultsOf("a -> _"), "b: F32 [4, 6]\n");
  EXPECT_EQ(resultsOf("a, b -> _"), "");
  EXPECT_EQ(resultsOf("a -> t\nt -> _"), "b: F32 [4, 6]\n");
  EXPECT_EQ(run("a -> _", pair)->graph(), R"(graph {
  %0 = source a : F32 [4, 6]
  remove %0
  %1 = source b : F32 [4, 6]
}
result b = %1
)");
}

TEST(Remove, ContradictsUse) {
  EXPECT_EQ(reportOf("a -> c\na -> _"),
            "removed-and-used at `a`: `a` is removed, but also used\n"
            "  note at `a`: used here\n");
  EXPECT_EQ(reportOf("a -> _\na -> c"),
            "removed-and-used at `a`: `a` is used after it was removed\n"
            "  note at `a`: removed here\n");
  EXPECT_EQ(reportOf("a -> _\na -> _"),
            "removed-and-used at `a`: `a` is removed twice\n"
            "  note at `a`: removed here\n");
  EXPECT_EQ(reportOf("a -> _\nb -> a"),
            "removed-and-used at `a`: `a` is bound again after it was "
            "removed\n"
            "  note at `a`: removed here\n");
  EXPECT_EQ(reportOf("c -> _"),
            "unknown-name at `c`: `c` is neither bound before nor a tensor of "
            "the source\n");
  EXPECT_EQ(reportOf("a -> _, axis=0"),
            "unknown-attribute at `axis`: a removal takes no attributes, found "
            "`axis`\n");
}

TEST(Remove, MisplacedDiscards) {
  EXPECT_EQ(reportOf("_ -> _"), "misplaced-discard at `_ -> _`: `_ -> _` "
                                "neither removes nor declares a tensor\n");
  EXPECT_EQ(reportOf("a, _ -> c, axis=0"),
            "misplaced-discard at `_`: `_` among several left names\n");
  EXPECT_EQ(reportOf("a -> _, _, axis=0"),
            "misplaced-discard at `_`: all parts are `_`; write `a -> _`\n");
  EXPECT_EQ(reportOf("_ -> c, d"),
            "misplaced-discard at `_`: `_ ->` declares one tensor, found 2 "
            "right names\n");
  EXPECT_EQ(reportOf("_ -> _", {}, paddle), "");
}

TEST(Remove, PaddleHidesTheSourceEverywhere) {
  EXPECT_EQ(reportOf("a, b -> c, axis=0\nb -> _", {}, paddle),
            "remove-leaves-hole at `b`: `b` is removed, but results are made "
            "of it; upstream leaves their elements unset\n"
            "  note at `b`: used here\n");
  EXPECT_EQ(resultsOf("a -> _", {}, paddle), "b: F32 [4, 6]\n");
  auto bound = run("a -> t\nt -> _", pair, {}, paddle);
  EXPECT_EQ(bound->report(),
            "remove-ignored at `t`: `t` is bound by the script, and upstream "
            "removes tensors of the source only: it stays a result\n");
  EXPECT_EQ(bound->results(), "b: F32 [4, 6]\nt: F32 [4, 6]\n");
  EXPECT_EQ(reportOf("zz -> _", {}, paddle),
            "remove-ignored at `zz`: `zz` is no tensor of the source\n");
}

TEST(Add, TakesItsTypeFromTheTarget) {
  EXPECT_EQ(reportOf("_ -> c"),
            "add-without-type at `c`: nothing gives the shape and dtype of "
            "`c`: a full target does not say them\n");
  Catalog list = catalogOf({{"c", DType::F16, {3}, {}}});
  Target target{nullptr, &list};
  EXPECT_EQ(resultsOf("_ -> c\na -> _\nb -> _", target),
            "c: F16 [3] left to the caller\n");
  EXPECT_EQ(reportOf("_ -> d\na, b -> _\n_ -> c", target),
            "add-without-type at `d`: nothing gives the shape and dtype of "
            "`d`: the target does not list it\n");
  EXPECT_EQ(reportOf("_ -> c\nc -> d\na, b -> _", target),
            "unfilled-read at `c`: `c` is left to the caller, so nothing can "
            "read it\n"
            "  note at `c`: declared here\n");
  EXPECT_EQ(reportOf("_ -> c, shape=[2]"),
            "add-without-type at `shape`: `c` is filled, but no `dtype` is "
            "given\n");
}

TEST(Add, TakesItsTypeFromARule) {
  Layout layout;
  layout.rules.emplace_back();
  layout.rules[0].match = *NamePattern::parse("*");
  layout.rules[0].path = "rules[0]";
  Target target{&layout, nullptr};
  EXPECT_EQ(reportOf("_ -> c", target),
            "add-without-type at `c`: nothing gives the shape and dtype of "
            "`c`: `rules[0]` of the layout has no `dtype` and `shape`\n");
  layout.rules[0].dtype = DType::F32;
  layout.rules[0].shape = Shape{2, 2};
  EXPECT_EQ(resultsOf("_ -> c", target),
            "a: F32 [4, 6]\nb: F32 [4, 6]\nc: F32 [2, 2] left to the "
            "caller\n");
}

TEST(Add, PaddleSettlesItAtTheEnd) {
  auto ignored = run("_ -> z", pair, {}, paddle);
  EXPECT_EQ(ignored->report(), "add-ignored at `z`: `z` is declared, but the "
                               "target does not have it\n");
  EXPECT_EQ(ignored->results(), "a: F32 [4, 6]\nb: F32 [4, 6]\n");
  Catalog list = catalogOf({{"a", DType::F32, {4, 6}, {}}});
  Target target{nullptr, &list};
  EXPECT_EQ(resultsOf("_ -> a", target, paddle),
            "a: F32 [4, 6] left to the caller\n"); // Wins over identity.
  EXPECT_EQ(resultsOf("_ -> a\nb -> a", target, paddle), "a: F32 [4, 6]\n");
}

TEST(Listed, TakesWhatItLists) {
  Catalog list =
      catalogOf({{"a", DType::F32, {4, 6}, {}}, {"c", DType::F32, {4, 6}, {}}});
  Target target{nullptr, &list};
  auto analysis = run("a -> c", pair, target); // Tied weights.
  EXPECT_EQ(analysis->results(), "a: F32 [4, 6]\nc: F32 [4, 6]\n");
  EXPECT_EQ(analysis->report(), "unused-source: source tensor `b` is read by "
                                "nothing, and the target does not list it\n");
}

TEST(Listed, NamesWhatIsMissing) {
  Catalog one = catalogOf({{"aa.weight", DType::F32, {2}, {}}});
  EXPECT_EQ(
      run("", {{"ab.weight", DType::F32, {2}, {}}}, {nullptr, &one})->report(),
      "missing-tensor: `aa.weight` is listed by the target, but neither "
      "the script nor the source makes it; did you mean `ab.weight`?\n"
      "unused-source: source tensor `ab.weight` is read by nothing, and "
      "the target does not list it\n");
  Catalog many =
      catalogOf({{"x1", DType::F32, {2}, {}}, {"x2", DType::F32, {2}, {}}});
  EXPECT_EQ(reportOf("a, b -> _", {nullptr, &many}),
            "missing-tensor: 2 tensors that the target lists are made by "
            "neither the script nor the source: `x1`, `x2`\n");
  Catalog removed = catalogOf({{"a", DType::F32, {4, 6}, {}}});
  EXPECT_EQ(reportOf("a, b -> _", {nullptr, &removed}),
            "missing-tensor: `a` is listed by the target, but removed\n"
            "  note at `a`: removed here\n");
}

TEST(Listed, ComparesShapeAndDType) {
  Catalog list = catalogOf({{"c", DType::F64, {6, 4}, {}}});
  EXPECT_EQ(reportOf("b -> _\na -> c", {nullptr, &list}),
            "dtype-mismatch at `c`: `c` is F32, the target lists F64; a cast "
            "is never implied, write `dtype='float64'`\n"
            "  note: the target lists `c` as F64 [6, 4]\n"
            "shape-mismatch at `c`: `c` has shape [4, 6], the target lists [6, "
            "4]; `a^T` has that shape\n"
            "  note: the target lists `c` as F64 [6, 4]\n"
            "  fix behind `a`: `^T`\n");
  Catalog same = catalogOf({{"a", DType::F32, {6, 4}, {}}});
  EXPECT_EQ(reportOf("b -> _", {nullptr, &same}),
            "shape-mismatch: `a` has shape [4, 6], the target lists [6, 4]; "
            "the source's tensor is taken as it is; `a^T` has that shape\n"
            "  note: the target lists `a` as F32 [6, 4]\n");
}

// Tensors of a catalog's text have a place: here the target is file 1 and the
// source file 2.
TEST(Listed, PointsIntoTheCatalogs) {
  auto at = [](unsigned file, uint32_t byte) {
    return SourceRange{FileId(file), byte, byte + 3};
  };
  std::vector<Tensor> source = {{"a", DType::F32, {4, 6}, {}, {}, at(2, 10)},
                                {"b", DType::F32, {4, 6}, {}, {}, at(2, 20)},
                                {"u", DType::F32, {4, 6}, {}, {}, at(2, 30)}};
  Catalog list = catalogOf({{"a", DType::F64, {4, 6}, {}, {}, at(1, 40)},
                            {"c", DType::F32, {6, 4}, {}, {}, at(1, 50)},
                            {"x", DType::F32, {6, 4}, {}, {}, at(1, 60)},
                            {"y", DType::F32, {6, 4}, {}, {}, at(1, 70)}});
  EXPECT_EQ(run("b -> c", source, {nullptr, &list})->report(),
            "dtype-mismatch at 1:40: `a` is F32, the target lists F64; the "
            "source's tensor is taken as it is; a cast is never implied, write "
            "`dtype='float64'`\n"
            "  note at 1:40: the target lists `a` as F64 [4, 6]\n"
            "  note at 2:10: the source's tensor\n"
            "shape-mismatch at `c`: `c` has shape [4, 6], the target lists [6, "
            "4]; `b^T` has that shape\n"
            "  note at 1:50: the target lists `c` as F32 [6, 4]\n"
            "  fix behind `b`: `^T`\n"
            "missing-tensor at 1:60: 2 tensors that the target lists are made "
            "by neither the script nor the source: `x`, `y`\n"
            "unused-source at 2:30: source tensor `u` is read by nothing, and "
            "the target does not list it\n");
  Catalog one = catalogOf({{"a", DType::F32, {4, 6}, {}, {}, at(1, 40)}});
  EXPECT_EQ(run("a, b -> _", source, {nullptr, &one})->report(),
            "missing-tensor at 1:40: `a` is listed by the target, but removed\n"
            "  note at `a`: removed here\n"
            "unused-source at 2:30: source tensor `u` is read by nothing, and "
            "the target does not list it\n");
  EXPECT_EQ(run("b -> _", source, {nullptr, &one})->report(),
            "unused-source at 2:30: source tensor `u` is read by nothing, and "
            "the target does not list it\n");
  Catalog missing = catalogOf({{"x", DType::F32, {4, 6}, {}, {}, at(1, 60)}});
  EXPECT_EQ(run("", source, {nullptr, &missing})->report(),
            "missing-tensor at 1:60: `x` is listed by the target, but neither "
            "the script nor the source makes it\n"
            "unused-source at 2:10: 3 source tensors are read by nothing, and "
            "the target does not list them: `a`, `b`, `u`\n");
}

// Only what the dialect casts is proposed.
TEST(Listed, ProposesACastThatExists) {
  std::vector<Tensor> source = {{"a", DType::I32, {2}, {}}};
  auto proposes = [&](DType dtype, ast::Dialect dialect) {
    Catalog list = catalogOf({{"a", dtype, {2}, {}}});
    std::string report = run("", source, {nullptr, &list}, dialect)->report();
    EXPECT_TRUE(llvm::StringRef(report).starts_with("dtype-mismatch"));
    return llvm::StringRef(report).contains("write `dtype=");
  };
  EXPECT_FALSE(proposes(DType::F32, ast::Dialect::Aoa));
  EXPECT_TRUE(proposes(DType::F32, paddle));
  EXPECT_FALSE(proposes(DType::F64, paddle));
  EXPECT_TRUE(proposes(DType::I64, ast::Dialect::Aoa));
  EXPECT_FALSE(proposes(DType::I64, paddle));
}

TEST(Listed, WarnsOfWhatItDoesNotTake) {
  Catalog list = catalogOf({{"first.w", DType::F32, {2, 6}, {}}});
  EXPECT_EQ(reportOf("a -> first.w, second.w, axis=0\nb -> first.v",
                     {nullptr, &list}),
            "unused-part at `second.w`: part `second.w` of `a` is read by "
            "nothing, and the target does not list it\n"
            "unused-binding at `first.v`: `first.v` is read by nothing, and "
            "the target does not list it; did you mean `first.w`?\n");
}

TEST(Parts, LeftOversAreReported) {
  EXPECT_EQ(reportOf("a -> p, q, axis=0"), "");
  auto analysis = run("a -> p, q, axis=0\np -> r", pair);
  EXPECT_EQ(analysis->report(), "unused-part at `q`: part `q` of `a` is read "
                                "by nothing, so it becomes a result\n");
  EXPECT_EQ(analysis->results(),
            "b: F32 [4, 6]\nq: F32 [2, 6]\nr: F32 [2, 6]\n");
}

TEST(Expansions, AreNotes) {
  Analysis analysis;
  analysis.text = "zz^T -> c";
  analysis.script = TinyParser(analysis.text, ast::Dialect::Aoa).parse();
  ast::Statement &statement = analysis.script.statements[0];
  statement.left[0].transposed = false;
  statement.expansion =
      analysis.script.addExpansion({{}, "^T", statement.range, ""});
  analyze(analysis.script, analysis.source, {}, analysis.diagnostics);
  EXPECT_EQ(analysis.report(),
            "unknown-name at `zz`: `zz` is neither bound before nor a tensor "
            "of the source\n"
            "  note at `zz^T -> c`: in expansion of `^T`\n");
}

TEST(Speed, EightyThousandStatements) {
  std::vector<Tensor> source;
  std::string text;
  for (int i = 0; i != 40'000; ++i) {
    std::string n = std::to_string(i);
    source.push_back({"model.layers.w" + n, DType::F32, {8, 8}, {}});
    text += "model.layers.w" + n + " -> t" + n + ", permute=[1, 0]\n";
    text += "t" + n + " -> layers.g" + n + ", layers.u" + n + ", axis=0\n";
  }
  ast::Script script = TinyParser(text, ast::Dialect::Aoa).parse();
  Catalog catalog = catalogOf(std::move(source));
  DiagnosticList diagnostics;
  auto begin = std::chrono::steady_clock::now();
  ir::Program program = analyze(script, catalog, {}, diagnostics);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(program.results.size(), 80'000u);
  EXPECT_LT(took.count(), 5.0); // Quadratic would be minutes.
}

TEST(Speed, UnknownNamesStayFast) {
  std::vector<Tensor> source;
  std::string text;
  for (int i = 0; i != 20'000; ++i) {
    source.push_back(
        {"model.layers.w" + std::to_string(i), DType::F32, {8}, {}});
    text += "model.layer.v" + std::to_string(i) + " -> t" + std::to_string(i) +
            "\n";
  }
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run(text, source)->diagnostics.numErrors(), 20'000u);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 20.0);
}

} // namespace
