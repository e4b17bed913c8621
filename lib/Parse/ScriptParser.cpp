//===- ScriptParser.cpp - The generated parser at work ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ScriptParser.h"

#include "SyntaxErrors.h"

#include "llvm/ADT/STLExtras.h"

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

namespace {
/// Reports a fault in our words and goes on behind the statement. The rules
/// within a statement pass their faults on to it.
class ReportAndSkip final : public antlr4::DefaultErrorStrategy {
public:
  ReportAndSkip(const TokenList &list, DiagnosticSink &sink)
      : list(list), sink(sink) {}

  void reportError(antlr4::Parser *,
                   const antlr4::RecognitionException &) override {}

  antlr4::Token *recoverInline(antlr4::Parser *parser) override {
    throw antlr4::InputMismatchException(parser);
  }

  void recover(antlr4::Parser *parser, std::exception_ptr fault) override {
    antlr4::ParserRuleContext *ctx = parser->getContext();
    try {
      std::rethrow_exception(fault);
    } catch (antlr4::RecognitionException &refused) {
      if (ctx->getRuleIndex() != AoaParser::RuleStatement &&
          ctx->getRuleIndex() != AoaParser::RuleProgram)
        throw;
      size_t begin = ctx->getStart()->getTokenIndex();
      report(refused.getOffendingToken()->getTokenIndex(),
             refused.getCtx()->getRuleIndex(), begin);
      if (!list.isBehindSeparator(begin))
        dropStatementBefore(
            ctx, static_cast<antlr4::ParserRuleContext *>(ctx->parent));
    }
    skipStatement(parser);
  }

  /// At the top level only separators and statements may follow.
  void sync(antlr4::Parser *parser) override {
    if (parser->getContext()->getRuleIndex() != AoaParser::RuleProgram)
      return;
    size_t next = parser->getTokenStream()->index();
    unsigned kind = list.tokens[next].kind;
    if (list.isSeparator(next) || kind == AoaParser::NAME ||
        kind == AoaParser::STRING || kind == AoaParser::NAME_HEAD ||
        kind == AoaParser::STRING_HEAD)
      return;
    report(next, AoaParser::RuleProgram, beginOfStatement(next));
    if (!list.isBehindSeparator(next))
      dropStatementBefore(nullptr, parser->getContext());
    skipStatement(parser);
  }

private:
  void report(size_t index, size_t rule, size_t begin) {
    sink.report(wordSyntaxError(list, index, rule, begin));
  }

  size_t beginOfStatement(size_t index) const {
    while (!list.isBehindSeparator(index))
      --index;
    return index;
  }

  /// What follows a statement without a separator may have been meant as a part
  /// of it: the statement is broken, too.
  static void dropStatementBefore(antlr4::ParserRuleContext *refused,
                                  antlr4::ParserRuleContext *program) {
    for (antlr4::tree::ParseTree *child : llvm::reverse(program->children)) {
      auto *statement = dynamic_cast<antlr4::ParserRuleContext *>(child);
      if (statement == refused)
        continue;
      if (statement)
        statement->exception =
            std::make_exception_ptr(antlr4::RuntimeException("broken"));
      return;
    }
  }

  /// Skips to the next separator; blocks of statements that are not supported
  /// yet are skipped whole.
  void skipStatement(antlr4::Parser *parser) {
    size_t next = parser->getTokenStream()->index();
    unsigned first = list.tokens[beginOfStatement(next)].kind;
    bool hasBlock = first == AoaParser::MACRO || first == AoaParser::FOR ||
                    first == AoaParser::IF || first == AoaParser::ELSE;
    int depth = 0;
    for (; list.tokens[next].kind != endOfText; ++next) {
      unsigned kind = list.tokens[next].kind;
      if (depth <= 0 && list.isSeparator(next))
        break;
      if (hasBlock) {
        depth += kind == AoaParser::LBRACE || kind == AoaParser::LPAREN;
        depth -= kind == AoaParser::RBRACE || kind == AoaParser::RPAREN;
      }
      parser->consume();
    }
  }

  const TokenList &list;
  DiagnosticSink &sink;
};
} // namespace

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
  parser->setErrorHandler(std::make_shared<ReportAndSkip>(list, sink));
  return parser->program();
}

} // namespace aoa::parse
