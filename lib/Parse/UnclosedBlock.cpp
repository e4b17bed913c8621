//===- UnclosedBlock.cpp - A `{` without its `}` ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SyntaxErrors.h"

#include "AoaParser.h"
#include "aoa/Parse/ParseDiagnostics.h"

using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
/// Walks over tokens and knows how far the line of the last one is indented.
class Indentation {
public:
  explicit Indentation(const TokenList &list) : list(list) {}

  void pass(const Token &token) {
    StringRef gap = list.text.slice(lastEnd, token.begin);
    size_t lineEnd = gap.find_last_of("\r\n");
    beginsLine = lineEnd != StringRef::npos;
    if (beginsLine)
      indent = gap.size() - lineEnd - 1;
    lastEnd = token.end;
  }

  bool beginsLine = true; ///< The last token is the first of its line.
  size_t indent = 0;

private:
  const TokenList &list;
  uint32_t lastEnd = 0;
};

/// Returns the first block behind the `{` at `index` whose `}` begins a line
/// that is indented otherwise than the line of its `{`; `index` if none is.
size_t blockIndentedOtherwise(const TokenList &list, size_t index) {
  Indentation line(list);
  llvm::SmallVector<std::pair<size_t, size_t>, 8> open; // index, indent
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    const Token &token = list.tokens[i];
    if (token.kind != AoaParser::NL)
      line.pass(token);
    if (i > index && token.kind == AoaParser::LBRACE)
      open.push_back({i, line.indent});
    if (token.kind != AoaParser::RBRACE || open.empty())
      continue;
    auto [brace, indent] = open.pop_back_val();
    if (line.beginsLine && line.indent != indent)
      return brace;
  }
  return index;
}
} // namespace

Diagnostic wordUnclosedBlock(const TokenList &list, size_t index) {
  Diagnostic error{&diag::SyntaxError, list.rangeOf(list.tokens[index]),
                   "the block that begins here is not closed by a `}`"};
  size_t other = blockIndentedOtherwise(list, index);
  if (other != index)
    error.notes.push_back({list.rangeOf(list.tokens[other]),
                           "the `}` of this one is indented otherwise: perhaps "
                           "its own is missing"});
  return error;
}

} // namespace aoa::parse
