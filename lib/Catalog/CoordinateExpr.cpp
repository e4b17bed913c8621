//===- CoordinateExpr.cpp - Whole-number expressions in layouts -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Recursive descent into a postfix form. Tightest first: sign; `* / // %`;
// `+ -`.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/CoordinateExpr.h"

#include "Identifier.h"

#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace aoa {

namespace {

using Step = CoordinateExpr::Step;
using Kind = Step::Kind;

constexpr unsigned maxNesting = 256;

/// Each function reads one construct and returns whether it could; the first
/// fault is kept.
class ExprParser {
public:
  explicit ExprParser(std::string_view text) : text(text) {}

  Expected<std::vector<Step>> run() {
    if (!sum())
      return std::unexpected(std::move(*fault));
    if (skipSpace(); at != text.size()) {
      wrong("expected an operator");
      return std::unexpected(std::move(*fault));
    }
    return std::move(steps);
  }

private:
  bool wrong(std::string_view what) {
    std::string found = at < text.size()
                            ? fmt::format("found `{}`", text.substr(at, 1))
                            : "found the end of the expression";
    return wrongAt(at, fmt::format("{}, {}", found, what));
  }
  bool wrongAt(size_t where, std::string_view what) {
    fault = Error(ErrorKind::Format, fmt::format("{} at byte {}", what, where));
    return false;
  }

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }

  bool take(std::string_view token) {
    skipSpace();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }

  void emit(Kind kind, int64_t number = 0, std::string name = {}) {
    steps.push_back({kind, number, std::move(name)});
  }

  bool sum() {
    if (!product())
      return false;
    while (true) {
      Kind kind;
      if (take("+"))
        kind = Kind::Add;
      else if (take("-"))
        kind = Kind::Sub;
      else
        return true;
      if (!product())
        return false;
      emit(kind);
    }
  }

  bool product() {
    if (!operand())
      return false;
    while (true) {
      Kind kind;
      if (take("*"))
        kind = Kind::Mul;
      else if (take("//"))
        kind = Kind::FloorDiv;
      else if (take("/"))
        kind = Kind::Div;
      else if (take("%"))
        kind = Kind::Mod;
      else
        return true;
      if (!operand())
        return false;
      emit(kind);
    }
  }

  bool operand() {
    bool negative = take("-");
    if (!negative)
      take("+");
    if (skipSpace(); at < text.size() && isDigit(text[at]))
      return number(negative);
    if (!atom())
      return false;
    if (negative)
      emit(Kind::Negate);
    return true;
  }

  /// The sign belongs to the number: the lowest number has no positive twin.
  bool number(bool negative) {
    size_t begin = at;
    while (at < text.size() && isDigit(text[at]))
      ++at;
    if (at < text.size() && (isLetter(text[at]) || text[at] == '.'))
      return wrong("expected a whole number");
    std::string digits = negative ? "-" : "";
    digits += text.substr(begin, at - begin);
    int64_t value = 0;
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc())
      return wrongAt(begin, fmt::format("number {} is beyond 64 bits", digits));
    emit(Kind::Number, value);
    return true;
  }

  bool atom() {
    if (take("("))
      return nested([&] { return sum(); });
    if (at >= text.size() || !isLetter(text[at]))
      return wrong("expected a number, a name or `(`");
    size_t begin = at;
    while (at < text.size() && (isLetter(text[at]) || isDigit(text[at])))
      ++at;
    std::string_view name = text.substr(begin, at - begin);
    if (!take("(")) {
      emit(Kind::Variable, 0, std::string(name));
      return true;
    }
    if (name != "min" && name != "max")
      return wrongAt(begin, fmt::format("unknown function `{}`, expected `min` "
                                        "or `max`",
                                        name));
    int64_t numArguments = 0;
    bool ok = nested([&] {
      do {
        if (!sum())
          return false;
        ++numArguments;
      } while (take(","));
      return true;
    });
    if (ok)
      emit(name == "min" ? Kind::Min : Kind::Max, numArguments);
    return ok;
  }

  /// Reads what stands in parentheses; the opening one has been read.
  template <typename Read> bool nested(Read read) {
    if (++depth > maxNesting)
      return wrongAt(at - 1,
                     fmt::format("nesting is deeper than {}", maxNesting));
    if (!read())
      return false;
    --depth;
    if (!take(")"))
      return wrong("expected `)`");
    return true;
  }

  std::string_view text;
  size_t at = 0;
  unsigned depth = 0;
  std::vector<Step> steps;
  std::optional<Error> fault;
};

