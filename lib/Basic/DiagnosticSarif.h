//===- DiagnosticSarif.h - One diagnostic as a SARIF result -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_BASIC_DIAGNOSTICSARIF_H
#define AOA_LIB_BASIC_DIAGNOSTICSARIF_H

#include "aoa/Basic/DiagnosticDocument.h"

namespace aoa {

/// A `result` object of SARIF 2.1.0 (OASIS, section 3.27).
llvm::json::Value diagnosticAsSarif(const SourceManager &sources,
                                    const Diagnostic &diagnostic,
                                    Severity severity,
                                    const Occurrences &occurrences);

} // namespace aoa

#endif // AOA_LIB_BASIC_DIAGNOSTICSARIF_H
