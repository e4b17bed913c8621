//===- LinearForm.h - `${LAYER_ID+1}` solved for the id ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Expressions that can be matched as well as filled: an id plus a number, or a
// number minus an id, however they are written (`2*(${n}-1) + LAYER_ID`).
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_LINEARFORM_H
#define AOA_LIB_EXPAND_LINEARFORM_H

#include "NameTemplate.h"
#include "aoa/Support/Expression.h"

namespace aoa::expand {

struct LinearForm {
  llvm::StringRef placeholder; ///< Without `$`; in the expression's text.
  IdShift shift;
};

/// Returns the form of `expr`; nothing if it has another one or has no value.
std::optional<LinearForm> linearForm(const Expr &expr, const ExprScope &scope);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_LINEARFORM_H
