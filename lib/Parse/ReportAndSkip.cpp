//===- ReportAndSkip.cpp - What the parser does about a fault ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReportAndSkip.h"

#include "SyntaxErrors.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using aoa::grammar::AoaParser;

namespace aoa::parse {

namespace {
/// Where the `}` of each `{` of a block stands in a list of tokens. Cost:
/// linear.
class MatchingBraces {
public:
  explicit MatchingBraces(const TokenList &list) {
    llvm::SmallVector<size_t, 8> open;
    for (size_t i = 0; i < list.tokens.size(); ++i) {
      if (isBrace(list, i, AoaParser::LBRACE, "{"))
        open.push_back(i);
      else if (isBrace(list, i, AoaParser::RBRACE, "}") && !open.empty())
        closing[open.pop_back_val()] = i;
    }
  }
  /// The `}` of the `{` at `index`, itself where there is none.
  size_t closingOf(size_t index) const {
    auto found = closing.find(index);
    return found == closing.end() ? index : found->second;
  }

  /// In paddle braces are characters without a use.
  static bool isBrace(const TokenList &list, size_t index, unsigned kind,
                      llvm::StringRef text) {
    const Token &token = list.tokens[index];
    return token.kind == kind ||
           (list.dialect == ast::Dialect::Paddle && list.textOf(token) == text);
  }

private:
  llvm::DenseMap<size_t, size_t> closing;
};

class ReportAndSkip final : public antlr4::DefaultErrorStrategy {
public:
  ReportAndSkip(const TokenList &list, DiagnosticSink &sink)
      : list(list), sink(sink), braces(list) {}

  void reportError(antlr4::Parser *,
                   const antlr4::RecognitionException &) override {}

  /// Returns instead of throwing where a brace of a block is missing.
  antlr4::Token *recoverInline(antlr4::Parser *parser) override {
    antlr4::ParserRuleContext *ctx = parser->getContext();
    bool isInBlock = ctx->getRuleIndex() == AoaParser::RuleBlock;
    bool isEntered = !ctx->children.empty() || ctx == lastWithoutBrace;
    if (isInBlock && !isEntered)
      return enterBlock(parser, ctx);
    if (isInBlock && kindAt(next(parser)) == endOfText) {
      reportUnclosed(*ctx);
      return parser->getCurrentToken();
    }
    throw antlr4::InputMismatchException(parser);
  }

  void recover(antlr4::Parser *parser, std::exception_ptr fault) override {
    antlr4::ParserRuleContext *ctx = parser->getContext();
    try {
      std::rethrow_exception(fault);
    } catch (antlr4::RecognitionException &refused) {
      switch (ctx->getRuleIndex()) {
      case AoaParser::RuleLoop: // whose head is not followed by a block
      case AoaParser::RuleBranches:
      case AoaParser::RuleMacro:
        return;
      case AoaParser::RuleLoopHead:
      case AoaParser::RuleCondition:
      case AoaParser::RuleElseHead:
      case AoaParser::RuleMacroHead:
        reportItem(*ctx, refused,
                   static_cast<antlr4::ParserRuleContext *>(ctx->parent));
        return skipHead(parser);
      case AoaParser::RuleProgram:
      case AoaParser::RuleStatement:
      case AoaParser::RuleLet:
      case AoaParser::RuleAssertion:
      case AoaParser::RuleInclude:
        reportItem(*ctx, refused, ctx);
        return skipItem(parser);
      default: // a rule, not an enumeration of ours
        throw;
      }
    }
  }

  /// Between the items of a program or block only items and separators follow,
  /// and the `}` of a block.
  void sync(antlr4::Parser *parser) override {
    antlr4::ParserRuleContext *ctx = parser->getContext();
    bool isBlock = ctx->getRuleIndex() == AoaParser::RuleBlock;
    if (!isBlock && ctx->getRuleIndex() != AoaParser::RuleProgram)
      return;
    for (;;) {
      size_t index = next(parser);
      unsigned kind = kindAt(index);
      if (list.isSeparator(index) || beginsItem(kind) ||
          (isBlock && kind == AoaParser::RBRACE))
        return;
      report(index, AoaParser::RuleProgram, list.statementBegin(index));
      if (!list.isBehindSeparator(index))
        dropItemBefore(nullptr, ctx);
      skipItem(parser);
    }
  }

private:
  static size_t next(antlr4::Parser *parser) {
    return parser->getTokenStream()->index();
  }
  unsigned kindAt(size_t index) const { return list.tokens[index].kind; }

  static bool beginsItem(unsigned kind) {
    switch (kind) {
    case AoaParser::NAME:
    case AoaParser::STRING:
    case AoaParser::NAME_HEAD:
    case AoaParser::STRING_HEAD:
    case AoaParser::LPAREN:
    case AoaParser::LET:
    case AoaParser::FOR:
    case AoaParser::IF:
    case AoaParser::ASSERT:
    case AoaParser::INCLUDE:
    case AoaParser::MACRO:
      return true;
    default: // a kind of token, not an enumeration of ours
      return false;
    }
  }

  void report(size_t index, size_t rule, size_t begin) {
    sink.report(wordSyntaxError(list, index, rule, begin));
  }

