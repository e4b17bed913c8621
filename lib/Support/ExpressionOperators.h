//===- ExpressionOperators.h - What operators and functions do --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The operators and functions of expressions on values. `expr` is the node that
// is computed: it says which operator it is, and where faults are.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SUPPORT_EXPRESSIONOPERATORS_H
#define AOA_LIB_SUPPORT_EXPRESSIONOPERATORS_H

#include "aoa/Support/Expression.h"

namespace aoa::expression {

using Value = ExprResult<Constant>;

/// The operator as it is written; empty for what is none.
std::string_view symbolOf(Expr::Kind kind);

inline std::unexpected<ExprFault> fault(const Expr &expr, std::string message) {
  return std::unexpected(ExprFault{expr.range, std::move(message)});
}

template <typename T> const T *as(const Constant &value) {
  return std::get_if<T>(&value.data);
}

/// `== != < <= > >=`
Value compareValues(const Expr &expr, const Constant &a, const Constant &b);
/// `+ - * / // %`
Value calculate(const Expr &expr, const Constant &a, const Constant &b);

/// `len` of a list or a text.
Value length(const Expr &expr, const Constant &value);
/// `min` and `max` of at least one number.
Value extreme(const Expr &expr, std::vector<Constant> &values);
/// `gcd` and `lcm` of at least one whole number: never negative; gcd(0, 0) and
/// lcm(0, n) are 0.
Value divisors(const Expr &expr, const std::vector<Constant> &values);

} // namespace aoa::expression

#endif // AOA_LIB_SUPPORT_EXPRESSIONOPERATORS_H
