//===- DiagnosticEngine.h - Diagnostics, collected and shown ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The sink of the compiler. What one fault causes many times (same kind, same
// range) is one diagnostic that says how often. Warnings can be made errors.
// Rendered as text:
//
//   convert.aoa:14:22: error: pieces overlap in `qkv` [overlapping-pieces]
//      14 |   q, k, v -> qkv, fused_qkv
//         |              ^~~ element [4096, 0] is written twice
//   convert.aoa:11:1: note: first by this statement
//===----------------------------------------------------------------------===//
#ifndef AOA_BASIC_DIAGNOSTICENGINE_H
#define AOA_BASIC_DIAGNOSTICENGINE_H

#include "aoa/Basic/SourceManager.h"
#include "aoa/Support/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace aoa {

struct DiagnosticOptions {
  bool warningsAreErrors = false; ///< -Werror
  bool strict = false;            ///< --strict: `strictKinds` are errors.
  bool color = false;
  unsigned errorLimit = 20; ///< Errors shown; the rest is counted. 0: all.
};

class DiagnosticEngine final : public DiagnosticSink {
public:
  DiagnosticEngine(const SourceManager &sources, DiagnosticOptions options)
      : sources(sources), options(options) {}

  void report(Diagnostic diagnostic) override;
  unsigned numErrors() const override { return errors; }
  unsigned numWarnings() const { return warnings; }

  /// Prints what has been reported since the last call, in order of report.
  void flush(llvm::raw_ostream &os);

  /// Whether `kind` becomes an error under --strict: unused-source,
  /// unused-rule.
  static bool isStrictKind(const DiagnosticKind &kind);

private:
  struct Entry {
    Diagnostic diagnostic;
    Severity severity;
    unsigned count = 1;
  };
  const SourceManager &sources;
  DiagnosticOptions options;
  std::vector<Entry> entries;
  std::map<std::pair<const DiagnosticKind *, SourceRange>, size_t> merged;
  size_t numShown = 0;
  unsigned errors = 0, warnings = 0, errorsShown = 0;
};

} // namespace aoa

#endif // AOA_BASIC_DIAGNOSTICENGINE_H
