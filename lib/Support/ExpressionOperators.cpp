//===- ExpressionOperators.cpp - What operators and functions do ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers stay whole numbers: what does not fit in 64 bits, and what a
// float would round, is a fault that shows the numbers.
//===----------------------------------------------------------------------===//
#include "ExpressionOperators.h"
#include "aoa/Support/CheckedMath.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace aoa::expression {

using Kind = Expr::Kind;

std::string_view symbolOf(Kind kind) {
  switch (kind) {
  case Kind::Negate:
  case Kind::Subtract:
    return "-";
  case Kind::Coalesce:
    return "??";
  case Kind::Multiply:
    return "*";
  case Kind::Divide:
    return "/";
  case Kind::FloorDivide:
    return "//";
  case Kind::Modulo:
    return "%";
  case Kind::Add:
    return "+";
  case Kind::Equal:
    return "==";
  case Kind::NotEqual:
    return "!=";
  case Kind::Less:
    return "<";
  case Kind::LessEqual:
    return "<=";
  case Kind::Greater:
    return ">";
  case Kind::GreaterEqual:
    return ">=";
  case Kind::Not:
    return "not";
  case Kind::And:
    return "and";
  case Kind::Or:
    return "or";
  case Kind::Integer:
  case Kind::Float:
  case Kind::Bool:
  case Kind::Text:
  case Kind::Literal:
  case Kind::Variable:
  case Kind::Config:
  case Kind::Inserted:
  case Kind::List:
  case Kind::Call:
  case Kind::Temporary:
    break;
  }
  return "";
}

namespace {

/// The whole number that `number` is, if it is one of 64 bits.
std::optional<int64_t> wholeOf(double number) {
  constexpr double limit = 9223372036854775808.0;
  if (number != std::trunc(number) || number < -limit || number >= limit)
    return std::nullopt;
  return static_cast<int64_t>(number);
}

/// Compares a whole number with a float exactly.
std::partial_ordering compareMixed(int64_t whole, double number) {
  constexpr double limit = 9223372036854775808.0;
  if (number >= limit)
    return std::partial_ordering::less;
  if (number < -limit)
    return std::partial_ordering::greater;
  double floor = std::floor(number);
  auto order = std::partial_ordering(whole <=> static_cast<int64_t>(floor));
  bool isBelow = order == std::partial_ordering::equivalent && floor < number;
  return isBelow ? std::partial_ordering::less : order;
}

/// The order of two numbers; nothing where one is no number.
std::optional<std::partial_ordering> compareNumbers(const Constant &a,
                                                    const Constant &b) {
  const auto *wholeA = as<int64_t>(a), *wholeB = as<int64_t>(b);
  const auto *floatA = as<double>(a), *floatB = as<double>(b);
  if (wholeA && wholeB)
    return *wholeA <=> *wholeB;
  if (wholeA && floatB)
    return compareMixed(*wholeA, *floatB);
  if (floatA && wholeB)
    return 0 <=> compareMixed(*wholeB, *floatA);
  if (floatA && floatB)
    return *floatA <=> *floatB;
  return std::nullopt;
}

/// Whether two values are equal; nothing where their kinds differ. Lists of
/// different lengths are different whatever they hold.
std::optional<bool> areEqual(const Constant &a, const Constant &b) {
  if (auto order = compareNumbers(a, b))
    return *order == 0;
  if (a.data.index() != b.data.index())
    return std::nullopt;
  const auto *listA = as<std::vector<Constant>>(a);
  if (!listA)
    return a == b;
  const auto *listB = as<std::vector<Constant>>(b);
  if (listA->size() != listB->size())
    return false;
  bool equal = true;
  for (size_t i = 0; i < listA->size(); ++i) {
    std::optional<bool> entry = areEqual((*listA)[i], (*listB)[i]);
    if (!entry)
      return std::nullopt;
    equal = equal && *entry;
  }
  return equal;
}

} // namespace

static Value kindsDiffer(const Expr &expr, const Constant &a, const Constant &b,
                         std::string_view wanted) {
  return fault(expr, fmt::format("`{}` between {} and {}, expected {}",
                                 symbolOf(expr.kind), describeConstant(a),
                                 describeConstant(b), wanted));
}

static Value failed(const Expr &expr, const Constant &a, const Constant &b,
                    std::string_view why) {
  return fault(expr, fmt::format("`{} {} {}` {}", printConstant(a),
                                 symbolOf(expr.kind), printConstant(b), why));
}

static Value floatArithmetic(const Expr &expr, const Constant &a,
                             const Constant &b, double left, double right) {
  double result = expr.kind == Kind::Add        ? left + right
                  : expr.kind == Kind::Subtract ? left - right
                  : expr.kind == Kind::Multiply ? left * right
                                                : left / right;
  if (expr.kind == Kind::Divide && right == 0)
    return failed(expr, a, b, "divides by zero");
  if (!std::isfinite(result))
    return failed(expr, a, b, "is beyond 64 bits");
  return Constant{result};
}

