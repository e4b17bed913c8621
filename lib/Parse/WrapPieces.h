//===- WrapPieces.h - The lines of a formatted statement --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_WRAPPIECES_H
#define AOA_PARSE_WRAPPIECES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace aoa::parse {

/// An unbreakable part of a statement and the comments that follow it.
struct Piece {
  std::string text;
  bool beginsRight = false; ///< Begins with the arrow.
  std::string trailing;     ///< Comment behind it on its line.
  std::vector<std::string> ownLines;

  bool hasComment() const { return !trailing.empty() || !ownLines.empty(); }
};

/// Returns the lines of a statement, or of what stands before a block up to its
/// `{`, the first one without its indent. Lines break behind comments and,
/// where the whole is longer than 120 characters and `mayWrap`, before the
/// arrow and behind pieces. Cost: linear.
std::string wrapPieces(llvm::ArrayRef<Piece> pieces, llvm::StringRef indent,
                       bool hasBlock, bool mayWrap);

} // namespace aoa::parse

#endif // AOA_PARSE_WRAPPIECES_H
