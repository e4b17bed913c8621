//===- PrintTokens.cpp - The tokens of a script, one a line -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TokenList.h"
#include "aoa/Parse/Parse.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <iterator>

namespace aoa {

namespace {
/// Prints control characters, newlines in strings above all, as `\x0A`.
void printOnOneLine(llvm::StringRef text, llvm::raw_ostream &os) {
  for (char c : text) {
    if (llvm::isPrint(c) || (c & 0x80))
      os << c;
    else
      os << "\\x" << llvm::toHex(llvm::StringRef(&c, 1));
  }
}
} // namespace

void printTokens(const SourceManager &sources, FileId file,
                 ast::Dialect dialect, llvm::raw_ostream &os) {
  parse::TokenList list = parse::readTokens(sources, file, dialect);
  std::vector<parse::Token> all;
  std::ranges::merge(list.tokens, list.comments, std::back_inserter(all), {},
                     &parse::Token::begin, &parse::Token::begin);
  for (const parse::Token &token : all) {
    SourceRange at = sources.resolve(list.rangeOf(token));
    SourceManager::Position position = sources.position(at.file, at.begin);
    std::string kind = parse::tokenKindName(token.kind);
    os << position.line << ':' << position.column << ' ' << kind;
    if (kind != "NL" && kind != "EOF") {
      os << ' ';
      printOnOneLine(list.textOf(token), os);
    }
    os << '\n';
  }
}

} // namespace aoa
