//===- JsonReaderTest.cpp - JSON with byte positions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/JsonReader.h"

#include <gtest/gtest.h>

using namespace aoa;
using namespace std::string_literals;

namespace {

JsonFault faultOf(std::string_view text) {
  auto document = JsonDocument::parse(text);
  EXPECT_FALSE(document.has_value()) << text;
  return document ? JsonFault() : document.error();
}

JsonDocument read(std::string_view text) {
  auto document = JsonDocument::parse(text);
  EXPECT_TRUE(document.has_value()) << text << ": " << document.error().message;
  return std::move(*document);
}

TEST(JsonReader, KnowsValuesAndPlaces) {
  std::string_view text =
      R"( {"a": [1, -2, "x"], "b": {"c d": true}, "e": null} )";
  JsonDocument document = read(text);
  JsonValue root = document.root();
  ASSERT_TRUE(root.isObject());
  EXPECT_EQ(root.size(), 3u);
  JsonValue a = *root.find("a");
  EXPECT_EQ(a.rawText(), R"([1, -2, "x"])");
  std::vector<std::string> texts, paths;
  for (JsonValue element : a.elements()) {
    texts.emplace_back(element.rawText());
    paths.push_back(element.path());
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"1", "-2", "\"x\""}));
  EXPECT_EQ(paths, (std::vector<std::string>{"a[0]", "a[1]", "a[2]"}));
  JsonValue b = *root.find("b");
  for (auto [key, value] : b.members()) {
    EXPECT_EQ(key.str(), "c d");
    EXPECT_EQ(key.path(), "b[\"c d\"]");
    EXPECT_EQ(value.path(), "b[\"c d\"]");
    EXPECT_TRUE(value.boolean());
  }
  EXPECT_TRUE(root.find("e")->isNull());
  EXPECT_EQ(root.find("e")->path(), "e");
  EXPECT_EQ(root.path(), "");
  EXPECT_FALSE(root.find("f"));
}

TEST(JsonReader, ReadsEmptyContainersAndScalars) {
  EXPECT_EQ(read("{}").root().size(), 0u);
  EXPECT_EQ(read("[ ]").root().size(), 0u);
  EXPECT_EQ(read("[[], {}, [[]]]").root().size(), 3u);
  EXPECT_EQ(read(" 7 ").root().wholeNumber(), 7);
  EXPECT_EQ(read("\"\"").root().str(), "");
}

TEST(JsonReader, ResolvesEscapes) {
  EXPECT_EQ(read(R"("a\"\\\/\b\f\n\r\tz")").root().str(), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(read(R"("\u0041\u00e9\u20ac\ud83d\ude00")").root().str(),
            "A\u00e9\u20ac\U0001F600");
  EXPECT_EQ(read(R"("\u0000x")").root().str(), "\0x"s);
  EXPECT_TRUE(read(R"("\n")").root().hasEscapes());
  EXPECT_FALSE(read("\"n\"").root().hasEscapes());
}

TEST(JsonReader, ReadsNumbers) {
  EXPECT_EQ(read("9223372036854775807").root().wholeNumber(), INT64_MAX);
  EXPECT_EQ(read("-9223372036854775808").root().wholeNumber(), INT64_MIN);
  EXPECT_EQ(read("9223372036854775808").root().wholeNumber(), std::nullopt);
  EXPECT_EQ(read("1e3").root().wholeNumber(), std::nullopt);
  EXPECT_EQ(read("1.0").root().wholeNumber(), std::nullopt);
  EXPECT_EQ(read("-1.5e1").root().number(), -15.0);
  EXPECT_EQ(read("1e999").root().number(), std::nullopt);
  EXPECT_EQ(read("-0").root().wholeNumber(), 0);
  for (std::string_view bad : {"01", "+1", "1.", ".5", "1e", "1e+", "-", "0x1",
                               "1 2", "NaN", "- 1", "-01", "Infinity"})
    faultOf(bad);
}

TEST(JsonReader, RefusesWhatIsNoJson) {
  for (std::string_view bad : {"",
                               " ",
                               "{",
                               "[",
                               "]",
                               "{]",
                               "[}",
                               "[1,]",
                               "[,1]",
                               "[1 2]",
                               "{\"a\"}",
                               "{\"a\":}",
                               "{\"a\":1,}",
                               "{,}",
                               "{a:1}",
                               "{1:1}",
                               "{\"a\" 1}",
                               "tru",
                               "trux",
                               "nul",
                               "falsy",
                               "'a'",
                               "\"a",
                               "\"a\\\"",
                               "\"\\x\"",
                               "\"\\u12\"",
                               "\"\\u12g4\"",
                               "\"\\ud800\"",
                               "\"\\udc00\"",
                               "\"\\ud800\\u0041\"",
                               "[1]]",
                               "{} {}",
                               "1,",
                               "[1]//c",
                               "\"a\nb\"",
                               "\"a\tb\"",
                               "[\v1]"})
    faultOf(bad);
}

