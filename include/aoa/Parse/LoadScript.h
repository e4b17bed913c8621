//===- LoadScript.h - A script with the files that it includes --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses a script and puts the items of a file in place of each
//
//   include "attention.aoa"
//
// recursively. The name is looked for beside the file that includes it, then in
// the directories of -I, in order. Every file is read once: what it really is,
// with symbolic links followed, decides. That also decides whether it may be
// read: only files below the script's own directory (of standard input: the
// current one) or below a directory of -I.
//
// Limits, which are errors that name them: 100 includes within each other,
// 64 MiB a file, 256 MiB and 10,000 files together. Cost: that of parsing, and
// a few system calls for each different name in a directory.
//===----------------------------------------------------------------------===//
#ifndef AOA_PARSE_LOADSCRIPT_H
#define AOA_PARSE_LOADSCRIPT_H

#include "aoa/AST/Script.h"
#include "aoa/Basic/SourceManager.h"
#include "aoa/Support/IncludedTexts.h"

#include <string>
#include <vector>

namespace aoa {

struct IncludeOptions {
  std::vector<std::string> directories; ///< Of -I, in order.
};

/// Parses `file` and what it includes. The result holds no ast::Include: what
/// cannot be included is reported and left out. The texts that were read become
/// `taken`, if that is not null.
ast::Script loadScript(SourceManager &sources, FileId file,
                       ast::Dialect dialect, const IncludeOptions &options,
                       DiagnosticSink &sink, IncludedTexts *taken = nullptr);

/// Parses `file` with the texts that `loadScript` has taken before; no file is
/// read. Texts that do not fit the script are reported.
ast::Script reloadScript(SourceManager &sources, FileId file,
                         ast::Dialect dialect, const IncludedTexts &texts,
                         DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_PARSE_LOADSCRIPT_H
