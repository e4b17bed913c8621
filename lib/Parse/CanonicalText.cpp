//===- CanonicalText.cpp - Tokens with the blanks they need -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "CanonicalText.h"

#include "AoaLexer.h"

using aoa::grammar::AoaLexer;

namespace aoa::parse {

namespace {
/// Whether nothing ever separates the token from the one behind it.
bool clingsToNext(unsigned kind) {
  switch (kind) {
  case AoaLexer::LBRACK:
  case AoaLexer::LPAREN:
  case AoaLexer::LSET:
  case AoaLexer::INTERP:
  case AoaLexer::NAME_HEAD:
  case AoaLexer::NAME_MID:
  case AoaLexer::STRING_HEAD:
  case AoaLexer::STRING_MID:
  case AoaLexer::COLON:
  case AoaLexer::RANGE:
  case AoaLexer::EQ:
    return true;
  default: // a kind of token, not an enumeration of ours
    return false;
  }
}

/// Whether nothing ever separates the token from the one before it.
bool clingsToPrevious(unsigned kind) {
  switch (kind) {
  case AoaLexer::RBRACK:
  case AoaLexer::RPAREN:
  case AoaLexer::RSET:
  case AoaLexer::INTERP_END:
  case AoaLexer::COMMA:
  case AoaLexer::HEAD_SEMI:
  case AoaLexer::COLON:
  case AoaLexer::RANGE:
  case AoaLexer::EQ:
    return true;
  default: // a kind of token, not an enumeration of ours
    return false;
  }
}

bool hasGapBefore(const TokenList &list, size_t index) {
  return list.tokens[index - 1].end != list.tokens[index].begin;
}

/// Whether a blank always stands behind the token: the words that begin a
/// statement, and what ends a part of a macro's head.
bool wantsBlankBehind(unsigned kind) {
  switch (kind) {
  case AoaLexer::MACRO:
  case AoaLexer::INCLUDE:
  case AoaLexer::LET:
  case AoaLexer::FOR:
  case AoaLexer::IF:
  case AoaLexer::ELSE:
  case AoaLexer::ASSERT:
  case AoaLexer::ARROW:
  case AoaLexer::HEAD_SEMI:
    return true;
  default: // a kind of token, not an enumeration of ours
    return false;
  }
}

/// Whether the token is the `=` of a `let`.
bool isDefinition(const TokenList &list, size_t index) {
  return list.tokens[index].kind == AoaLexer::EQ && index >= 2 &&
         list.tokens[index - 2].kind == AoaLexer::LET;
}

/// Whether the token stands between two operands.
bool isBinaryOperator(const TokenList &list, size_t index) {
  unsigned kind = list.tokens[index].kind;
  if (kind == AoaLexer::OPERATOR)
    return true;
  bool isSign = kind == AoaLexer::MINUS || kind == AoaLexer::PLUS;
  return isSign && endsOperand(list.tokens[index - 1].kind);
}
} // namespace

bool endsOperand(unsigned kind) {
  switch (kind) {
  case AoaLexer::NUMBER:
  case AoaLexer::FLOAT:
  case AoaLexer::CONFIG:
  case AoaLexer::WORD:
  case AoaLexer::TEMP:
  case AoaLexer::STRING:
  case AoaLexer::STRING_END:
  case AoaLexer::INTERP_END:
  case AoaLexer::RBRACK:
  case AoaLexer::RPAREN:
    return true;
  default: // a kind of token, not an enumeration of ours
    return false;
  }
}

bool hasBlankBefore(const TokenList &list, size_t index) {
  const Token &previous = list.tokens[index - 1];
  const Token &token = list.tokens[index];
  if (previous.kind == AoaLexer::COMMA)
    return true;
  if (list.dialect == ast::Dialect::Paddle)
    return false;
  // `config:x` is an entry of config.json, `config :x` a variable and a bound.
  if (token.kind == AoaLexer::COLON && list.textOf(previous) == "config")
    return true;
  bool isApart = wantsBlankBehind(previous.kind) ||
                 token.kind == AoaLexer::ARROW || token.kind == AoaLexer::FOR ||
                 token.kind == AoaLexer::LBRACE || isDefinition(list, index) ||
                 isDefinition(list, index - 1);
  if (isApart)
    return true;
  bool isHead = index >= 2 && list.tokens[index - 2].kind == AoaLexer::MACRO;
  if (isHead) // between the tag and its `(`
    return false;
  if (clingsToNext(previous.kind) || clingsToPrevious(token.kind))
    return false;
  bool isClauseWord =
      token.kind == AoaLexer::IN || token.kind == AoaLexer::SHORTEST ||
      token.kind == AoaLexer::LONGEST || previous.kind == AoaLexer::IN;
  if (isClauseWord)
    return true;
  if (isBinaryOperator(list, index))
    return hasGapBefore(list, index) || hasGapBefore(list, index + 1);
  if (index >= 2 && isBinaryOperator(list, index - 1))
    return hasGapBefore(list, index - 1) || hasGapBefore(list, index);
  return hasGapBefore(list, index);
}

std::string canonicalText(const TokenList &list, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    if (i > begin && hasBlankBefore(list, i))
      text += ' ';
    text += list.textOf(list.tokens[i]);
  }
  return text;
}

} // namespace aoa::parse
