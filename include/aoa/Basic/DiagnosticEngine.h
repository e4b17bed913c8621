//===- DiagnosticEngine.h - Diagnostics, collected and shown ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The sink of the compiler. What one fault causes many times (same kind, same
// known range and JSON path, by the same templates and macros at the same
// places) is one diagnostic that says how often, or in how many instances of a
// template or turns of a loop; the first is the one that is shown. Flags say
// what becomes of warnings. Rendered as text, or into a document for programs:
//
//   convert.aoa:14:22: error: pieces overlap in `qkv` [overlapping-pieces]
//      14 |   q, k, v -> qkv, fused_qkv
//         |              ^~~ element [4096, 0] is written twice
//   convert.aoa:11:1: note: first by this statement
//   convert.aoa:14:13: fix: insert `, axis=0`
//
// A fault in an included file shows where it is included. A first note with the
// range of the diagnostic itself is the text behind the underline. Control
// characters of hostile names are shown as `<1B>`.
//===----------------------------------------------------------------------===//
#ifndef AOA_BASIC_DIAGNOSTICENGINE_H
#define AOA_BASIC_DIAGNOSTICENGINE_H

#include "aoa/Basic/DiagnosticDocument.h"
#include "aoa/Basic/SourceManager.h"
#include "aoa/Basic/WarningFlags.h"
#include "aoa/Support/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <tuple>

namespace aoa {

struct DiagnosticOptions {
  WarningFlags warnings = {}; ///< -W…, --strict
  bool color = false;
  /// Errors shown, and as many warnings; the rest is counted. 0: all.
  unsigned errorLimit = 20;
  /// Takes the diagnostics in place of their text.
  DiagnosticDocument *document = nullptr;
};

class DiagnosticEngine final : public DiagnosticSink {
public:
  DiagnosticEngine(const SourceManager &sources, DiagnosticOptions options)
      : sources(sources), options(options) {}

  void report(Diagnostic diagnostic) override;
  /// Counts every report, also those merged into one diagnostic: a stage sees
  /// that it failed even if its fault was known before.
  unsigned numErrors() const override { return errors; }
  unsigned numWarnings() const { return warnings; }

  /// Prints `aoac: error: MESSAGE` or adds it to the document: what is no fault
  /// of a text. Does not count as a report.
  void showFailure(llvm::StringRef message, llvm::raw_ostream &os);

  /// Prints what has been reported since the last call, in order of report.
  void flush(llvm::raw_ostream &os);

private:
  struct Entry {
    Diagnostic diagnostic;
    Severity severity;
    Occurrences occurrences = {};
    std::string lastInstance = {}; ///< What the notes of the last one say.
  };
  /// What reports of one fault have in common: with the range and the JSON path
  /// the places of the notes on expansions.
  using Fault = std::tuple<const DiagnosticKind *, SourceRange, std::string,
                           std::vector<SourceRange>>;
  void addIncludes(Diagnostic &diagnostic) const;
  void print(const Entry &entry, llvm::raw_ostream &os) const;

  const SourceManager &sources;
  DiagnosticOptions options;
  std::vector<Entry> entries;
  /// Index in `entries` of the diagnostic that later ones are merged into.
  std::map<Fault, size_t> merged;
  size_t numFlushed = 0;
  unsigned errors = 0, warnings = 0, errorsShown = 0, warningsShown = 0;
};

} // namespace aoa

#endif // AOA_BASIC_DIAGNOSTICENGINE_H
