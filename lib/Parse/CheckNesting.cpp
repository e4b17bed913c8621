//===- CheckNesting.cpp - Brackets within brackets, counted -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TokenList.h"

#include "AoaLexer.h"
#include "aoa/Parse/ParseDiagnostics.h"

using aoa::grammar::AoaLexer;

namespace aoa::parse {

namespace {
constexpr int deepestNesting = 256;
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
  case AoaLexer::INTERP_END:
    return -1;
  default: // a kind of token, not an enumeration of ours
    return 0;
  }
}

bool checkNesting(const TokenList &list, DiagnosticSink &sink) {
  int depth = 0;
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    const Token &token = list.tokens[i];
    // What a broken statement leaves open does not add to the next one.
    if (token.kind == AoaLexer::ARROW || list.isSeparator(i))
      depth = 0;
    depth = std::max(0, depth + nestingStep(token.kind));
    if (depth <= deepestNesting)
      continue;
    sink.report(
        {&diag::ScriptNesting, list.rangeOf(token),
         "brackets are nested deeper than " + std::to_string(deepestNesting)});
    return false;
  }
  return true;
}

} // namespace aoa::parse
