//===- InvertDiagnostics.h - What Invert reports ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_INVERT_INVERTDIAGNOSTICS_H
#define AOA_INVERT_INVERTDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Invert/InvertDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_INVERT_INVERTDIAGNOSTICS_H
