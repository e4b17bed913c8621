//===- DiagnosticJson.h - One diagnostic in our JSON form -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_BASIC_DIAGNOSTICJSON_H
#define AOA_LIB_BASIC_DIAGNOSTICJSON_H

#include "aoa/Basic/DiagnosticDocument.h"

namespace aoa {

/// As docs/schemas/diagnostics.schema.json says.
llvm::json::Value diagnosticAsJson(const SourceManager &sources,
                                   const Diagnostic &diagnostic,
                                   Severity severity,
                                   const Occurrences &occurrences);

/// JSON has no strings but UTF-8: what is none is replaced.
std::string jsonText(llvm::StringRef text);

/// `note`, `warning`, `error`.
llvm::StringRef severityName(Severity severity);

} // namespace aoa

#endif // AOA_LIB_BASIC_DIAGNOSTICJSON_H
