//===- ReportLosses.h - What does not come back, and why --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_INVERT_REPORTLOSSES_H
#define AOA_LIB_INVERT_REPORTLOSSES_H

#include "Recovery.h"

namespace aoa::invert {

/// Reports everything that keeps a tensor of the source from coming back, at
/// the statements that lose it, and what the way back rounds. `script` has the
/// expansions of the forward statements.
void reportLosses(const Forward &forward, const Recovery &recovery,
                  const ast::Script &script, const Target &target,
                  DiagnosticSink &sink);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_REPORTLOSSES_H
