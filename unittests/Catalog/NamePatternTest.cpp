//===- NamePatternTest.cpp - Patterns over tensor names ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/NamePattern.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

using namespace aoa;

namespace {

NamePattern patternOf(std::string_view text) {
  auto pattern = NamePattern::parse(text);
  EXPECT_TRUE(pattern.has_value()) << text << ": " << pattern.error().str();
  return pattern ? std::move(*pattern) : NamePattern();
}

bool fits(std::string_view pattern, std::string_view name) {
  bool matches = patternOf(pattern).matches(name);
  EXPECT_EQ(patternOf(pattern).match(name).has_value(), matches);
  return matches;
}

std::string errorOf(std::string_view text) {
  auto pattern = NamePattern::parse(text);
  return pattern ? "no error" : pattern.error().str();
}

TEST(NamePattern, FitsWholeNames) {
  EXPECT_TRUE(fits("a.b", "a.b"));
  EXPECT_FALSE(fits("a.b", "a.bc"));
  EXPECT_FALSE(fits("a.b", "xa.b"));
  EXPECT_FALSE(fits("a.b", "axb"));
  EXPECT_FALSE(fits("a", ""));
  EXPECT_FALSE(fits("a[b]+", "ab"));
  EXPECT_TRUE(fits("a[b]+", "a[b]+"));
}

TEST(NamePattern, RunsTakeAnythingDotsToo) {
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("*", "a.b.c"));
  EXPECT_TRUE(fits("layers.*.w", "layers.0.mlp.w"));
  EXPECT_FALSE(fits("layers.*.w", "layers.w"));
  EXPECT_TRUE(fits("layers.*w", "layers.w"));
  EXPECT_TRUE(fits("*a*b", "xxaxbxab"));
  EXPECT_FALSE(fits("*a*b", "xxaxbxa"));
  EXPECT_TRUE(fits("a**b", "ab"));
  EXPECT_TRUE(fits("*.w", "a.w.w"));
}

TEST(NamePattern, QuestionMarkTakesOneCharacter) {
  EXPECT_TRUE(fits("w?", "w1"));
  EXPECT_FALSE(fits("w?", "w"));
  EXPECT_FALSE(fits("w?", "w12"));
  EXPECT_TRUE(fits("w?x", "w\u00e9x"));
  EXPECT_TRUE(fits("?*", "ab"));
  EXPECT_FALSE(fits("?*", ""));
}

TEST(NamePattern, AlternativesArePatterns) {
  EXPECT_TRUE(fits("w{1,3}", "w1"));
  EXPECT_TRUE(fits("w{1,3}", "w3"));
  EXPECT_FALSE(fits("w{1,3}", "w2"));
  EXPECT_FALSE(fits("w{1,3}", "w13"));
  EXPECT_TRUE(fits("*.experts.*.w{1,3}", "l.0.experts.12.w3"));
  EXPECT_TRUE(fits("{a,ab}c", "abc"));
  EXPECT_TRUE(fits("{ab,a}bc", "abc"));
  EXPECT_TRUE(fits("x{a*,?b}.c", "xazz.c"));
  EXPECT_TRUE(fits("x{a*,?b}.c", "xzb.c"));
  EXPECT_FALSE(fits("x{a*,?b}.c", "xzbb.c"));
  EXPECT_TRUE(fits("a{,.b}.c", "a.c"));
  EXPECT_TRUE(fits("a{,.b}.c", "a.b.c"));
  EXPECT_TRUE(fits("{a,b}{c,d}", "bc"));
  EXPECT_FALSE(fits("{a,b}{c,d}", "cb"));
}

TEST(NamePattern, RangesCompareAsNumbers) {
  for (int i = 0; i <= 20; ++i)
    EXPECT_EQ(fits("layers.{0..15}.w", "layers." + std::to_string(i) + ".w"),
              i <= 15);
  EXPECT_TRUE(fits("l{7..7}", "l007"));
  EXPECT_FALSE(fits("l{0..9}", "l"));
  EXPECT_FALSE(fits("l{0..9}", "lx"));
  EXPECT_FALSE(fits("l{0..9}*", "l12"));
  EXPECT_FALSE(fits("*{1..3}", "l12"));
  EXPECT_TRUE(fits("*{10..12}", "l12"));
  EXPECT_TRUE(fits("w1{2..3}", "w12"));
  EXPECT_FALSE(fits("l{0..9}", "l99999999999999999999999999"));
  EXPECT_TRUE(fits("l{0..9}", "l00000000000000000000000000009"));
  EXPECT_FALSE(fits("l{0..9}", "l-1"));
}

