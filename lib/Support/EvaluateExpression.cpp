//===- EvaluateExpression.cpp - Expressions, from tree to value -----------===//
// SPDX-License-Identifier: Apache-2.0
#include "ExpressionOperators.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace aoa {

using namespace expression;

namespace {

using Kind = Expr::Kind;

/// A text of texts, or a list of lists, doubles with each line of a script.
constexpr uint64_t maxValueBytes = 1 << 20;

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

  /// The value of a whole expression.
  Value whole(const Expr &expr, ExprPlace place) {
    Value value = run(expr, place);
    return takeSteps(expr) ? std::move(value) : tooMuch(expr);
  }

private:
  Value run(const Expr &expr, ExprPlace place) {
    constexpr uint64_t oftenEnough = 1 << 16;
    if (++numSteps >= oftenEnough && !takeSteps(expr))
      return tooMuch(expr);
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

  bool takeSteps(const Expr &expr) {
    return scope.takeSteps(std::exchange(numSteps, 0), expr);
  }
  static Value tooMuch(const Expr &expr) {
    return std::unexpected(
        ExprFault{.range = expr.range, .message = {}, .isReported = true});
  }
  /// Counts what copying a value costs.
  void countCopy(const Constant &value) { numSteps += sizeBytesOf(value) / 64; }

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
    numSteps += result.size() / 64;
    return Constant{std::move(result)};
  }

  Value variable(const Expr &expr, ExprPlace place) {
    if (std::optional<Constant> value = scope.variable(expr.text)) {
      countCopy(*value);
      return std::move(*value);
    }
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
      sizeBytes += sizeof(Constant) + sizeBytesOf(*value);
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
      return compareValues(expr, *left, *right);
    return calculate(expr, *left, *right);
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

  const ExprScope &scope;
  uint64_t numSteps = 0; ///< That the scope has not counted yet.
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

uint64_t sizeBytesOf(const Constant &value) {
  if (const auto *text = std::get_if<std::string>(&value.data))
    return text->size();
  uint64_t size = 0;
  if (const auto *list = std::get_if<std::vector<Constant>>(&value.data))
    for (const Constant &entry : *list)
      size += sizeof(Constant) + sizeBytesOf(entry);
  return size;
}

ExprResult<Constant> evaluate(const Expr &expr, const ExprScope &scope,
                              ExprPlace place) {
  return Evaluator(scope).whole(expr, place);
}

ExprResult<std::string> evaluateText(const Expr &text, const ExprScope &scope) {
  ExprResult<Constant> value = evaluate(text, scope);
  if (!value)
    return std::unexpected(std::move(value.error()));
  return printConstant(*value);
}

} // namespace aoa
