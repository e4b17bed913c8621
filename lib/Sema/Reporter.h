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
              std::vector<Note> notes = {}, std::vector<FixIt> fixIts = {}) {
    if (!range.isKnown())
      range = statement.range;
    for (Note &note : ast::expansionNotes(script, statement.expansion))
      notes.push_back(std::move(note));
    sink.report({&kind, range, std::move(message), std::move(notes),
                 std::move(fixIts)});
  }

  /// Returns the fix that puts `text` in place of `written`, a name of an
  /// attribute or tensor at `range`; quotes stay. There is none where the user
  /// did not write exactly that: in what a macro made, or with `${…}`.
  std::vector<FixIt> replaceWritten(const ast::Statement &statement,
                                    SourceRange range, llvm::StringRef written,
                                    llvm::StringRef text) const;
  /// Returns the fix that puts `text` behind the last name of the statement, if
  /// its names are the user's.
  std::vector<FixIt> insertAfterNames(const ast::Statement &statement,
                                      llvm::StringRef text) const;
  /// Returns the fix that puts `text` behind the left name `name`.
  std::vector<FixIt> insertAfter(const ast::Statement &statement,
                                 const ast::Name &name,
                                 llvm::StringRef text) const;

  /// Reports what no statement is to blame for, at `range` of a catalog's text,
  /// which may be unknown.
  void report(const DiagnosticKind &kind, SourceRange range,
              std::string message, std::vector<Note> notes = {}) {
    sink.report({&kind, range, std::move(message), std::move(notes)});
  }

  unsigned numErrors() const { return sink.numErrors(); }
  /// Whether the statement has the names and attributes of the user's text:
  /// only templates and stars made it.
  bool isWritten(const ast::Statement &statement) const;

private:
  const ast::Script &script;
  DiagnosticSink &sink;
};

inline std::string quote(llvm::StringRef name) {
  return "`" + name.str() + "`";
}

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_REPORTER_H
