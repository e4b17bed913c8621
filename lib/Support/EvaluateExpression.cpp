//===- EvaluateExpression.cpp - Expressions, from tree to value -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whole numbers stay whole numbers: what does not fit in 64 bits, and what a
// float would round, is a fault that shows the numbers.
//===----------------------------------------------------------------------===//
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/Expression.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace aoa {

namespace {

using Kind = Expr::Kind;
using Value = ExprResult<Constant>;

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

/// A text of texts, or a list of lists, doubles with each line of a script.
constexpr uint64_t maxValueBytes = 1 << 20;
constexpr uint64_t bytesPerEntry = 40;

uint64_t sizeBytesOf(const Constant &value) {
  if (const auto *text = std::get_if<std::string>(&value.data))
    return text->size();
  uint64_t size = 0;
  if (const auto *list = std::get_if<std::vector<Constant>>(&value.data))
    for (const Constant &entry : *list)
      size += bytesPerEntry + sizeBytesOf(entry);
  return size;
}

std::unexpected<ExprFault> fault(const Expr &expr, std::string message) {
  return std::unexpected(ExprFault{expr.range, std::move(message)});
}

template <typename T> const T *as(const Constant &value) {
  return std::get_if<T>(&value.data);
}

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

/// A function that is asked of a tensor, and what it is given.
struct TensorFunction {
  std::string_view name;
  bool takesAxis;
};
constexpr auto tensorFunctions =
    std::to_array<TensorFunction>({{"rank", false},
                                   {"extent", true},
                                   {"dtype", false},
                                   {"src_degree", true},
                                   {"dst_degree", true},
                                   {"exists", false}});

/// How messages call what stands where a tensor's name should.
std::string describeOperand(const Expr &expr) {
  switch (expr.kind) {
  case Kind::Integer:
    return fmt::format("{}", expr.integer);
  case Kind::Float:
    return printConstant(Constant{expr.number});
  case Kind::Bool:
    return expr.integer != 0 ? "true" : "false";
  case Kind::Config:
    return fmt::format("`config:{}`", expr.text);
  case Kind::Inserted:
    return "`${…}` without quotes";
  case Kind::List:
    return "a list";
  case Kind::Call:
    return fmt::format("the function `{}`", expr.text);
  case Kind::Text:
  case Kind::Literal:
    return "a text";
  case Kind::Variable:
  case Kind::Temporary:
    return fmt::format("`{}`", expr.text);
  case Kind::Negate:
  case Kind::Coalesce:
  case Kind::Multiply:
  case Kind::Divide:
  case Kind::FloorDivide:
  case Kind::Modulo:
  case Kind::Add:
  case Kind::Subtract:
  case Kind::Equal:
  case Kind::NotEqual:
  case Kind::Less:
  case Kind::LessEqual:
  case Kind::Greater:
  case Kind::GreaterEqual:
  case Kind::Not:
  case Kind::And:
  case Kind::Or:
    break;
  }
  return fmt::format("the operator `{}`", symbolOf(expr.kind));
}

bool namesTensor(const Expr &expr) {
  return expr.kind == Kind::Variable || expr.kind == Kind::Text ||
         expr.kind == Kind::Literal || expr.kind == Kind::Temporary;
}

class Evaluator {
public:
  explicit Evaluator(const ExprScope &scope) : scope(scope) {}

  Value run(const Expr &expr, ExprPlace place) {
    switch (expr.kind) {
    case Kind::Integer:
      return Constant{expr.integer};
    case Kind::Float:
      return Constant{expr.number};
    case Kind::Bool:
      return Constant{expr.integer != 0};
    case Kind::Literal:
      return Constant{expr.text};
    case Kind::Text:
      return text(expr);
    case Kind::Variable:
      return variable(expr, place);
    case Kind::Config:
      return config(expr, place);
    case Kind::Inserted:
      return run(expr.operands[0], ExprPlace::Inserted);
    case Kind::List:
      return list(expr, place);
    case Kind::Call:
      return call(expr, place);
    case Kind::Temporary:
      return fault(expr,
                   fmt::format("found the tensor `{}{}`, expected a value; "
                               "functions such as `extent` ask for its",
                               expr.text, expr.operands.empty() ? "" : "[…]"));
    case Kind::Negate:
      return negate(expr, place);
    case Kind::Coalesce:
      return coalesce(expr, place);
    case Kind::Multiply:
    case Kind::Divide:
    case Kind::FloorDivide:
    case Kind::Modulo:
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Equal:
    case Kind::NotEqual:
    case Kind::Less:
    case Kind::LessEqual:
    case Kind::Greater:
    case Kind::GreaterEqual:
      return binary(expr, place);
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
      return logic(expr, place);
    }
    return fault(expr, "unknown kind of expression");
  }

private:
  static Value tooLong(const Expr &expr) {
    return fault(
        expr, fmt::format("the value is longer than {} bytes", maxValueBytes));
  }

  Value text(const Expr &expr) {
    std::string result;
    for (const Expr &piece : expr.operands) {
      Value value = run(piece, ExprPlace::Inserted);
      if (!value)
        return value;
      result += printConstant(*value);
      if (result.size() > maxValueBytes)
        return tooLong(expr);
    }
    return Constant{std::move(result)};
  }

  Value variable(const Expr &expr, ExprPlace place) {
    if (std::optional<Constant> value = scope.variable(expr.text))
      return std::move(*value);
    std::optional<Constant> parameter = scope.parameter(expr.text);
    if (parameter && place == ExprPlace::Inserted)
      return std::move(*parameter);
    ExprFault unset{expr.range, "", true};
    if (parameter) {
      unset.message = fmt::format(
          "unknown variable `{0}`; the parameter is written `${{{0}}}`",
          expr.text);
      return std::unexpected(std::move(unset));
    }
    NearestName nearest = nearestName(expr.text, scope.variableNames());
    if (place == ExprPlace::Inserted)
      for (const std::string &name : scope.parameterNames())
        nearest.consider(name);
    unset.message =
        fmt::format("unknown variable `{}`{}", expr.text, nearest.hint());
    return std::unexpected(std::move(unset));
  }

  Value config(const Expr &expr, ExprPlace place) {
    if (place == ExprPlace::Bare)
      return fault(
          expr, fmt::format("found `config:{0}` outside of `${{…}}`, expected "
                            "`${{config:{0}}}`",
                            expr.text));
    if (std::optional<Constant> value = scope.config(expr.text))
      return std::move(*value);
    ExprFault unset{expr.range, "", true};
    unset.message =
        scope.hasConfig()
            ? fmt::format("the config has no value `{}`{}", expr.text,
                          nearestName(expr.text, scope.configPaths()).hint())
            : fmt::format("no config is known that could say `{}`; `--config` "
                          "names one",
                          expr.text);
    return std::unexpected(std::move(unset));
  }

  Value list(const Expr &expr, ExprPlace place) {
    std::vector<Constant> entries;
    entries.reserve(expr.operands.size());
    uint64_t sizeBytes = 0;
    for (const Expr &operand : expr.operands) {
      Value value = run(operand, place);
      if (!value)
        return value;
      sizeBytes += bytesPerEntry + sizeBytesOf(*value);
      if (sizeBytes > maxValueBytes)
        return tooLong(expr);
      entries.push_back(std::move(*value));
    }
    return Constant{std::move(entries)};
  }

  Value coalesce(const Expr &expr, ExprPlace place) {
    Value left = run(expr.operands[0], place);
    if (left || !left.error().isUnset)
      return left;
    return run(expr.operands[1], place);
  }

  Value negate(const Expr &expr, ExprPlace place) {
    Value value = run(expr.operands[0], place);
    if (!value)
      return value;
    if (const auto *number = as<double>(*value))
      return Constant{-*number};
    const auto *whole = as<int64_t>(*value);
    if (!whole)
      return fault(expr,
                   fmt::format("found {} behind a sign, expected a number",
                               describeConstant(*value)));
    std::optional<int64_t> negated = checkedSub(0, *whole);
    if (!negated)
      return fault(expr, fmt::format("`-({})` is beyond 64 bits", *whole));
    return Constant{*negated};
  }

  Value logic(const Expr &expr, ExprPlace place) {
    for (const Expr &operand : expr.operands) {
      Value value = run(operand, place);
      if (!value)
        return value;
      const auto *truth = as<bool>(*value);
      if (!truth)
        return fault(operand,
                     fmt::format("found {}, expected a truth value for `{}`",
                                 describeConstant(*value),
                                 symbolOf(expr.kind)));
      if (expr.kind == Kind::Not)
        return Constant{!*truth};
      if (*truth == (expr.kind == Kind::Or))
        return value;
    }
    return Constant{expr.kind == Kind::And};
  }

  Value binary(const Expr &expr, ExprPlace place) {
    Value left = run(expr.operands[0], place);
    if (!left)
      return left;
    Value right = run(expr.operands[1], place);
    if (!right)
      return right;
    if (expr.kind >= Kind::Equal && expr.kind <= Kind::GreaterEqual)
      return compare(expr, *left, *right);
    return arithmetic(expr, *left, *right);
  }

  Value compare(const Expr &expr, const Constant &a, const Constant &b) {
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

  static Value kindsDiffer(const Expr &expr, const Constant &a,
                           const Constant &b, std::string_view wanted) {
    return fault(expr, fmt::format("`{}` between {} and {}, expected {}",
                                   symbolOf(expr.kind), describeConstant(a),
                                   describeConstant(b), wanted));
  }

  Value arithmetic(const Expr &expr, const Constant &a, const Constant &b) {
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
    bool divides = kind == Kind::Divide || kind == Kind::FloorDivide ||
                   kind == Kind::Modulo;
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

  static Value wrongCount(const Expr &call, std::string_view wanted) {
    return fault(call,
                 fmt::format("`{}` is given {} value{}, expected {}", call.text,
                             call.operands.size(),
                             call.operands.size() == 1 ? "" : "s", wanted));
  }

  Value call(const Expr &expr, ExprPlace place) {
    const auto *ofTensor =
        std::ranges::find(tensorFunctions, expr.text, &TensorFunction::name);
    if (ofTensor != tensorFunctions.end())
      return ask(expr, ofTensor->takesAxis, place);
    bool isLength = expr.text == "len";
    bool isExtreme = expr.text == "min" || expr.text == "max";
    if (!isLength && !isExtreme && expr.text != "lcm" && expr.text != "gcd")
      return fault(expr, fmt::format("unknown function `{}`", expr.text));
    size_t numOperands = expr.operands.size();
    if (isLength ? numOperands != 1 : numOperands == 0)
      return wrongCount(expr, isLength ? "1" : "at least 1");
    std::vector<Constant> values;
    for (const Expr &operand : expr.operands) {
      Value value = run(operand, place);
      if (!value)
        return value;
      values.push_back(std::move(*value));
    }
    if (isLength)
      return length(expr, values[0]);
    return isExtreme ? extreme(expr, values) : divisors(expr, values);
  }

  /// Asks the scope of the tensor that the first operand names; the name is no
  /// value and stays as it is written.
  Value ask(const Expr &call, bool takesAxis, ExprPlace place) {
    if (call.operands.size() != (takesAxis ? 2 : 1))
      return wrongCount(call, takesAxis ? "a tensor and an axis" : "a tensor");
    const Expr &name = call.operands[0];
    if (!namesTensor(name))
      return fault(name, fmt::format("found {} as the tensor of `{}`, expected "
                                     "a macro's parameter, a name in quotes or "
                                     "a `%name`",
                                     describeOperand(name), call.text));
    TensorQuestion question{call, name};
    if (takesAxis) {
      Value axis = run(call.operands[1], place);
      if (!axis)
        return axis;
      const auto *whole = as<int64_t>(*axis);
      if (!whole)
        return fault(call.operands[1],
                     fmt::format("found {} as the axis of `{}`, expected a "
                                 "whole number",
                                 describeConstant(*axis), call.text));
      question.axis = *whole;
    }
    Value answer = scope.ask(question);
    if (!answer) // Only what a variable or the config lacks is `??`'s to give.
      answer.error().isUnset = false;
    return answer;
  }

  static Value length(const Expr &expr, const Constant &value) {
    if (const auto *list = as<std::vector<Constant>>(value))
      return Constant{static_cast<int64_t>(list->size())};
    if (const auto *text = as<std::string>(value))
      return Constant{static_cast<int64_t>(text->size())};
    return fault(expr.operands[0],
                 fmt::format("found {}, expected a list or a text for `len`",
                             describeConstant(value)));
  }

  static Value extreme(const Expr &expr, std::vector<Constant> &values) {
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

  /// gcd and lcm: never negative; gcd(0, 0) and lcm(0, n) are 0.
  static Value divisors(const Expr &expr, const std::vector<Constant> &values) {
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

  const ExprScope &scope;
};

std::string printFloat(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text;
}

} // namespace

std::string printConstant(const Constant &value) {
  if (const auto *whole = as<int64_t>(value))
    return fmt::format("{}", *whole);
  if (const auto *number = as<double>(value))
    return printFloat(*number);
  if (const auto *truth = as<bool>(value))
    return *truth ? "true" : "false";
  if (const auto *text = as<std::string>(value))
    return *text;
  std::string result = "[";
  std::string_view separator = "";
  for (const Constant &entry : std::get<std::vector<Constant>>(value.data)) {
    result += separator;
    result += printConstant(entry);
    separator = ", ";
  }
  return result + "]";
}

std::string describeConstant(const Constant &value) {
  if (as<std::vector<Constant>>(value))
    return "a list";
  if (as<std::string>(value))
    return fmt::format("the text `{}`", printConstant(value));
  return printConstant(value);
}

ExprResult<Constant> ExprScope::ask(const TensorQuestion &question) const {
  return fault(question.call,
               fmt::format("`{}` asks for a tensor, and none are known here",
                           question.call.text));
}

ExprResult<Constant> evaluate(const Expr &expr, const ExprScope &scope,
                              ExprPlace place) {
  return Evaluator(scope).run(expr, place);
}

ExprResult<std::string> evaluateText(const Expr &text, const ExprScope &scope) {
  ExprResult<Constant> value = evaluate(text, scope);
  if (!value)
    return std::unexpected(std::move(value.error()));
  return printConstant(*value);
}

} // namespace aoa
