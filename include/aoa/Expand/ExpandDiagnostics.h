//===- ExpandDiagnostics.h - What Expand reports ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_EXPAND_EXPANDDIAGNOSTICS_H
#define AOA_EXPAND_EXPANDDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC(ENUMERATOR, NAME, SEVERITY, SUMMARY)                    \
  inline constexpr DiagnosticKind ENUMERATOR{NAME, Severity::SEVERITY, SUMMARY};
#include "aoa/Expand/ExpandDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_EXPAND_EXPANDDIAGNOSTICS_H
