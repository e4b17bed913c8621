//===- ParseDiagnostics.h - What the parser reports -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_PARSEDIAGNOSTICS_H
#define AOA_PARSE_PARSEDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {
#define AOA_DIAGNOSTIC(enumerator, name, severity, summary)                    \
  inline constexpr DiagnosticKind enumerator{name, Severity::severity, summary};
#include "aoa/Parse/ParseDiagnostics.def"
#undef AOA_DIAGNOSTIC
} // namespace aoa::diag

#endif // AOA_PARSE_PARSEDIAGNOSTICS_H
