//===- CheckNesting.cpp - Blocks, brackets and `not`, counted ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TokenList.h"

#include "AoaLexer.h"
#include "aoa/Parse/ParseDiagnostics.h"

using aoa::grammar::AoaLexer;

namespace aoa::parse {

namespace {
constexpr size_t deepestNesting = 256;

/// How deep the token stands that was counted last.
class Nesting {
public:
  explicit Nesting(const TokenList &list) : list(list) {}

  void count(size_t index) {
    const Token &token = list.tokens[index];
    // What a broken statement leaves open does not add to the next one.
    if (token.kind == AoaLexer::ARROW || list.isSeparator(index))
      endStatement();
    switch (token.kind) {
    case AoaLexer::LBRACE:
      endStatement();
      ++numBlocks;
      break;
    case AoaLexer::RBRACE:
      endStatement();
      numBlocks -= numBlocks != 0;
      break;
    case AoaLexer::NOT:
      ++nots.back();
      ++numNots;
      break;
    case AoaLexer::COMMA:
    case AoaLexer::OPERATOR: // `not` goes up to the next `and` or `or`
      if (token.kind == AoaLexer::COMMA || isJunction(token))
        endNots();
      break;
    default: // a kind of token, not an enumeration of ours
      countBracket(nestingStep(token.kind));
    }
  }

  size_t depth() const { return numBlocks + (nots.size() - 1) + numNots; }

private:
  bool isJunction(const Token &token) const {
    return list.textOf(token) == "and" || list.textOf(token) == "or";
  }
  void endNots() {
    numNots -= nots.back();
    nots.back() = 0;
  }
  void endStatement() {
    nots.assign(1, 0);
    numNots = 0;
  }
  void countBracket(int step) {
    if (step > 0)
      nots.push_back(0);
    if (step >= 0 || nots.size() == 1)
      return;
    endNots();
    nots.pop_back();
  }

  const TokenList &list;
  size_t numBlocks = 0, numNots = 0;
  /// How many `not` are at work in each bracket of the statement, and outside.
  llvm::SmallVector<unsigned, 8> nots = {0};
};
} // namespace

int nestingStep(unsigned kind) {
  switch (kind) {
  case AoaLexer::LBRACK:
  case AoaLexer::LPAREN:
  case AoaLexer::LBRACE:
  case AoaLexer::LSET:
  case AoaLexer::INTERP:
  case AoaLexer::NAME_HEAD:
  case AoaLexer::NAME_MID:
  case AoaLexer::STRING_HEAD:
  case AoaLexer::STRING_MID:
    return 1;
  case AoaLexer::RBRACK:
  case AoaLexer::RPAREN:
  case AoaLexer::RBRACE:
  case AoaLexer::RSET:
  case AoaLexer::INTERP_END:
    return -1;
  default: // a kind of token, not an enumeration of ours
    return 0;
  }
}

bool checkNesting(const TokenList &list, DiagnosticSink &sink) {
  Nesting nesting(list);
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    nesting.count(i);
    if (nesting.depth() <= deepestNesting)
      continue;
    const Token &token = list.tokens[i];
    std::string what = token.kind == AoaLexer::LBRACE ? "blocks are"
                       : token.kind == AoaLexer::NOT  ? "`not` is"
                                                      : "brackets are";
    sink.report(
        {&diag::ScriptNesting, list.rangeOf(token),
         what + " nested deeper than " + std::to_string(deepestNesting)});
    return false;
  }
  return true;
}

} // namespace aoa::parse
