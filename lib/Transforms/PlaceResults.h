//===- PlaceResults.h - Who holds what of each result -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_TRANSFORMS_PLACERESULTS_H
#define AOA_LIB_TRANSFORMS_PLACERESULTS_H

#include "aoa/Transforms/Lower.h"

namespace aoa {

/// Fills the shards of every result, still without pieces, and what their
/// padding holds, as the target says. A result that the target refuses is
/// reported and gets no shards. Faults of one rule are reported at the rule, so
/// that thousands of tensors with one fault are one diagnostic.
void placeResults(ir::Program &program, const Target &target,
                  const ast::Script &script, DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_LIB_TRANSFORMS_PLACERESULTS_H
