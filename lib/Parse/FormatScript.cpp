//===- FormatScript.cpp - Canonical text, comments kept ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Works on the tokens of a script without syntax errors. A statement, or what
// stands before a block up to its `{`, is a list of pieces that are never
// broken: a name or attribute with its `,`, the first name on the right with
// the arrow before it. Statements that do not fit on a line break before the
// arrow, and behind pieces where a side is still too long. Comments move behind
// the piece that they stand in. Blocks are indented by two.
//===----------------------------------------------------------------------===//
#include "CanonicalText.h"
#include "TokenList.h"
#include "WrapPieces.h"
#include "aoa/Parse/Parse.h"

#include "AoaLexer.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using aoa::grammar::AoaLexer;
using aoa::parse::Piece;
using aoa::parse::Token;
using aoa::parse::TokenList;
using llvm::StringRef;

namespace aoa {

namespace {
constexpr StringRef indentOfBlocks = "  ";

/// Where the items of a block begin in the text, in order: statements may
/// follow each other without a separator.
void collectBegins(const ast::Block &block, std::vector<uint32_t> &begins) {
  for (const ast::Item &item : block) {
    if (const auto *statement = std::get_if<ast::Statement>(&item.data))
      begins.push_back(statement->range.begin);
    else if (const auto *loop = std::get_if<ast::For>(&item.data))
      collectBegins(loop->body, begins);
    else if (const auto *branches = std::get_if<ast::If>(&item.data))
      for (const ast::If::Branch &branch : branches->branches)
        collectBegins(branch.body, begins);
    else if (const auto *macro =
                 std::get_if<std::shared_ptr<const ast::MacroDefinition>>(
                     &item.data))
      collectBegins((*macro)->body, begins);
  }
}

class Formatter {
public:
  Formatter(const TokenList &list, const ast::Script &script) : list(list) {
    collectBegins(script.body, statementBegins);
  }

  std::string format() {
    while (kind() != parse::endOfText) {
      if (list.isSeparator(nextToken))
        ++nextToken;
      else if (kind() == AoaLexer::RBRACE)
        closeBlock();
      else
        printItem("");
    }
    printCommentsBefore(~0u);
    return std::move(out);
  }

private:
  unsigned kind() const { return list.tokens[nextToken].kind; }

  // ---- Blank lines: one is kept wherever the text has some between items

  /// Starts a line for what stands at `begin` of the text.
  void beginLine(uint32_t begin) {
    if (!out.empty() && !beginsBlock &&
        hasBlankLine(list.text.slice(lastEnd, begin)))
      out += '\n';
    beginsBlock = false;
    out += indent;
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

  // ---- Items

  /// Prints an item, one with a block up to its `{`. `prefix` is what stands
  /// before it on its line.
  void printItem(StringRef prefix) {
    uint32_t begin = list.tokens[nextToken].begin;
    if (prefix.empty()) {
      printCommentsBefore(begin);
      beginLine(begin);
    }
    std::vector<Piece> pieces = readPieces(prefix);
    bool hasBlock = kind() == AoaLexer::LBRACE;
    if (hasBlock) {
      pieces.back().text += " {";
      lastEnd = list.tokens[nextToken++].end;
    }
    bool mayWrap = list.dialect == ast::Dialect::Aoa;
    out += parse::wrapPieces(pieces, indent, hasBlock, mayWrap);
    endsInStatement = !pieces.back().hasComment();
    if (!hasBlock)
      return;
    indent += indentOfBlocks;
    beginsBlock = true;
  }

  /// Prints the `}` of a block, on one line with the `else` behind it if no
  /// comment stands between.
  void closeBlock() {
    const Token &brace = list.tokens[nextToken];
    printCommentsBefore(brace.begin);
    indent.resize(indent.size() - indentOfBlocks.size());
    beginsBlock = false;
    lastEnd = brace.end;
    out += indent;
    ++nextToken;
    if (kind() == AoaLexer::ELSE && !hasCommentBefore(nextToken))
      return printItem("} ");
    out += "}\n";
    endsInStatement = true;
  }

  bool hasCommentBefore(size_t token) const {
    return nextComment < list.comments.size() &&
           list.comments[nextComment].begin < list.tokens[token].begin;
  }

  // ---- Pieces

  /// Whether the item that began at `first` ends before the next token.
  bool isItemEnd(size_t first) {
    if (list.isSeparator(nextToken) || kind() == AoaLexer::LBRACE ||
        kind() == AoaLexer::RBRACE)
      return true;
    return nextToken != first &&
           std::ranges::binary_search(statementBegins,
                                      list.tokens[nextToken].begin);
  }

  std::vector<Piece> readPieces(StringRef prefix) {
    std::vector<Piece> pieces(1);
    pieces.back().text = prefix.str();
    // The `( )` of a macro's head does not keep its parts together.
    int depth = kind() == AoaLexer::MACRO ? -1 : 0;
    for (size_t first = nextToken; !isItemEnd(first); ++nextToken) {
      const Token &token = list.tokens[nextToken];
      addCommentsBefore(token.begin, pieces);
      depth += parse::nestingStep(token.kind);
      Piece &piece = pieces.back();
      if (token.kind == AoaLexer::ARROW) {
        pieces.emplace_back();
        pieces.back().text = "-> ";
        pieces.back().beginsRight = true;
      } else if (token.kind == AoaLexer::HEAD_SEMI ||
                 (token.kind == AoaLexer::COMMA && depth == 0)) {
        piece.text += list.textOf(token);
        pieces.emplace_back();
      } else {
        if (!piece.text.empty() && !StringRef(piece.text).ends_with(" ") &&
            parse::hasBlankBefore(list, nextToken))
          piece.text += ' ';
        piece.text += list.textOf(token);
      }
      lastEnd = token.end;
    }
    if (kind() == AoaLexer::LBRACE)
      addCommentsBefore(list.tokens[nextToken].begin, pieces);
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

  const TokenList &list;
  std::vector<uint32_t> statementBegins;
  std::string out;
  std::string indent;       ///< Of the items at work.
  bool beginsBlock = false; ///< Nothing stands behind the last `{` yet.
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
