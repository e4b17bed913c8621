//===- IRTextDiagnostics.h - What the reader of IR text says ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_IRTEXT_IRTEXTDIAGNOSTICS_H
#define AOA_IRTEXT_IRTEXTDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/IRText/IRTextDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_IRTEXT_IRTEXTDIAGNOSTICS_H
