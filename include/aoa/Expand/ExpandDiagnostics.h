//===- ExpandDiagnostics.h - What Expand reports ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_EXPAND_EXPANDDIAGNOSTICS_H
#define AOA_EXPAND_EXPANDDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Expand/ExpandDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_EXPAND_EXPANDDIAGNOSTICS_H
