//===- DiagnosticKinds.h - All kinds of all libraries -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_DIAGNOSTICKINDS_H
#define AOA_LIB_DRIVER_DIAGNOSTICKINDS_H

#include "aoa/Support/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace aoa::driver {

/// The kinds of all lists, sorted by name.
llvm::ArrayRef<const DiagnosticKind *> allDiagnosticKinds();

/// The page of a kind, as docs/diagnostics/NAME.md has it; empty if there is
/// none.
llvm::StringRef diagnosticPage(llvm::StringRef kind);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_DIAGNOSTICKINDS_H
