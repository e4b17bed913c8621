//===- FaultPlace.h - Where a fault in geometry comes from ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_TRANSFORMS_FAULTPLACE_H
#define AOA_LIB_TRANSFORMS_FAULTPLACE_H

#include "aoa/IR/Program.h"

namespace aoa {

/// Starts an error at the statement that `op` came from, with the macro calls
/// that led there as notes. A source tensor has no statement: no place then.
Diagnostic errorAt(const DiagnosticKind &kind, const ir::Op &op,
                   const ast::Script &script, std::string message);

/// Adds `message` at the statement of `op`, and its macro calls. Does nothing
/// for source tensors.
void addNoteAt(Diagnostic &diagnostic, const ir::Op &op,
               const ast::Script &script, std::string message);

} // namespace aoa

#endif // AOA_LIB_TRANSFORMS_FAULTPLACE_H