TEST(NamePattern, Captures) {
  auto captures = patternOf("layers.{i}.{rest*}").match("layers.012.mlp.w");
  ASSERT_TRUE(captures.has_value());
  EXPECT_EQ(captures->numbers.at("i"), 12);
  EXPECT_EQ(captures->texts.at("rest"), "mlp.w");
  EXPECT_FALSE(patternOf("layers.{i}.*").match("layers.x.w").has_value());
  EXPECT_FALSE(patternOf("l.{i}").match("l.99999999999999999999").has_value());

  auto two = patternOf("*{i}.experts.{j}.*").match("layers.3.experts.17.w1");
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->numbers.at("i"), 3);
  EXPECT_EQ(two->numbers.at("j"), 17);
  EXPECT_EQ(patternOf("*{i}.experts.{j}.*").numberCaptures(),
            (std::vector<std::string>{"i", "j"}));

  // Leftmost, shortest first.
  auto shortest = patternOf("{a*}.{b*}").match("x.y.z");
  EXPECT_EQ(shortest->texts.at("a"), "x");
  EXPECT_EQ(shortest->texts.at("b"), "y.z");
  // What a way that failed caught is not left over.
  auto retried = patternOf("{a*}.{i}").match("x.1.y.2");
  EXPECT_EQ(retried->texts.at("a"), "x.1.y");
  EXPECT_EQ(retried->numbers.at("i"), 2);
}

TEST(NamePattern, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errorOf(""), "pattern is empty at byte 0");
  EXPECT_EQ(errorOf("a{b"), "`{` without `}` at byte 1");
  EXPECT_EQ(errorOf("ab}"), "`}` without `{` at byte 2");
  EXPECT_EQ(errorOf("{a,{b}}"), "`{` inside `{ }` at byte 3");
  EXPECT_EQ(errorOf("a{3..1}"), "range `{3..1}` is empty at byte 1");
  EXPECT_EQ(errorOf("{1..x}"),
            "range `{1..x}` wants two whole numbers at byte 0");
  EXPECT_EQ(errorOf("{-1..3}"),
            "range `{-1..3}` wants two whole numbers at byte 0");
  EXPECT_EQ(errorOf("{0..99999999999999999999}"),
            "range `{0..99999999999999999999}` is beyond 64 bits at byte 0");
  EXPECT_EQ(errorOf("{0..3,7}"),
            "range `0..3` among alternatives; write it alone in braces at "
            "byte 0");
  EXPECT_EQ(errorOf("{i}.{i}"), "`i` is captured twice, again at byte 4");
  for (std::string_view text : {"{}", "{*}", "{1}", "{a.b}", "{a b}", "{a**}"})
    EXPECT_NE(errorOf(text).find("no list of alternatives"), std::string::npos)
        << text;
  EXPECT_EQ(errorOf(std::string(5000, 'a')),
            "pattern has 5000 bytes, more than 4096");
}

/// Compares with plain backtracking on all short patterns and names.
TEST(NamePattern, AgreesWithTheDefinition) {
  std::function<bool(std::string_view, std::string_view)> define =
      [&](std::string_view pattern, std::string_view name) -> bool {
    if (pattern.empty())
      return name.empty();
    if (pattern.starts_with("{a,ab}"))
      return (name.starts_with("a") &&
              define(pattern.substr(6), name.substr(1))) ||
             (name.starts_with("ab") &&
              define(pattern.substr(6), name.substr(2)));
    if (pattern[0] == '*')
      return define(pattern.substr(1), name) ||
             (!name.empty() && define(pattern, name.substr(1)));
    return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
           define(pattern.substr(1), name.substr(1));
  };
  std::vector<std::string> tokens = {"a", "b", "*", "?", "{a,ab}"};
  std::vector<std::string> patterns = {""}, names = {""};
  for (size_t i = 0; i < patterns.size() && patterns.size() < 4000; ++i)
    for (const std::string &token : tokens)
      patterns.push_back(patterns[i] + token);
  for (size_t i = 0; i < names.size() && names.size() < 127; ++i)
    for (const char *c : {"a", "b"})
      names.push_back(names[i] + c);
  for (const std::string &text : patterns) {
    if (text.empty())
      continue;
    NamePattern pattern = patternOf(text);
    for (const std::string &name : names)
      ASSERT_EQ(pattern.matches(name), define(text, name))
          << text << " on " << name;
  }
}

TEST(NamePattern, NeverExplodes) {
  auto begin = std::chrono::steady_clock::now();
  std::string stars, groups;
  for (int i = 0; i < 600; ++i)
    stars += "*a";
  for (int i = 0; i < 500; ++i)
    groups += "{a,aa}";
  std::string name(1000, 'a');
  EXPECT_FALSE(patternOf(stars + "b").matches(name));
  EXPECT_FALSE(patternOf(groups + "b").matches(name));
  EXPECT_TRUE(patternOf(groups).matches(name));
  EXPECT_TRUE(
      patternOf(std::string(2000, '?') + "*").matches(std::string(3000, 'a')));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

} // namespace

TEST(NamePattern, AllNamesOfClosedPatterns) {
  auto namesOf = [](std::string_view text, size_t limit) {
    return NamePattern::parse(text)->allNames(limit);
  };
  EXPECT_EQ(namesOf("a.b", 9), (std::vector<std::string>{"a.b"}));
  EXPECT_EQ(namesOf("l.{9..10}.{x,y}", 9),
            (std::vector<std::string>{"l.9.x", "l.9.y", "l.10.x", "l.10.y"}));
  EXPECT_EQ(namesOf("l.{0..9}", 9), std::nullopt);
  for (const char *open : {"*", "a?", "l.{i}", "{rest*}"})
    EXPECT_EQ(namesOf(open, 9), std::nullopt) << open;
}
