//===- TokenList.cpp - The tokens of a script -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TokenList.h"

#include "AoaLexer.h"
#include "aoa/Parse/ByteStream.h"

using aoa::grammar::AoaLexer;

namespace aoa::parse {

namespace {
/// Adds a token of the default channel: one newline for a run, none before an
/// arrow or between `}` and `else` (paddle has no continuation).
void append(TokenList &list, const Token &token) {
  std::vector<Token> &tokens = list.tokens;
  auto endsInNewline = [&] {
    return !tokens.empty() && tokens.back().kind == AoaLexer::NL;
  };
  if (token.kind == AoaLexer::NL && endsInNewline())
    return;
  bool continues =
      (token.kind == AoaLexer::ARROW && list.dialect == ast::Dialect::Aoa) ||
      (token.kind == AoaLexer::ELSE && tokens.size() > 1 &&
       tokens[tokens.size() - 2].kind == AoaLexer::RBRACE);
  if (continues && endsInNewline())
    tokens.pop_back();
  tokens.push_back(token);
}

/// Each string of a JSON list is read by itself: none ends in another.
void breakStringsAtGaps(TokenList &list, const SourceManager &sources) {
  llvm::SmallVector<Token *, 4> heads;
  for (Token &token : list.tokens) {
    Token *head = &token;
    if (token.kind == AoaLexer::STRING_HEAD) {
      heads.push_back(head);
      continue;
    }
    if (token.kind == AoaLexer::STRING_END && !heads.empty())
      head = heads.pop_back_val();
    else if (token.kind != AoaLexer::STRING)
      continue;
    if (!sources.isMappedWithoutGap({list.file, head->begin, token.end}))
      head->kind = AoaLexer::UNCLOSED;
  }
}
} // namespace

bool TokenList::isSeparator(size_t index) const {
  unsigned kind = tokens[index].kind;
  return kind == AoaLexer::NL || kind == AoaLexer::SEMI || kind == endOfText;
}

bool TokenList::isBehindSeparator(size_t index) const {
  return index == 0 || isSeparator(index - 1) ||
         tokens[index - 1].kind == AoaLexer::LBRACE;
}

TokenList readTokens(const SourceManager &sources, FileId file,
                     ast::Dialect dialect) {
  TokenList list;
  list.file = file;
  list.text = sources.text(file);
  list.dialect = dialect;

  ByteStream stream(list.text);
  AoaLexer lexer(&stream);
  lexer.removeErrorListeners();
  if (dialect == ast::Dialect::Paddle)
    lexer.speakPaddle();
  for (;;) {
    std::unique_ptr<antlr4::Token> read = lexer.nextToken();
    if (read->getType() == antlr4::Token::EOF)
      break;
    Token token{static_cast<unsigned>(read->getType()),
                static_cast<uint32_t>(read->getStartIndex()),
                static_cast<uint32_t>(read->getStopIndex() + 1)};
    if (token.kind == AoaLexer::COMMENT)
      list.comments.push_back(token);
    else if (read->getChannel() == antlr4::Token::DEFAULT_CHANNEL)
      append(list, token);
  }
  auto end = static_cast<uint32_t>(list.text.size());
  list.tokens.push_back({endOfText, end, end});
  breakStringsAtGaps(list, sources);
  return list;
}

std::string tokenKindName(unsigned kind) {
  if (kind == endOfText)
    return "EOF";
  return AoaLexer(nullptr).getVocabulary().getSymbolicName(kind);
}

} // namespace aoa::parse