  /// Reports what `ctx` refused. What it follows without a separator is broken,
  /// too: `item` is the whole of it.
  void reportItem(antlr4::ParserRuleContext &ctx,
                  const antlr4::RecognitionException &refused,
                  antlr4::ParserRuleContext *item) {
    size_t begin = ctx.getStart()->getTokenIndex();
    report(refused.getOffendingToken()->getTokenIndex(),
           refused.getCtx()->getRuleIndex(), begin);
    if (item->parent && !list.isBehindSeparator(begin))
      dropItemBefore(item,
                     static_cast<antlr4::ParserRuleContext *>(item->parent));
  }

  static std::exception_ptr brokenItem() {
    return std::make_exception_ptr(antlr4::RuntimeException("broken"));
  }

  /// What follows an item without a separator may have been meant as a part of
  /// it: the item is broken, too.
  static void dropItemBefore(antlr4::ParserRuleContext *refused,
                             antlr4::ParserRuleContext *program) {
    for (antlr4::tree::ParseTree *child : llvm::reverse(program->children)) {
      auto *item = dynamic_cast<antlr4::ParserRuleContext *>(child);
      if (item == refused)
        continue;
      if (item)
        item->exception = brokenItem();
      return;
    }
  }

  // ---- Blocks

  /// Takes what stands in place of a `{`, and the `{` behind it if one is on
  /// the line.
  antlr4::Token *enterBlock(antlr4::Parser *parser,
                            antlr4::ParserRuleContext *ctx) {
    auto *owner = static_cast<antlr4::ParserRuleContext *>(ctx->parent);
    antlr4::ParserRuleContext &head = headBefore(*owner);
    size_t begin = head.getStart()->getTokenIndex();
    if (!head.exception)
      report(next(parser), AoaParser::RuleBlock, begin);
    ctx->exception = brokenItem();
    skipHead(parser);
    antlr4::Token *current = parser->getCurrentToken();
    if (kindAt(next(parser)) == AoaParser::LBRACE)
      return parser->consume();
    if (isUsedAsName(list, begin) || numBlocksAround(ctx) > mostBlocks)
      throw antlr4::InputMismatchException(parser);
    lastWithoutBrace = ctx;
    return current;
  }

  /// A block without a `{` is not counted by checkNesting.
  static constexpr unsigned mostBlocks = 256;
  static unsigned numBlocksAround(const antlr4::tree::ParseTree *ctx) {
    unsigned number = 0;
    for (; ctx; ctx = ctx->parent)
      number +=
          static_cast<const antlr4::ParserRuleContext *>(ctx)->getRuleIndex() ==
          AoaParser::RuleBlock;
    return number;
  }

  /// The head that the last block of `owner` belongs to.
  static antlr4::ParserRuleContext &
  headBefore(const antlr4::ParserRuleContext &owner) {
    return *static_cast<antlr4::ParserRuleContext *>(
        owner.children[owner.children.size() - 2]);
  }

  void reportUnclosed(const antlr4::ParserRuleContext &block) {
    for (antlr4::tree::ParseTree *child : block.children) {
      auto *terminal = dynamic_cast<antlr4::tree::TerminalNode *>(child);
      if (!terminal)
        continue;
      const Token &token = list.tokens[terminal->getSymbol()->getTokenIndex()];
      if (token.kind == AoaParser::LBRACE)
        return sink.report(
            wordUnclosedBlock(list, terminal->getSymbol()->getTokenIndex()));
      if (token.kind == AoaParser::NL)
        return;
    }
  }

  // ---- Skipping

  /// Skips to the `{` of a block, or to what ends the head without one.
  void skipHead(antlr4::Parser *parser) {
    for (;;) {
      size_t index = next(parser);
      unsigned kind = kindAt(index);
      if (list.isSeparator(index) || kind == AoaParser::LBRACE ||
          kind == AoaParser::RBRACE)
        return;
      parser->consume();
    }
  }

  /// Skips to the next separator or the end of the block, over whole blocks.
  void skipItem(antlr4::Parser *parser) {
    bool isInBlock = numBlocksAround(parser->getContext()) != 0;
    size_t behind = 0; // the last block that was met
    for (;;) {
      size_t index = next(parser);
      unsigned kind = kindAt(index);
      if (kind == endOfText)
        return;
      if (index >= behind &&
          (list.isSeparator(index) || (isInBlock && kind == AoaParser::RBRACE)))
        return;
      if (MatchingBraces::isBrace(list, index, AoaParser::LBRACE, "{"))
        behind = std::max(behind, braces.closingOf(index) + 1);
      parser->consume();
    }
  }

  const TokenList &list;
  DiagnosticSink &sink;
  const MatchingBraces braces;
  /// The last block that was entered without its `{`.
  const antlr4::ParserRuleContext *lastWithoutBrace = nullptr;
};
} // namespace

std::shared_ptr<antlr4::ANTLRErrorStrategy>
makeReportAndSkip(const TokenList &list, DiagnosticSink &sink) {
  return std::make_shared<ReportAndSkip>(list, sink);
}

} // namespace aoa::parse
