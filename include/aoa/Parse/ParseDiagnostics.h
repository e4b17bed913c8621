//===- ParseDiagnostics.h - What the parser reports -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_PARSEDIAGNOSTICS_H
#define AOA_PARSE_PARSEDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Parse/ParseDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_PARSE_PARSEDIAGNOSTICS_H
