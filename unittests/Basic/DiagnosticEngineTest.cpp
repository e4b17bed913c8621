//===- DiagnosticEngineTest.cpp - What is shown -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/DiagnosticEngine.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

constexpr DiagnosticKind overlap{"overlapping-pieces", Severity::Error, ""};
constexpr DiagnosticKind implicitAxis{"implicit-axis", Severity::Warning, ""};
constexpr DiagnosticKind unusedSource{"unused-source", Severity::Warning, ""};

class DiagnosticEngineTest : public testing::Test {
protected:
  std::string shown(DiagnosticOptions options = {},
                    const std::vector<Diagnostic> &reports = {}) {
    DiagnosticEngine engine(sources, options);
    for (const Diagnostic &report : reports)
      engine.report(report);
    return flush(engine);
  }
  static std::string flush(DiagnosticEngine &engine) {
    std::string text;
    llvm::raw_string_ostream os(text);
    engine.flush(os);
    return text;
  }
  /// The range of `part` in the text of `file`.
  SourceRange find(FileId file, llvm::StringRef part) const {
    size_t at = sources.text(file).find(part);
    return {file, static_cast<uint32_t>(at),
            static_cast<uint32_t>(at + part.size())};
  }
  SourceManager sources;
};

TEST_F(DiagnosticEngineTest, showsLineUnderlineLabelAndNotes) {
  FileId file =
      sources.add("convert.aoa", "a -> b\n  q, k -> qkv, fused_qkv\n");
  EXPECT_EQ(
      shown({}, {{&overlap,
                  find(file, "qkv"),
                  "pieces overlap in `layers.0.qkv.weight`",
                  {{find(file, "qkv"), "element [4096, 0] is written twice"},
                   {find(file, "a -> b"), "first by this statement"},
                   {{}, "and by the layout"}}}}),
      "convert.aoa:2:11: error: pieces overlap in `layers.0.qkv.weight` "
      "[overlapping-pieces]\n"
      "    2 |   q, k -> qkv, fused_qkv\n"
      "      |           ^~~ element [4096, 0] is written twice\n"
      "convert.aoa:1:1: note: first by this statement\n"
      "aoac: note: and by the layout\n");
}

TEST_F(DiagnosticEngineTest, showsHowAFileIsIncluded) {
  FileId main = sources.add("main.aoa", "\ninclude \"a.aoa\"\n");
  FileId a = sources.add("a.aoa", "include \"b.aoa\"\n");
  FileId b = sources.add("b.aoa", "q -> k\n");
  sources.setIncludedFrom(a, find(main, "include \"a.aoa\""));
  sources.setIncludedFrom(b, find(a, "include \"b.aoa\""));
  const Diagnostic fault{&overlap, find(b, "k"), "pieces overlap"};
  const std::string head = "b.aoa:1:6: error: pieces overlap "
                           "[overlapping-pieces]\n"
                           "    1 | q -> k\n"
                           "      |      ^\n";
  EXPECT_EQ(shown({}, {fault}), head +
                                    "a.aoa:1:1: note: included from here\n"
                                    "main.aoa:2:1: note: included from here\n");
  // A note that is there already says more.
  Diagnostic told = fault;
  told.notes = {{find(a, "include \"b.aoa\""), "a comes before b"}};
  EXPECT_EQ(shown({}, {told}), head +
                                   "a.aoa:1:1: note: a comes before b\n"
                                   "main.aoa:2:1: note: included from here\n");
  // Of a file that is not included nothing is said.
  EXPECT_EQ(shown({}, {{&overlap, find(main, "a"), "pieces overlap"}})
                .find("included from"),
            std::string::npos);
}

TEST_F(DiagnosticEngineTest, showsFaultsWithoutPlaceUnderTheProgramsName) {
  EXPECT_EQ(shown({}, {{&overlap, {}, "pieces overlap"}}),
            "aoac: error: pieces overlap [overlapping-pieces]\n");
}

