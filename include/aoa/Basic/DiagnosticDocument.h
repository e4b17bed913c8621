//===- DiagnosticDocument.h - Diagnostics for other programs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What one call of a command reports, as one JSON document: our own form
// (docs/schemas/diagnostics.schema.json) or SARIF 2.1.0, which code hosts and
// editors read. Lines and columns count from 1, columns in bytes; byte offsets
// count from 0. Nothing is left out: the limit of the text form does not hold.
//===----------------------------------------------------------------------===//
#ifndef AOA_BASIC_DIAGNOSTICDOCUMENT_H
#define AOA_BASIC_DIAGNOSTICDOCUMENT_H

#include "aoa/Basic/SourceManager.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace aoa {

/// How often a fault was reported.
struct Occurrences {
  unsigned count = 1;
  unsigned instances = 1; ///< Of templates, and turns of loops.
};

class DiagnosticDocument {
public:
  enum class Form { Json, Sarif };

  /// `version` is the program's.
  DiagnosticDocument(Form form, std::string version)
      : form(form), version(std::move(version)) {}

  /// Adds a diagnostic that stands for so many like it.
  void add(const SourceManager &sources, const Diagnostic &diagnostic,
           Severity severity, const Occurrences &occurrences);
  /// Adds what has no place in a text: a file that cannot be read, a full disk.
  void addFailure(llvm::StringRef message);

  /// Prints the whole document.
  void print(llvm::raw_ostream &os) const;

private:
  llvm::json::Value json() const;
  llvm::json::Value sarif() const;

  Form form;
  std::string version;
  std::vector<llvm::json::Value> reports;
  /// SARIF: the kinds that were reported, by name, with their summaries.
  std::map<std::string, std::string> kinds;
};

} // namespace aoa

#endif // AOA_BASIC_DIAGNOSTICDOCUMENT_H
