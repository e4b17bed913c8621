//===- Provenance.h - Where expanded statements came from -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The statements of an expanded script with comments above them:
//
//   # llama.aoa:3 > $LAYER_ID = 0 > fused_ffn
//   gate.0, up.0 -> ffn.0, axis=1
//
//   # llama.aoa:7 > interleave > rows at fused.aoa:3 > fused.aoa:12
//   gate.1 -> %0.g.0, %0.g.1, axis=0
//
// the place that the user wrote, then what made this of it, outermost first,
// with the place of a call in the body of another macro, and at last the
// statement's own line in a body. A comment holds for the statements up to the
// next one. Only the aoa dialect has comments.
//===----------------------------------------------------------------------===//
#ifndef AOA_AST_PROVENANCE_H
#define AOA_AST_PROVENANCE_H

#include "aoa/AST/Script.h"
#include "aoa/Basic/SourceManager.h"

namespace aoa::ast {

/// Returns the text of such a comment, without `# ` and line end: one line,
/// whatever names hold.
std::string provenanceOf(const Statement &statement, const Script &script,
                         const SourceManager &sources);

/// Prints the statements of an expanded script with their comments; the text
/// expands to the same statements.
std::string printWithProvenance(const Script &script,
                                const SourceManager &sources);

} // namespace aoa::ast

#endif // AOA_AST_PROVENANCE_H