TEST_F(DiagnosticEngineTest, showsJsonPath) {
  FileId file = sources.add("layout.json", "{\"shrad\": 1}\n");
  EXPECT_EQ(shown({}, {{.kind = &overlap,
                        .range = find(file, "\"shrad\""),
                        .message = "unknown field `shrad`",
                        .jsonPath = "rules[2].shrad"}}),
            "layout.json:1:2: error: unknown field `shrad` (at rules[2].shrad) "
            "[overlapping-pieces]\n"
            "    1 | {\"shrad\": 1}\n"
            "      |  ^~~~~~~\n");
}

TEST_F(DiagnosticEngineTest, alignsBehindTabsAndWideCharacters) {
  FileId file = sources.add("t.aoa", "\ta\t\"h\xC3\xA9\xE6\xBC\xA2\" -> b\n");
  EXPECT_EQ(shown({}, {{&overlap, find(file, "b"), "x"}}),
            "t.aoa:1:16: error: x [overlapping-pieces]\n"
            "    1 |         a       \"h\xC3\xA9\xE6\xBC\xA2\" -> b\n"
            "      |                           ^\n");
}

TEST_F(DiagnosticEngineTest, showsControlCharactersAsCodes) {
  FileId file = sources.add("t\x1B.aoa", "a \x1B[2J \xFF -> b\n");
  EXPECT_EQ(shown({}, {{&overlap, find(file, "->"), "found `\x1B[2J\n`"}}),
            "t<1B>.aoa:1:10: error: found `<1B>[2J<0A>` [overlapping-pieces]\n"
            "    1 | a <1B>[2J <FF> -> b\n"
            "      |                ^~\n");
}

TEST_F(DiagnosticEngineTest, underlinesUpToTheEndOfTheFirstLine) {
  FileId file = sources.add("t.aoa", "a,\nb -> c\n");
  EXPECT_EQ(shown({}, {{&overlap, {file, 0, 9}, "x"}}),
            "t.aoa:1:1: error: x [overlapping-pieces]\n"
            "    1 | a,\n"
            "      | ^~\n");
  EXPECT_EQ(shown({}, {{&overlap, {file, 10, 10}, "at the end"}}),
            "t.aoa:3:1: error: at the end [overlapping-pieces]\n"
            "    3 |\n"
            "      | ^\n");
}

