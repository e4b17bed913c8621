//===- Parse.h - From text to syntax tree -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The grammar is grammar/*.g4; SLL prediction first, LL only after a failure.
// Nesting is counted on the tokens before parsing (limit 256), so no input
// overflows the stack. Errors are worded here, not by ANTLR. A broken statement
// is reported and left out; parsing goes on with the next, inside of blocks,
// too. Cost: linear.
//===----------------------------------------------------------------------===//
#ifndef AOA_PARSE_PARSE_H
#define AOA_PARSE_PARSE_H

#include "aoa/AST/Script.h"
#include "aoa/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

namespace aoa {

/// Parses the text of `file` as a script. Tags are not told apart yet: every
/// bare word on the right that is no attribute is a right name (Expand knows
/// the macros).
ast::Script parseScript(const SourceManager &sources, FileId file,
                        ast::Dialect dialect, DiagnosticSink &sink);

/// Whether a text is JSON and no script: none begins with a bracket.
bool isJsonScript(llvm::StringRef text);

/// Makes the script text of a JSON file with `aoa_statements`: a virtual file,
/// one string a line, mapped into the JSON text. Reports what is not such a
/// file. Fields: aoa_statements (list of strings), aoa_config_reverse
/// (`isReversed`), enable_traceback (ignored).
std::optional<FileId> extractStatements(SourceManager &sources, FileId json,
                                        bool &isReversed, DiagnosticSink &sink);

/// Prints the tokens, one a line with line, column, kind and text.
void printTokens(const SourceManager &sources, FileId file,
                 ast::Dialect dialect, llvm::raw_ostream &os);

/// Returns the canonical text of a script, comments kept, or nothing if it has
/// syntax errors (reported). Stable: formatting twice changes nothing more.
std::optional<std::string> formatScript(const SourceManager &sources,
                                        FileId file, ast::Dialect dialect,
                                        DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_PARSE_PARSE_H
