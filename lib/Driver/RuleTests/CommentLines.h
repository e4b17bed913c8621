//===- CommentLines.h - The comments of a test, line by line ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RULETESTS_COMMENTLINES_H
#define AOA_LIB_DRIVER_RULETESTS_COMMENTLINES_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace aoa::driver {

/// Goes through the lines of a text and knows which belong to a RUN line.
class CommentLines {
public:
  explicit CommentLines(llvm::StringRef text) : rest(text) {}

  /// Moves to the next line; false behind the last one.
  bool next();

  llvm::StringRef line;
  unsigned number = 0;
  /// What follows the `#` of a line that is all comment, without blanks around
  /// it; in RUN lines what follows the `RUN:`, without the `\` at its end.
  std::optional<llvm::StringRef> comment;
  bool isRun = false, beginsRun = false, continues = false;
  /// The line before ends in `\`, and this is no comment.
  bool endsBroken = false;

private:
  llvm::StringRef rest;
};

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_COMMENTLINES_H