TEST_F(DiagnosticEngineTest, clipsLongLinesAroundTheRange) {
  std::string text =
      std::string(1'000'000, 'x') + "!" + std::string(900'000, 'y');
  FileId file = sources.add("t.aoa", text);
  EXPECT_EQ(shown({}, {{&overlap, find(file, "!"), "x"}}),
            "t.aoa:1:1000001: error: x [overlapping-pieces]\n"
            "    1 | ..." +
                std::string(40, 'x') + "!" + std::string(79, 'y') +
                "...\n"
                "      |    " +
                std::string(40, ' ') + "^\n");
}

TEST_F(DiagnosticEngineTest, mergesWhatOneFaultCausesManyTimes) {
  FileId file = sources.add("t.aoa", "l.$LAYER_ID.q -> b\n");
  std::vector<Diagnostic> reports(
      11'712, {&overlap, find(file, "l.$LAYER_ID.q"), "unknown name `l.0.q`"});
  reports[1].message = "unknown name `l.1.q`";
  EXPECT_EQ(shown({}, reports),
            "t.aoa:1:1: error: unknown name `l.0.q` [overlapping-pieces]\n"
            "    1 | l.$LAYER_ID.q -> b\n"
            "      | ^~~~~~~~~~~~~\n"
            "t.aoa:1:1: note: and 11,711 more like it\n");
}

TEST_F(DiagnosticEngineTest, countsInstancesOfATemplate) {
  FileId file = sources.add("t.aoa", "l.$LAYER_ID.q -> b, cut\nx -> y\n");
  auto instance = [&](const char *id, llvm::StringRef site = "l.$LAYER_ID.q") {
    return Diagnostic{&overlap,
                      find(file, "b"),
                      "x",
                      {{find(file, "cut"), "in expansion of `cut`", true},
                       {find(file, site), id, true},
                       {find(file, "b"), std::string("not ") + id}}};
  };
  // Two faults of a kind in one instance; another template, or another kind, is
  // another fault.
  Diagnostic other = instance("id 0");
  other.kind = &implicitAxis;
  EXPECT_EQ(shown({}, {instance("id 0"), instance("id 0"), instance("id 1"),
                       instance("id 1"), instance("id 2"), other,
                       instance("id 0", "x -> y"), instance("id 1", "x -> y")}),
            "t.aoa:1:18: error: x [overlapping-pieces]\n"
            "    1 | l.$LAYER_ID.q -> b, cut\n"
            "      |                  ^\n"
            "t.aoa:1:21: note: in expansion of `cut`\n"
            "t.aoa:1:1: note: id 0\n"
            "t.aoa:1:18: note: not id 0\n"
            "t.aoa:1:18: note: and in 2 more instances\n"
            "t.aoa:1:18: warning: x [implicit-axis]\n"
            "    1 | l.$LAYER_ID.q -> b, cut\n"
            "      |                  ^\n"
            "t.aoa:1:21: note: in expansion of `cut`\n"
            "t.aoa:1:1: note: id 0\n"
            "t.aoa:1:18: note: not id 0\n"
            "t.aoa:1:18: error: x [overlapping-pieces]\n"
            "    1 | l.$LAYER_ID.q -> b, cut\n"
            "      |                  ^\n"
            "t.aoa:1:21: note: in expansion of `cut`\n"
            "t.aoa:2:1: note: id 0\n"
            "t.aoa:1:18: note: not id 0\n"
            "t.aoa:1:18: note: and in 1 more instance\n");
}

TEST_F(DiagnosticEngineTest, keepsDifferentFaultsApart) {
  FileId file = sources.add("t.json", "[1]\n");
  SourceRange range = find(file, "[1]");
  std::string text = shown(
      {},
      {{&overlap, {}, "one"},
       {&overlap, {}, "two"},
       {.kind = &overlap, .range = range, .message = "three", .jsonPath = "a"},
       {.kind = &overlap, .range = range, .message = "four", .jsonPath = "b"},
       {&implicitAxis, range, "five"}});
  for (const char *word : {"one", "two", "three", "four", "five"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
  EXPECT_EQ(text.find("more like it"), std::string::npos);
}

TEST_F(DiagnosticEngineTest, countsEveryReportAsAnError) {
  FileId file = sources.add("t.aoa", "a -> b\n");
  DiagnosticEngine engine(sources, {});
  engine.report({&overlap, find(file, "a"), "x"});
  EXPECT_EQ(engine.numErrors(), 1u);
  EXPECT_NE(flush(engine), "");
  // A later stage that meets the same fault again must see that it failed, and
  // what has been printed takes no more counts.
  engine.report({&overlap, find(file, "a"), "x"});
  EXPECT_EQ(engine.numErrors(), 2u);
  EXPECT_NE(flush(engine), "");
  EXPECT_EQ(flush(engine), "");
}

TEST_F(DiagnosticEngineTest, showsTwentyErrorsAndCountsTheRest) {
  FileId file = sources.add("t.aoa", std::string(100, '\n'));
  std::vector<Diagnostic> reports;
  for (uint32_t i = 0; i < 57; ++i)
    reports.push_back({&overlap, {file, i, i}, "x"});
  std::string text = shown({}, reports);
  EXPECT_NE(text.find("t.aoa:20:1: error"), std::string::npos);
  EXPECT_EQ(text.find("t.aoa:21:1: error"), std::string::npos);
  EXPECT_TRUE(llvm::StringRef(text).ends_with(
      "aoac: error: 37 more errors are not shown\n"));
  text = shown({.errorLimit = 0}, reports);
  EXPECT_NE(text.find("t.aoa:57:1: error"), std::string::npos);
  EXPECT_EQ(text.find("not shown"), std::string::npos);
}

TEST_F(DiagnosticEngineTest, flagsDecideAboutWarnings) {
  const DiagnosticKind *kinds[] = {&implicitAxis, &unusedSource, &overlap};
  // Flags as on the command line, without their `-W`; `!` is --strict.
  auto severity = [&](const DiagnosticKind &kind,
                      std::vector<std::string> flags) {
    DiagnosticOptions options;
    for (const std::string &flag : flags)
      if (flag == "!")
        options.warnings.makeStrict();
      else if (flag == "error")
        options.warnings.makeAllErrors();
      else
        EXPECT_TRUE(options.warnings.add(flag, kinds));
    DiagnosticEngine engine(sources, options);
    engine.report({&kind, {}, "x"});
    return engine.numErrors() ? 'E' : engine.numWarnings() ? 'W' : '-';
  };
  EXPECT_EQ(severity(implicitAxis, {}), 'W');
  EXPECT_EQ(severity(implicitAxis, {"!"}), 'W');
  EXPECT_EQ(severity(implicitAxis, {"error"}), 'E');
  EXPECT_EQ(severity(implicitAxis, {"no-implicit-axis"}), '-');
  EXPECT_EQ(severity(implicitAxis, {"error", "no-implicit-axis"}), '-');
  EXPECT_EQ(severity(implicitAxis, {"no-implicit-axis", "implicit-axis"}), 'W');
  EXPECT_EQ(severity(implicitAxis, {"error=implicit-axis"}), 'E');
  EXPECT_EQ(severity(implicitAxis, {"error", "no-error=implicit-axis"}), 'W');
  EXPECT_EQ(severity(implicitAxis, {"error=unused-source"}), 'W');
  EXPECT_EQ(severity(unusedSource, {"!"}), 'E');
  EXPECT_EQ(severity(unusedSource, {"!", "no-error=unused-source"}), 'W');
  EXPECT_EQ(severity(overlap, {"error"}), 'E');

  WarningFlags flags;
  EXPECT_EQ(flags.add("no-implicit-axes", kinds).error().str(),
            "there is no warning `implicit-axes`; did you mean "
            "`implicit-axis`?");
  EXPECT_EQ(flags.add("overlapping-pieces", kinds).error().str(),
            "`overlapping-pieces` is always an error, no warning");
}

TEST_F(DiagnosticEngineTest, showsFixIts) {
  FileId file = sources.add("t.aoa", "a, b -> c\n");
  Diagnostic diagnostic{&implicitAxis, find(file, "->"), "x"};
  diagnostic.fixIts = {{{file, 9, 9}, ", axis=0"}, {{file, 0, 1}, "A"}};
  EXPECT_EQ(shown({}, {diagnostic}), "t.aoa:1:6: warning: x [implicit-axis]\n"
                                     "    1 | a, b -> c\n"
                                     "      |      ^~\n"
                                     "t.aoa:1:10: fix: insert `, axis=0`\n"
                                     "t.aoa:1:1: fix: replace `a` by `A`\n");
}

TEST_F(DiagnosticEngineTest, colorsOnlyWhenAsked) {
  FileId file = sources.add("t.aoa", "a -> b\n");
  std::vector<Diagnostic> reports = {{&overlap, find(file, "a"), "x"}};
  EXPECT_EQ(shown({}, reports).find('\033'), std::string::npos);
  EXPECT_NE(shown({.color = true}, reports).find("\033[1;31merror: "),
            std::string::npos);
}

TEST_F(DiagnosticEngineTest, pointsIntoTheJsonOfAScript) {
  FileId json = sources.add("s.json", R"(["a -> b"])");
  FileId script = sources.add("s.json", "a -> b\n");
  sources.mapRange(script, 0, 6, {json, 2, 8});
  EXPECT_EQ(shown({}, {{&overlap, {script, 5, 6}, "x"}}),
            "s.json:1:8: error: x [overlapping-pieces]\n"
            "    1 | [\"a -> b\"]\n"
            "      |        ^\n");
}

} // namespace