static Value wholeArithmetic(const Expr &expr, int64_t a, int64_t b) {
  auto wrong = [&](std::string_view why) {
    return failed(expr, Constant{a}, Constant{b}, why);
  };
  Kind kind = expr.kind;
  bool divides =
      kind == Kind::Divide || kind == Kind::FloorDivide || kind == Kind::Modulo;
  if (divides && b == 0)
    return wrong("divides by zero");
  std::optional<int64_t> result;
  if (kind == Kind::Add)
    result = checkedAdd(a, b);
  else if (kind == Kind::Subtract)
    result = checkedSub(a, b);
  else if (kind == Kind::Multiply)
    result = checkedMul(a, b);
  else if (b == -1) // The one divisor that can overflow.
    result = kind == Kind::Modulo ? 0 : checkedSub(0, a);
  else {
    int64_t quotient = a / b, remainder = a % b;
    if (kind == Kind::Divide && remainder != 0)
      return wrong("is no whole number; did you mean `//`?");
    bool down = remainder != 0 && (remainder < 0) != (b < 0);
    result =
        kind == Kind::Modulo ? remainder + (down ? b : 0) : quotient - down;
  }
  if (!result)
    return wrong("is beyond 64 bits");
  return Constant{*result};
}

Value compareValues(const Expr &expr, const Constant &a, const Constant &b) {
  if (expr.kind == Kind::Equal || expr.kind == Kind::NotEqual) {
    std::optional<bool> equal = areEqual(a, b);
    if (!equal)
      return kindsDiffer(expr, a, b, "two values of one kind");
    return Constant{*equal == (expr.kind == Kind::Equal)};
  }
  std::optional<std::partial_ordering> order = compareNumbers(a, b);
  if (!order)
    return kindsDiffer(expr, a, b, "two numbers");
  switch (expr.kind) {
  case Kind::Less:
    return Constant{*order < 0};
  case Kind::LessEqual:
    return Constant{*order <= 0};
  case Kind::Greater:
    return Constant{*order > 0};
  default: // what calls this has no other
    return Constant{*order >= 0};
  }
}

Value calculate(const Expr &expr, const Constant &a, const Constant &b) {
  const auto *wholeA = as<int64_t>(a), *wholeB = as<int64_t>(b);
  if (wholeA && wholeB)
    return wholeArithmetic(expr, *wholeA, *wholeB);
  if (expr.kind == Kind::FloorDivide || expr.kind == Kind::Modulo)
    return kindsDiffer(expr, a, b, "two whole numbers");
  const auto *floatA = as<double>(a), *floatB = as<double>(b);
  if ((!wholeA && !floatA) || (!wholeB && !floatB))
    return kindsDiffer(expr, a, b, "two numbers");
  for (const int64_t *whole : {wholeA, wholeB})
    if (whole && wholeOf(static_cast<double>(*whole)) != *whole)
      return failed(expr, a, b,
                    fmt::format("would round {} to a float", *whole));
  return floatArithmetic(expr, a, b,
                         wholeA ? static_cast<double>(*wholeA) : *floatA,
                         wholeB ? static_cast<double>(*wholeB) : *floatB);
}

Value length(const Expr &expr, const Constant &value) {
  if (const auto *list = as<std::vector<Constant>>(value))
    return Constant{static_cast<int64_t>(list->size())};
  if (const auto *text = as<std::string>(value))
    return Constant{static_cast<int64_t>(text->size())};
  return fault(expr.operands[0],
               fmt::format("found {}, expected a list or a text for `len`",
                           describeConstant(value)));
}

Value extreme(const Expr &expr, std::vector<Constant> &values) {
  size_t best = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    auto order = compareNumbers(values[i], values[best]);
    if (!order)
      return fault(expr.operands[i],
                   fmt::format("found {}, expected a number for `{}`",
                               describeConstant(values[i]), expr.text));
    if (expr.text == "min" ? *order < 0 : *order > 0)
      best = i;
  }
  return std::move(values[best]);
}

Value divisors(const Expr &expr, const std::vector<Constant> &values) {
  std::optional<int64_t> result;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto *whole = as<int64_t>(values[i]);
    if (!whole)
      return fault(expr.operands[i],
                   fmt::format("found {}, expected a whole number for `{}`",
                               describeConstant(values[i]), expr.text));
    std::optional<int64_t> size =
        *whole < 0 ? checkedSub(0, *whole) : std::optional(*whole);
    std::optional<int64_t> next = size;
    if (size && i > 0) {
      int64_t common = std::gcd(*result, *size);
      next = expr.text == "gcd" ? std::optional(common)
             : common == 0      ? std::optional(int64_t{0})
                                : checkedMul(*result / common, *size);
    }
    if (!next)
      return fault(expr, fmt::format("`{}` of {} and {} is beyond 64 bits",
                                     expr.text, result.value_or(0), *whole));
    result = next;
  }
  return Constant{*result};
}

} // namespace aoa::expression
