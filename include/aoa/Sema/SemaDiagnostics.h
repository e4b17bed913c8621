//===- SemaDiagnostics.h - Kinds of the analysis's reports ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SEMA_SEMADIAGNOSTICS_H
#define AOA_SEMA_SEMADIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Sema/SemaDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_SEMA_SEMADIAGNOSTICS_H
