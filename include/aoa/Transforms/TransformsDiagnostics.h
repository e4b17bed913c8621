//===- TransformsDiagnostics.h - Kinds of this library ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_TRANSFORMS_TRANSFORMSDIAGNOSTICS_H
#define AOA_TRANSFORMS_TRANSFORMSDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC(ENUMERATOR, NAME, SEVERITY, SUMMARY)                    \
  inline constexpr DiagnosticKind ENUMERATOR{NAME, Severity::SEVERITY, SUMMARY};
#include "aoa/Transforms/TransformsDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_TRANSFORMS_TRANSFORMSDIAGNOSTICS_H
