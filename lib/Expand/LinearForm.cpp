//===- LinearForm.cpp - `${LAYER_ID+1}` solved for the id -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "LinearForm.h"

#include "PutInValues.h"
#include "aoa/Support/CheckedMath.h"

namespace aoa::expand {
namespace {

/// factor * placeholder + offset
struct Linear {
  llvm::StringRef placeholder = {}; ///< Empty where factor is 0.
  int64_t factor = 0, offset = 0;
};

std::optional<Linear> scaled(const Linear &form, int64_t by) {
  std::optional<int64_t> factor = checkedMul(form.factor, by),
                         offset = checkedMul(form.offset, by);
  if (!factor || !offset)
    return std::nullopt;
  return Linear{form.placeholder, *factor, *offset};
}

std::optional<Linear> sum(const Linear &a, const Linear &b) {
  bool areTwo =
      a.factor != 0 && b.factor != 0 && a.placeholder != b.placeholder;
  std::optional<int64_t> factor = checkedAdd(a.factor, b.factor),
                         offset = checkedAdd(a.offset, b.offset);
  if (areTwo || !factor || !offset)
    return std::nullopt;
  return Linear{a.factor != 0 ? a.placeholder : b.placeholder, *factor,
                *offset};
}

std::optional<Linear> solve(const Expr &expr, const ExprScope &scope) {
  if (!anyVariable(expr, isIdVariable)) {
    ExprResult<Constant> value = evaluate(expr, scope, ExprPlace::Inserted);
    const auto *number = value ? std::get_if<int64_t>(&value->data) : nullptr;
    if (!number)
      return std::nullopt;
    return Linear{{}, 0, *number};
  }
  auto operand = [&](size_t i) { return solve(expr.operands[i], scope); };
  switch (expr.kind) {
  case Expr::Kind::Variable:
    return Linear{expr.text, 1, 0};
  case Expr::Kind::Inserted:
    return operand(0);
  case Expr::Kind::Negate: {
    std::optional<Linear> form = operand(0);
    return form ? scaled(*form, -1) : std::nullopt;
  }
  case Expr::Kind::Add:
  case Expr::Kind::Subtract: {
    std::optional<Linear> a = operand(0), b = operand(1);
    if (b && expr.kind == Expr::Kind::Subtract)
      b = scaled(*b, -1);
    return a && b ? sum(*a, *b) : std::nullopt;
  }
  case Expr::Kind::Multiply: {
    std::optional<Linear> a = operand(0), b = operand(1);
    if (!a || !b || (a->factor != 0 && b->factor != 0))
      return std::nullopt;
    return a->factor != 0 ? scaled(*a, b->offset) : scaled(*b, a->offset);
  }
  default: // No other operator of an id can be turned round.
    return std::nullopt;
  }
}

} // namespace

std::optional<LinearForm> linearForm(const Expr &expr, const ExprScope &scope) {
  std::optional<Linear> form = solve(expr, scope);
  if (!form || (form->factor != 1 && form->factor != -1))
    return std::nullopt;
  return LinearForm{form->placeholder, {form->offset, form->factor < 0}};
}

} // namespace aoa::expand
