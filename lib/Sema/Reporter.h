//===- Reporter.h - Diagnostics of one statement ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Adds to every report what all of them need: a place even for what a macro
// made, and the chain of expansions.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_REPORTER_H
#define AOA_LIB_SEMA_REPORTER_H

#include "aoa/AST/Script.h"
#include "aoa/Sema/SemaDiagnostics.h"

namespace aoa::sema {

class Reporter {
public:
  Reporter(const ast::Script &script, DiagnosticSink &sink)
      : script(script), sink(sink) {}

  /// Reports at `range`, or at the statement if that is unknown.
  void report(const DiagnosticKind &kind, const ast::Statement &statement,
              SourceRange range, std::string message,
              std::vector<Note> notes = {}) {
    if (!range.isKnown())
      range = statement.range;
    for (Note &note : ast::expansionNotes(script, statement.expansion))
      notes.push_back(std::move(note));
    sink.report({&kind, range, std::move(message), std::move(notes)});
  }

  /// Reports what no statement is to blame for, at `range` of a catalog's text,
  /// which may be unknown.
  void report(const DiagnosticKind &kind, SourceRange range,
              std::string message, std::vector<Note> notes = {}) {
    sink.report({&kind, range, std::move(message), std::move(notes)});
  }

  unsigned numErrors() const { return sink.numErrors(); }

private:
  const ast::Script &script;
  DiagnosticSink &sink;
};

inline std::string quote(llvm::StringRef name) {
  return "`" + name.str() + "`";
}

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_REPORTER_H
