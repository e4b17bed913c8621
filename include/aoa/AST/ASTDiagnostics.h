//===- ASTDiagnostics.h - Kinds that stages on the tree share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AST_ASTDIAGNOSTICS_H
#define AOA_AST_ASTDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/AST/ASTDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_AST_ASTDIAGNOSTICS_H
