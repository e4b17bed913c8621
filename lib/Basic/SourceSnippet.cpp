//===- SourceSnippet.cpp - A source line and what is marked -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SourceSnippet.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>

using llvm::StringRef;

namespace aoa {

namespace {
constexpr size_t longestLine = 160, clippedLine = 120, clippedContext = 40;
constexpr unsigned tabWidth = 8;

/// The next character of a text, ready to be shown.
struct Glyph {
  std::string text;
  size_t numBytes;
  unsigned width;
};

Glyph glyphAt(StringRef text, size_t at, unsigned column) {
  if (text[at] == '\t') {
    unsigned width = tabWidth - column % tabWidth;
    return {std::string(width, ' '), 1, width};
  }
  size_t size = llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(text[at]));
  StringRef bytes = text.substr(at, size);
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(bytes.begin());
  auto *end = reinterpret_cast<const llvm::UTF8 *>(bytes.end());
  if (bytes.size() == size && llvm::isLegalUTF8Sequence(begin, end)) {
    int width = llvm::sys::unicode::columnWidthUTF8(bytes);
    if (width >= 0)
      return {bytes.str(), size, static_cast<unsigned>(width)};
  } else {
    bytes = text.substr(at, 1);
  }
  std::string code = "<" + llvm::toHex(bytes) + ">";
  unsigned width = static_cast<unsigned>(code.size());
  return {std::move(code), bytes.size(), width};
}

bool isContinuationByte(char c) { return (c & 0xC0) == 0x80; }

/// Bytes [begin, end) of a line, at character boundaries.
struct Window {
  size_t begin, end;
};

Window clipAround(StringRef line, size_t at) {
  if (line.size() <= longestLine)
    return {0, line.size()};
  size_t begin = at > clippedContext ? at - clippedContext : 0;
  size_t end = std::min(line.size(), begin + clippedLine);
  while (begin > 0 && isContinuationByte(line[begin]))
    --begin;
  while (end < line.size() && isContinuationByte(line[end]))
    ++end;
  return {begin, end};
}
} // namespace

std::string showable(StringRef text) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    Glyph glyph = glyphAt(text, at, 0);
    if (text[at] == '\t')
      glyph.text = "<09>";
    shown += glyph.text;
    at += glyph.numBytes;
  }
  return shown;
}

void printSnippet(llvm::raw_ostream &os, const SourceManager &sources,
                  SourceRange range, StringRef label, bool color) {
  SourceManager::Position position = sources.position(range.file, range.begin);
  StringRef line = position.lineText;
  size_t first = std::min<size_t>(position.column - 1, line.size());
  size_t last =
      std::min<size_t>(first + (range.end - range.begin), line.size());
  Window window = clipAround(line, first);
  last = std::min(last, window.end);

  std::string shown = window.begin ? "..." : "";
  unsigned column = static_cast<unsigned>(shown.size());
  unsigned firstColumn = column, lastColumn = column;
  for (size_t at = window.begin; at < window.end;) {
    if (at <= first)
      firstColumn = column;
    Glyph glyph = glyphAt(line, at, column);
    shown += glyph.text;
    column += glyph.width;
    at += glyph.numBytes;
    if (at <= last)
      lastColumn = column;
  }
  if (first >= window.end)
    firstColumn = column;
  if (window.end < line.size())
    shown += "...";

  std::string number = std::to_string(position.line);
  size_t gutter = std::max<size_t>(5, number.size());
  os.indent(static_cast<unsigned>(gutter - number.size()))
      << StringRef(number + " | " + shown).rtrim() << '\n';
  os.indent(static_cast<unsigned>(gutter)) << " | ";
  os.indent(firstColumn) << (color ? "\033[1;32m^" : "^");
  for (unsigned i = firstColumn + 1; i < lastColumn; ++i)
    os << '~';
  if (!label.empty())
    os << ' ' << label;
  os << (color ? "\033[0m\n" : "\n");
}

} // namespace aoa
