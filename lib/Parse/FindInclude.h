//===- FindInclude.h - Which file an include means --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PARSE_FINDINCLUDE_H
#define AOA_LIB_PARSE_FINDINCLUDE_H

#include "aoa/Support/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <expected>
#include <string>
#include <vector>

namespace aoa::parse {

struct IncludeFault {
  const DiagnosticKind *kind;
  std::string message;
};

struct FoundInclude {
  std::string name;     ///< As diagnostics show it: `lib/attention.aoa`.
  std::string realPath; ///< Absolute, without symbolic links.
};

/// The directories in which includes are looked for, and those below which
/// they may lie: that of the script, but for absolute names and those with
/// `..`, and those that are given.
class IncludePlaces {
public:
  /// `scriptName` is that of the script which includes the others.
  IncludePlaces(llvm::StringRef scriptName,
                llvm::ArrayRef<std::string> directories);

  /// Finds what `path` means in the file called `includer`. It exists and may
  /// be read; that it is a text is not said.
  std::expected<FoundInclude, IncludeFault>
  find(llvm::StringRef path, llvm::StringRef includer) const;

private:
  std::expected<FoundInclude, IncludeFault> check(llvm::StringRef path,
                                                  FoundInclude found) const;

  std::vector<std::string> directories;
  std::string ownPlace;             ///< The script's; a real path.
  std::vector<std::string> allowed; ///< Real paths of those that are given.
};

/// The real path of a file, or nothing if there is none.
std::string realPathOf(llvm::StringRef path);

/// The directory part of a file's name; empty: the current directory.
llvm::StringRef directoryOf(llvm::StringRef name);

/// Says that a file of `bytes` is over the limit.
std::string tooLarge(llvm::StringRef name, int64_t bytes, int64_t maxBytes);

/// Reads a file of at most `maxBytes`.
std::expected<std::string, IncludeFault> readInclude(const FoundInclude &found,
                                                     int64_t maxBytes);

} // namespace aoa::parse

#endif // AOA_LIB_PARSE_FINDINCLUDE_H
