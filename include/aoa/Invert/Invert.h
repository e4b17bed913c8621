//===- Invert.h - The script for the way back -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Of a script and its two ends, the script in the aoa dialect that makes the
// source of the result:
//
//   l.$LAYER_ID.q, l.$LAYER_ID.k -> l.$LAYER_ID.qk, axis=0, dtype=float32
//     →  l.$LAYER_ID.qk -> l.$LAYER_ID.q, l.$LAYER_ID.k,
//          src_dtype=float32, dst_dtype=bfloat16, axis=0
//
// Each written statement is turned round as it is written. That is only a
// guess: it is expanded for the tensors that the result has, and taken where it
// does exactly what the statements do that undo the forward ones one by one,
// which are right by construction. Otherwise these are rolled up into templates
// and loops, which are proved in the same way. At the end the whole is composed
// with the forward program and must be the identity on every tensor of the
// source.
//===----------------------------------------------------------------------===//
#ifndef AOA_INVERT_INVERT_H
#define AOA_INVERT_INVERT_H

#include "aoa/Expand/Expand.h"
#include "aoa/Sema/Analyze.h"

namespace aoa {

struct InvertInputs {
  const ast::Script &script;   ///< As parsed.
  const ast::Script &expanded; ///< The same, with primitives only.
  /// Of `expanded`, with the shards of its results and their pieces
  /// (lower-to-pieces), without errors.
  const ir::Program &program;
  llvm::ArrayRef<AnalyzedStatement> analyzed;
  const Catalog &source;
  const Target &target;
  /// What expanded the script: the way back has its two ends exchanged.
  const ExpandInputs &expandInputs;
  std::string scriptName; ///< For the comment at the head.
};

struct Inversion {
  std::string text; ///< Empty where errors were reported.
  /// What could not be proved of what was made: a bug.
  std::optional<std::string> bug;
};

/// Returns the script for the way back. Reports everything that does not come
/// back, and what comes back rounded.
Inversion invertScript(const InvertInputs &inputs, DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_INVERT_INVERT_H
