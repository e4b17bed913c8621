//===- FormatsDiagnostics.h - Faults of checkpoints -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_FORMATS_FORMATSDIAGNOSTICS_H
#define AOA_FORMATS_FORMATSDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Formats/FormatsDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_FORMATS_FORMATSDIAGNOSTICS_H
