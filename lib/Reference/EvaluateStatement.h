//===- EvaluateStatement.h - What a statement makes of tensors --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_EVALUATESTATEMENT_H
#define AOA_LIB_REFERENCE_EVALUATESTATEMENT_H

#include "OneToOne.h"

namespace aoa::reference {

/// Returns the tensor of every right name, in order, those that are discarded,
/// too. The operands are those of the left names, without their `^T`.
Expected<std::vector<WholeTensor>>
evaluateStatement(const ast::Statement &statement,
                  const std::vector<WholeTensor> &operands,
                  const Circumstances &circumstances);

/// Returns the tensor of `_ -> b, shape=[…], dtype=…`; nothing where the
/// statement leaves it to the caller.
Expected<std::optional<WholeTensor>>
evaluateFill(const ast::Statement &statement);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_EVALUATESTATEMENT_H
