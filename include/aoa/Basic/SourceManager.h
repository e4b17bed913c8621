//===- SourceManager.h - The texts being compiled ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Owns scripts, layouts and catalogs and turns byte offsets into lines and
// columns. A script that came from the `aoa_statements` of a JSON file is a
// text of its own whose ranges map into the JSON text, so that diagnostics
// point there.
//===----------------------------------------------------------------------===//
#ifndef AOA_BASIC_SOURCEMANAGER_H
#define AOA_BASIC_SOURCEMANAGER_H

#include "aoa/Support/Diagnostic.h"
#include "aoa/Support/Error.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <vector>

namespace aoa {

class SourceManager {
public:
  SourceManager();
  ~SourceManager();

  /// Adds a text under the name that diagnostics show.
  FileId add(std::string name, std::string text);
  /// Reads a file; `-` is standard input, shown as `<stdin>`. Texts over 4 GiB
  /// fail.
  Expected<FileId> open(llvm::StringRef path);

  llvm::StringRef name(FileId file) const;
  llvm::StringRef text(FileId file) const;

  struct Position {
    unsigned line = 1;        ///< From 1.
    unsigned column = 1;      ///< From 1, in bytes.
    llvm::StringRef lineText; ///< Without its line end.
  };
  /// Cost: binary search in the file's lines.
  Position position(FileId file, uint32_t offset) const;

  /// Says that bytes [begin, end) of `virtualText` stand at `at` in another
  /// file (a JSON string without escapes maps byte by byte). Pieces are added
  /// in order.
  void mapRange(FileId virtualText, uint32_t begin, uint32_t end,
                SourceRange at);
  /// Follows mapRange; ranges of ordinary files come back unchanged.
  SourceRange resolve(SourceRange range) const;
  /// Says that `file` is read in place of the include at `at`.
  void setIncludedFrom(FileId file, SourceRange at);
  /// Returns where a file is included; unknown where it is not.
  SourceRange includedFrom(FileId file) const;
  /// Whether the pieces of mapRange that `range` lies in follow on each other;
  /// true for ordinary files. Cost: linear in these pieces.
  bool isMappedWithoutGap(SourceRange range) const;

private:
  struct File;
  std::vector<std::unique_ptr<File>> files;
};

} // namespace aoa

#endif // AOA_BASIC_SOURCEMANAGER_H
