//===- FormatScript.cpp - Canonical text, comments kept ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Works on the tokens of a script without syntax errors. A statement is a list
// of pieces that are never broken: a name or attribute with its `,`, the first
// name on the right with the arrow before it. Statements that do not fit on a
// line break before the arrow, and behind pieces where a side is still too
// long. Comments move behind the piece that they stand in.
//===----------------------------------------------------------------------===//
#include "CanonicalText.h"
#include "TokenList.h"
#include "aoa/Parse/Parse.h"

#include "AoaLexer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using aoa::grammar::AoaLexer;
using aoa::parse::Token;
using aoa::parse::TokenList;
using llvm::StringRef;

namespace aoa {

namespace {
constexpr size_t longestLine = 120;
constexpr StringRef continuationIndent = "  ";

/// Characters of a UTF-8 text.
size_t numCharacters(StringRef text) {
  return static_cast<size_t>(
      llvm::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// An unbreakable part of a statement and the comments that follow it.
struct Piece {
  std::string text;
  bool beginsRight = false; ///< Begins with the arrow.
  std::string trailing;     ///< Comment behind it on its line.
  std::vector<std::string> ownLines;

  bool hasComment() const { return !trailing.empty() || !ownLines.empty(); }
};

class Formatter {
public:
  Formatter(const TokenList &list, const ast::Script &script)
      : list(list), script(script) {}

  std::string format() {
    for (const ast::Statement *statement : ast::statementsOf(script.body)) {
      printCommentsBefore(statement->range.begin);
      printStatement(*statement);
    }
    printCommentsBefore(~0u);
    return std::move(out);
  }

private:
  // ---- Blank lines: one is kept wherever the text has some

  /// Starts a line for what stands at `begin` of the text.
  void beginLine(uint32_t begin) {
    if (!out.empty() && hasBlankLine(list.text.slice(lastEnd, begin)))
      out += '\n';
  }
  static bool hasBlankLine(StringRef gap) {
    int numLineEnds = 0;
    for (size_t i = 0; i < gap.size(); ++i)
      numLineEnds += gap[i] == '\n' ||
                     (gap[i] == '\r' && !gap.substr(i).starts_with("\r\n"));
    return numLineEnds > 1;
  }

  // ---- Comments

  std::string commentText(const Token &comment) const {
    return list.textOf(comment).rtrim().str();
  }
  /// Whether nothing but blanks stands before the comment on its line.
  bool standsAlone(const Token &comment) const {
    StringRef before = list.text.take_front(comment.begin).rtrim(" \t");
    return before.empty() || before.ends_with("\n") || before.ends_with("\r");
  }

  void printCommentsBefore(uint32_t end) {
    for (; nextComment < list.comments.size() &&
           list.comments[nextComment].begin < end;
         ++nextComment) {
      const Token &comment = list.comments[nextComment];
      // Behind a statement and perhaps its `;`: stays on that line.
      bool followsStatement = !standsAlone(comment) && endsInStatement;
      if (followsStatement)
        out.insert(out.size() - 1, " " + commentText(comment));
      else {
        beginLine(comment.begin);
        out += commentText(comment) + "\n";
      }
      endsInStatement = false;
      lastEnd = comment.end;
    }
  }

  // ---- Statements

  void printStatement(const ast::Statement &statement) {
    beginLine(statement.range.begin);
    std::vector<Piece> pieces = piecesOf(statement.range);
    printPieces(pieces);
    lastEnd = std::max(lastEnd, statement.range.end);
    endsInStatement = !pieces.back().hasComment();
  }

  std::vector<Piece> piecesOf(SourceRange range) {
    std::vector<Piece> pieces(1);
    int depth = 0;
    for (; list.tokens[nextToken].begin < range.end; ++nextToken) {
      const Token &token = list.tokens[nextToken];
      if (token.begin < range.begin)
        continue; // a separator
      addCommentsBefore(token.begin, pieces);
      depth += parse::nestingStep(token.kind);
      Piece &piece = pieces.back();
      if (token.kind == AoaLexer::ARROW) {
        pieces.emplace_back();
        pieces.back().text = "-> ";
        pieces.back().beginsRight = true;
      } else if (token.kind == AoaLexer::COMMA && depth == 0) {
        piece.text += ',';
        pieces.emplace_back();
      } else {
        if (!piece.text.empty() && !StringRef(piece.text).ends_with(" ") &&
            parse::hasBlankBefore(list, nextToken))
          piece.text += ' ';
        piece.text += list.textOf(token);
      }
      lastEnd = token.end;
    }
    return pieces;
  }

  /// Gives the comments within a statement to the piece that they stand in or
  /// behind.
  void addCommentsBefore(uint32_t end, std::vector<Piece> &pieces) {
    for (; nextComment < list.comments.size() &&
           list.comments[nextComment].begin < end;
         ++nextComment) {
      const Token &comment = list.comments[nextComment];
      bool isBehindPiece = pieces.back().text.empty();
      Piece &piece = isBehindPiece ? pieces[pieces.size() - 2] : pieces.back();
      if (!piece.hasComment() && !standsAlone(comment))
        piece.trailing = commentText(comment);
      else
        piece.ownLines.push_back(commentText(comment));
    }
  }

  void printPieces(llvm::ArrayRef<Piece> pieces) {
    bool fits = fitsOnLine(pieces, 0);
    size_t column = 0;
    bool atLineBegin = true;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const Piece &piece = pieces[i];
      size_t width = numCharacters(piece.text);
      bool isFirst = i == 0;
      if (!atLineBegin && !fits &&
          (piece.beginsRight || column + 1 + width > longestLine))
        endLine(atLineBegin);
      if (atLineBegin) {
        out += isFirst ? "" : continuationIndent;
        column = isFirst ? 0 : continuationIndent.size();
      } else {
        out += ' ';
        ++column;
      }
      out += piece.text;
      column += width;
      atLineBegin = false;
      printComments(piece, i + 1 == pieces.size(), atLineBegin);
    }
    if (!atLineBegin)
      endLine(atLineBegin);
  }

  void endLine(bool &atLineBegin) {
    out += '\n';
    atLineBegin = true;
  }

  void printComments(const Piece &piece, bool isLast, bool &atLineBegin) {
    if (!piece.hasComment())
      return;
    if (!piece.trailing.empty())
      out += " " + piece.trailing;
    endLine(atLineBegin);
    for (const std::string &comment : piece.ownLines)
      out += (isLast ? "" : continuationIndent.str()) + comment + "\n";
  }

  /// Whether the pieces stand on one line: they are short enough and no comment
  /// but one behind the last cuts them.
  bool fitsOnLine(llvm::ArrayRef<Piece> pieces, size_t column) const {
    for (const Piece &piece : pieces) {
      column += numCharacters(piece.text) + (&piece != pieces.begin());
      if (&piece != &pieces.back() && piece.hasComment())
        return false;
    }
    return column <= longestLine || list.dialect == ast::Dialect::Paddle;
  }

  const TokenList &list;
  const ast::Script &script;
  std::string out;
  size_t nextToken = 0, nextComment = 0;
  uint32_t lastEnd = 0; ///< Where what was printed last ends in the text.
  bool endsInStatement = false; ///< `out` ends in a statement's line.
};
} // namespace

std::optional<std::string> formatScript(const SourceManager &sources,
                                        FileId file, ast::Dialect dialect,
                                        DiagnosticSink &sink) {
  unsigned errorsBefore = sink.numErrors();
  ast::Script script = parseScript(sources, file, dialect, sink);
  if (sink.numErrors() != errorsBefore)
    return std::nullopt;
  TokenList list = parse::readTokens(sources, file, dialect);
  return Formatter(list, script).format();
}

} // namespace aoa
