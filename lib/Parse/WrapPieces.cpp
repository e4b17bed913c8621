//===- WrapPieces.cpp - The lines of a formatted statement ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "WrapPieces.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace aoa::parse {

namespace {
constexpr size_t longestLine = 120;

/// Characters of a UTF-8 text.
size_t numCharacters(StringRef text) {
  return static_cast<size_t>(
      llvm::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

class Wrapping {
public:
  Wrapping(StringRef indent, bool hasBlock)
      : indent(indent), column(indent.size()),
        // Further than the block, so that its head stays apart.
        nextIndent(indent.str() + (hasBlock ? "    " : "  ")),
        indentBehind(indent.str() + (hasBlock ? "  " : "")) {}

  std::string wrap(llvm::ArrayRef<Piece> pieces, bool mayWrap) {
    bool breaks = !fitsOnLine(pieces, mayWrap);
    for (const Piece &piece : pieces) {
      size_t width = numCharacters(piece.text);
      bool isTooLong = column + 1 + width > longestLine;
      if (!atLineBegin && breaks && (piece.beginsRight || isTooLong))
        endLine();
      bool isFirst = &piece == pieces.begin();
      if (!isFirst)
        add(atLineBegin ? StringRef(nextIndent) : " ");
      add(piece.text);
      addComments(piece, &piece == &pieces.back() ? indentBehind : nextIndent);
    }
    if (!atLineBegin)
      endLine();
    return std::move(lines);
  }

private:
  /// Whether the pieces stand on one line: they are short enough and no comment
  /// but one behind the last cuts them.
  bool fitsOnLine(llvm::ArrayRef<Piece> pieces, bool mayWrap) const {
    size_t width = indent.size();
    for (const Piece &piece : pieces) {
      width += numCharacters(piece.text) + (&piece != pieces.begin());
      if (&piece != &pieces.back() && piece.hasComment())
        return false;
    }
    return width <= longestLine || !mayWrap;
  }

  void add(StringRef text) {
    lines += text;
    column += numCharacters(text);
    atLineBegin = false;
  }

  void endLine() {
    lines += '\n';
    column = 0;
    atLineBegin = true;
  }

  void addComments(const Piece &piece, const std::string &before) {
    if (!piece.hasComment())
      return;
    if (!piece.trailing.empty())
      add(" " + piece.trailing);
    endLine();
    for (const std::string &comment : piece.ownLines)
      lines += before + comment + "\n";
  }

  StringRef indent;
  size_t column; ///< Where the line at work ends.
  std::string nextIndent, indentBehind;
  bool atLineBegin = true; ///< Behind the indent at most.
  std::string lines;
};
} // namespace

std::string wrapPieces(llvm::ArrayRef<Piece> pieces, StringRef indent,
                       bool hasBlock, bool mayWrap) {
  return Wrapping(indent, hasBlock).wrap(pieces, mayWrap);
}

} // namespace aoa::parse
