//===- DiagnosticDocument.cpp - Diagnostics for other programs --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/DiagnosticDocument.h"

#include "DiagnosticJson.h"
#include "DiagnosticSarif.h"

#include "llvm/Support/FormatVariadic.h"

namespace aoa {

void DiagnosticDocument::add(const SourceManager &sources,
                             const Diagnostic &diagnostic, Severity severity,
                             const Occurrences &occurrences) {
  std::string kind(diagnostic.kind->name);
  reports.push_back(
      form == Form::Json
          ? diagnosticAsJson(sources, diagnostic, severity, occurrences)
          : diagnosticAsSarif(sources, diagnostic, severity, occurrences));
  kinds.try_emplace(std::move(kind), diagnostic.kind->summary);
}

void DiagnosticDocument::addFailure(llvm::StringRef message) {
  static constexpr DiagnosticKind failure{
      "failure", Severity::Error,
      "a file, a disk or a limit kept the command from its work"};
  add(SourceManager(), {&failure, {}, message.str()}, Severity::Error, {});
}

llvm::json::Value DiagnosticDocument::json() const {
  return llvm::json::Object{{"schema", "aoa.diagnostics/1"},
                            {"diagnostics", llvm::json::Array(reports)}};
}

llvm::json::Value DiagnosticDocument::sarif() const {
  llvm::json::Array rules;
  for (const auto &[name, summary] : kinds)
    rules.push_back(llvm::json::Object{
        {"id", name},
        {"shortDescription", llvm::json::Object{{"text", summary}}}});
  llvm::json::Object driver{{"name", "aoac"},
                            {"semanticVersion", version},
                            {"rules", std::move(rules)}};
  llvm::json::Object run{
      {"tool", llvm::json::Object{{"driver", std::move(driver)}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", llvm::json::Array(reports)}};
  return llvm::json::Object{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", llvm::json::Array{std::move(run)}}};
}

void DiagnosticDocument::print(llvm::raw_ostream &os) const {
  os << llvm::formatv("{0:2}\n", form == Form::Json ? json() : sarif());
}

} // namespace aoa