TEST(JsonReader, RefusesWhatIsNotUtf8) {
  for (std::string_view good :
       {"\"\xC3\xA9\"", "\"\xE2\x82\xAC\"", "\"\xF0\x9F\x98\x80\"",
        "\"\xED\x9F\xBF\"", "\"\xF4\x8F\xBF\xBF\"",
        "\"abcdefgh\xC3\xA9ijklmnop\""})
    read(good);
  for (std::string_view bad :
       {"\"\x80\"", "\"\xC0\xAF\"", "\"\xC1\xBF\"", "\"\xC3\"", "\"\xC3(\"",
        "\"\xE0\x80\xAF\"", "\"\xED\xA0\x80\"", "\"\xE2\x82\"",
        "\"\xF0\x80\x80\xAF\"", "\"\xF4\x90\x80\x80\"", "\"\xF5\x80\x80\x80\"",
        "\"\xFF\"", "\xEF\xBB\xBF{}", "\xC3\xA9"})
    faultOf(bad);
}

TEST(JsonReader, PointsAtTheFault) {
  JsonFault trailing = faultOf("{\"a\": 1} x");
  EXPECT_EQ(trailing.begin, 9u);
  EXPECT_EQ(trailing.message, "`x` follows the end of the value");

  JsonFault element = faultOf(R"({"a": [1, {"b": 2}, oops]})");
  EXPECT_EQ(element.path, "a[2]");
  EXPECT_EQ(element.begin, 20u);
  EXPECT_EQ(element.message, "found `o`, expected a value");

  JsonFault member = faultOf(R"({"a": {"b": 1, "c": ?}})");
  EXPECT_EQ(member.path, "a.c");
  JsonFault end = faultOf(R"({"a": [1)");
  EXPECT_EQ(end.begin, 8u);
  EXPECT_EQ(end.message, "found the end of the text, expected `,` or `]`");
}

TEST(JsonReader, FindsNamesGivenTwice) {
  JsonFault fault = faultOf(R"({"x": [{"a": 1, "b": 2, "a": 3}]})");
  EXPECT_TRUE(fault.isDuplicateName());
  EXPECT_EQ(fault.message, "name `a` is given twice in one object");
  EXPECT_EQ(fault.firstBegin, 8u);
  EXPECT_EQ(fault.begin, 24u);
  EXPECT_EQ(fault.end, 27u);
  EXPECT_EQ(fault.path, "x[0].a");
  // Spelt differently, equal all the same.
  EXPECT_TRUE(faultOf(R"({"a": 1, "\u0061": 2})").isDuplicateName());

  std::string large = "{";
  for (int i = 0; i < 1000; ++i)
    large += "\"k" + std::to_string(i) + "\":[{\"k\":0}],";
  read(large + "\"k\":0}");
  JsonFault inLarge = faultOf(large + "\"k500\":0}");
  EXPECT_TRUE(inLarge.isDuplicateName());
  EXPECT_EQ(inLarge.path, "k500");
  EXPECT_LT(inLarge.firstBegin, inLarge.begin);
}

TEST(JsonReader, LimitsNesting) {
  auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  read(nested(256));
  JsonFault fault = faultOf(nested(257));
  EXPECT_EQ(fault.begin, 256u);
  EXPECT_EQ(fault.message, "nesting is deeper than 256");
  faultOf(nested(200'000));
  faultOf(std::string(200'000, '['));
  faultOf(std::string(200'000, '{'));
}

TEST(JsonReader, WritesStrings) {
  std::string out;
  std::string text = "a\"b\\c\n\x01\u00e9"s;
  appendJsonString(out, text);
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\n\\u0001\u00e9\"");
  EXPECT_EQ(read(out).root().str(), text);
}

/// No cut and no flipped byte of a text may do more than fail.
TEST(JsonReader, SurvivesEveryFlippedByte) {
  std::string text =
      R"({"a": [1, -2.5e3, "x\u00e9\n"], "b": {"c": true, "d": null}})";
  for (size_t i = 0; i < text.size(); ++i) {
    (void)JsonDocument::parse(std::string_view(text).substr(0, i));
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      auto document = JsonDocument::parse(flipped);
      if (!document || !document->root().isObject())
        continue;
      for (auto [key, value] : document->root().members())
        EXPECT_EQ(value.path(), key.path());
    }
  }
}

} // namespace
