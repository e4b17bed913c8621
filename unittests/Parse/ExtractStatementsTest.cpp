//===- ExtractStatementsTest.cpp - JSON scripts -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Parse/Parse.h"

#include "aoa/Basic/DiagnosticEngine.h"
#include "gtest/gtest.h"

using namespace aoa;

namespace {

/// Reads a script in JSON and returns what is said about it, else its text.
std::string extracted(std::string json,
                      ast::Dialect dialect = ast::Dialect::Paddle) {
  SourceManager sources;
  FileId file = sources.add("s.json", std::move(json));
  DiagnosticEngine engine(sources, {});
  bool isReversed = false;
  std::optional<FileId> script =
      extractStatements(sources, file, isReversed, engine);
  std::string printed;
  if (script)
    printed = ast::printScript(parseScript(sources, *script, dialect, engine));
  std::string text;
  llvm::raw_string_ostream os(text);
  engine.flush(os);
  return text + printed;
}

TEST(ExtractStatements, readsOneStatementAString) {
  EXPECT_EQ(extracted(R"({"aoa_statements": ["a, b -> c, axis = 0",
      "c -> d, dtype=\"float16\"", ""], "aoa_config_reverse": false,
      "enable_traceback": true})"),
            "a, b -> c, axis=0\nc -> d, dtype=\"float16\"\n");
  EXPECT_EQ(extracted("{}"), "");
  EXPECT_EQ(extracted(R"({"aoa_statements": []})"), "");
}

TEST(ExtractStatements, saysWhetherTheScriptIsReversed) {
  SourceManager sources;
  DiagnosticEngine engine(sources, {});
  bool isReversed = false;
  FileId file = sources.add("s.json", "{\"aoa_config_reverse\": true}");
  EXPECT_TRUE(extractStatements(sources, file, isReversed, engine));
  EXPECT_TRUE(isReversed);
}

TEST(ExtractStatements, pointsIntoTheJsonText) {
  EXPECT_EQ(extracted("{\"aoa_statements\": [\"a -> b\",\n  \"c <- d\"]}"),
            "s.json:2:6: error: unexpected character `<`; the arrow points to "
            "the right: `a -> b` [unexpected-character]\n"
            "    2 |   \"c <- d\"]}\n"
            "      |      ^\na -> b\n");
  EXPECT_EQ(extracted("{\"aoa_statements\": [\"a -> b\\t #\"]}"),
            "s.json:1:31: error: unexpected character `#`; `--std=paddle` has "
            "no comments [unexpected-character]\n"
            "    1 | {\"aoa_statements\": [\"a -> b\\t #\"]}\n"
            "      |                               ^\n");
}

TEST(ExtractStatements, noStringEndsInAnother) {
  EXPECT_NE(extracted(R"({"aoa_statements": ["a -> b, x='", "c' -> d"]})")
                .find("unclosed-string"),
            std::string::npos);
  EXPECT_NE(extracted(R"({"aoa_statements": ["a -> b, x='${n", "}' -> d"]})",
                      ast::Dialect::Aoa)
                .find("unclosed-string"),
            std::string::npos);
  EXPECT_EQ(extracted(R"({"aoa_statements": ["a -> b, x=\"${'\u0041'}\""]})",
                      ast::Dialect::Aoa)
                .find("unclosed-string"),
            std::string::npos);
  EXPECT_EQ(extracted(R"({"aoa_statements": ["a -> b, x=\"\u0041'\""]})")
                .find("unclosed-string"),
            std::string::npos);
}

TEST(ExtractStatements, saysWhatIsNoScript) {
  auto head = [](std::string json) {
    std::string text = extracted(std::move(json));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(head("[1]"), "s.json:1:1: error: found a list, expected an object "
                         "with `aoa_statements` [script-json]");
  EXPECT_EQ(head(R"({"aoa_statements": ["a -> b", 3]})"),
            "s.json:1:31: error: found a number, expected a string with a "
            "statement (at aoa_statements[1]) [script-json]");
  EXPECT_EQ(head(R"({"aoa_statements": "a -> b"})"),
            "s.json:1:20: error: found a string, expected a list of strings "
            "(at aoa_statements) [script-json]");
  EXPECT_EQ(head(R"({"aoa_statment": []})"),
            "s.json:1:2: error: unknown field `aoa_statment`; did you mean "
            "`aoa_statements`? (at aoa_statment) [unknown-script-field]");
  EXPECT_EQ(head(R"({"aoa_config_reverse": 1})"),
            "s.json:1:24: error: found a number, expected true or false "
            "(at aoa_config_reverse) [script-json]");
  EXPECT_NE(head("{\"a\": ").find("[script-json]"), std::string::npos);
}

} // namespace
