//===- ScriptParser.cpp - The generated parser at work ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ScriptParser.h"

#include "ReportAndSkip.h"

using aoa::grammar::AoaParser;

namespace aoa::parse {

/// Hands the tokens of a list to ANTLR, which numbers them as the list does.
class ScriptParser::Tokens final : public antlr4::TokenSource {
public:
  explicit Tokens(const TokenList &list) : list(list) {}

  std::unique_ptr<antlr4::Token> nextToken() override {
    const Token &token = list.tokens[std::min(next, list.tokens.size() - 1)];
    ++next;
    return std::make_unique<antlr4::CommonToken>(
        token.kind == endOfText ? antlr4::Token::EOF : token.kind);
  }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream *getInputStream() override { return nullptr; }
  std::string getSourceName() override { return "script"; }
  antlr4::TokenFactory<antlr4::CommonToken> *getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

private:
  const TokenList &list;
  size_t next = 0;
};

ScriptParser::ScriptParser(const TokenList &list)
    : list(list), source(std::make_unique<Tokens>(list)),
      stream(std::make_unique<antlr4::CommonTokenStream>(source.get())),
      parser(std::make_unique<AoaParser>(stream.get())) {
  parser->removeErrorListeners();
}

ScriptParser::~ScriptParser() = default;

AoaParser::ProgramContext *ScriptParser::parse(DiagnosticSink &sink) {
  auto *simulator = parser->getInterpreter<antlr4::atn::ParserATNSimulator>();
  simulator->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser->setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    return parser->program();
  } catch (const antlr4::ParseCancellationException &) {
    parser->reset();
  }
  simulator->setPredictionMode(antlr4::atn::PredictionMode::LL);
  parser->setErrorHandler(makeReportAndSkip(list, sink));
  return parser->program();
}

} // namespace aoa::parse