std::string_view symbolOf(Kind kind) {
  switch (kind) {
  case Kind::Negate:
  case Kind::Sub:
    return "-";
  case Kind::Add:
    return "+";
  case Kind::Mul:
    return "*";
  case Kind::Div:
    return "/";
  case Kind::FloorDiv:
    return "//";
  case Kind::Mod:
    return "%";
  case Kind::Number:
  case Kind::Variable:
  case Kind::Min:
  case Kind::Max:
    return "";
  }
  return "";
}

Expected<int64_t> applyBinary(Kind kind, int64_t a, int64_t b) {
  auto failed = [&](std::string_view why) {
    return fail(ErrorKind::Format,
                fmt::format("`{} {} {}` {}", a, symbolOf(kind), b, why));
  };
  bool divides =
      kind == Kind::Div || kind == Kind::FloorDiv || kind == Kind::Mod;
  if (divides && b == 0)
    return failed("divides by zero");
  std::optional<int64_t> result;
  if (kind == Kind::Add)
    result = checkedAdd(a, b);
  else if (kind == Kind::Sub)
    result = checkedSub(a, b);
  else if (kind == Kind::Mul)
    result = checkedMul(a, b);
  else if (b == -1) // The one divisor that can overflow.
    result = kind == Kind::Mod ? 0 : checkedSub(0, a);
  else {
    int64_t quotient = a / b, remainder = a % b;
    if (kind == Kind::Div && remainder != 0)
      return failed("is no whole number; did you mean `//`?");
    bool down = remainder != 0 && (remainder < 0) != (b < 0);
    result = kind == Kind::Mod ? remainder + (down ? b : 0) : quotient - down;
  }
  if (!result)
    return failed("is beyond 64 bits");
  return *result;
}

} // namespace

Expected<CoordinateExpr> CoordinateExpr::parse(std::string_view text) {
  auto steps = ExprParser(text).run();
  if (!steps)
    return failWith(std::move(steps));
  CoordinateExpr expr;
  expr.source = text;
  expr.steps = std::move(*steps);
  return expr;
}

Expected<int64_t> CoordinateExpr::evaluate(
    const std::map<std::string, int64_t, std::less<>> &variables) const {
  std::vector<int64_t> stack;
  for (const Step &step : steps) {
    switch (step.kind) {
    case Kind::Number:
      stack.push_back(step.number);
      break;
    case Kind::Variable: {
      auto found = variables.find(step.name);
      if (found == variables.end())
        return fail(ErrorKind::Format, fmt::format("unknown name `{}` in `{}`",
                                                   step.name, source));
      stack.push_back(found->second);
      break;
    }
    case Kind::Negate: {
      std::optional<int64_t> negated = checkedSub(0, stack.back());
      if (!negated)
        return fail(ErrorKind::Format,
                    fmt::format("`-({})` is beyond 64 bits", stack.back()));
      stack.back() = *negated;
      break;
    }
    case Kind::Min:
    case Kind::Max: {
      auto first = stack.end() - step.number;
      int64_t chosen = step.kind == Kind::Min
                           ? *std::min_element(first, stack.end())
                           : *std::max_element(first, stack.end());
      stack.erase(first, stack.end());
      stack.push_back(chosen);
      break;
    }
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::Div:
    case Kind::FloorDiv:
    case Kind::Mod: {
      int64_t right = stack.back();
      stack.pop_back();
      Expected<int64_t> result = applyBinary(step.kind, stack.back(), right);
      if (!result)
        return failWith(std::move(result), fmt::format("in `{}`", source));
      stack.back() = *result;
      break;
    }
    }
  }
  if (stack.empty())
    return fail(ErrorKind::Format, "expression is empty");
  return stack.back();
}

std::vector<std::string> CoordinateExpr::variables() const {
  std::vector<std::string> names;
  for (const Step &step : steps)
    if (step.kind == Kind::Variable &&
        std::ranges::find(names, step.name) == names.end())
      names.push_back(step.name);
  return names;
}

} // namespace aoa
