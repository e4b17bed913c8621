//===- TokenList.h - The tokens of a script ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads a text into tokens with byte offsets. Newlines that do not end a
// statement are dropped: inside brackets, behind `,` `->` `=`, and before `->`
// and `else`.
// Every text has tokens; what has no place in the language comes out as BAD,
// BAD_NAME or UNCLOSED and is worded by the parser. Cost: linear.
//===----------------------------------------------------------------------===//
#ifndef AOA_PARSE_TOKENLIST_H
#define AOA_PARSE_TOKENLIST_H

#include "aoa/AST/Script.h"
#include "aoa/Basic/SourceManager.h"

namespace aoa::parse {

struct Token {
  unsigned kind = 0; ///< An enumerator of AoaLexer.
  uint32_t begin = 0, end = 0;
};

struct TokenList {
  FileId file;
  llvm::StringRef text;
  ast::Dialect dialect = ast::Dialect::Aoa;
  std::vector<Token> tokens; ///< The last one is EOF.
  std::vector<Token> comments;

  llvm::StringRef textOf(const Token &token) const {
    return text.slice(token.begin, token.end);
  }
  SourceRange rangeOf(const Token &token) const {
    return {file, token.begin, token.end};
  }
  /// Whether the token ends a statement: newline, `;`, end of the text.
  bool isSeparator(size_t index) const;
  /// Whether a statement may begin at `index`: nothing but a separator or the
  /// `{` of a block before.
  bool isBehindSeparator(size_t index) const;
  /// The first token from `index` back that a statement may begin at.
  size_t statementBegin(size_t index) const {
    while (!isBehindSeparator(index))
      --index;
    return index;
  }
};

/// Kind of the token at the end of every list.
inline constexpr unsigned endOfText = ~0u;

TokenList readTokens(const SourceManager &sources, FileId file,
                     ast::Dialect dialect);

/// The name of a kind as the grammar has it: `NAME`, `ARROW`.
std::string tokenKindName(unsigned kind);

/// By how much a token of the kind changes the depth of brackets: 1, 0 or -1.
int nestingStep(unsigned kind);

/// Reports the first bracket, block or `not` that is nested deeper than the
/// limit of 256 and returns false. The parser and the tree are recursive:
/// deeper text would overflow the stack.
bool checkNesting(const TokenList &list, DiagnosticSink &sink);

} // namespace aoa::parse

#endif // AOA_PARSE_TOKENLIST_H
