//===- PrintTokensTest.cpp - Tokens as text ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Parse/Parse.h"

#include "gtest/gtest.h"

using namespace aoa;

namespace {

std::string tokens(std::string text, ast::Dialect dialect) {
  SourceManager sources;
  FileId file = sources.add("t.aoa", std::move(text));
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printTokens(sources, file, dialect, os);
  return printed;
}

TEST(PrintTokens, printsPlaceKindAndText) {
  EXPECT_EQ(tokens("a^T->b,x=-1 # c\n\n'd\\'", ast::Dialect::Aoa),
            "1:1 NAME a\n1:2 TRANSPOSE ^T\n1:4 ARROW ->\n1:6 NAME b\n"
            "1:7 COMMA ,\n1:8 NAME x\n1:9 EQ =\n1:10 MINUS -\n1:11 NUMBER 1\n"
            "1:13 COMMENT # c\n1:16 NL\n3:1 STRING 'd\\'\n3:5 EOF\n");
  EXPECT_EQ(tokens("a^T->b", ast::Dialect::Paddle),
            "1:1 NAME a^T\n1:4 ARROW ->\n1:6 NAME b\n1:7 EOF\n");
  EXPECT_EQ(tokens("'\xC3\xA9\n'", ast::Dialect::Paddle),
            "1:1 STRING '\xC3\xA9\\x0A'\n2:2 EOF\n");
}

} // namespace
