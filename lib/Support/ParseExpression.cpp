//===- ParseExpression.cpp - Expressions, from text to tree ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Precedence climbing over bytes. Tightest first:
//
//   sign   ??   * / // %   + -   == != < <= > >=   not   and   or
//===----------------------------------------------------------------------===//
#include "aoa/Support/Expression.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace aoa {

namespace {

constexpr unsigned maxNesting = 256;
constexpr unsigned maxDepth = 1000;

enum Level : uint8_t { Or, And, Not, Comparison, Sum, Product, Coalesce };

struct Operator {
  std::string_view text;
  Expr::Kind kind;
  Level level;
};

/// Longer ones before those they begin with.
constexpr auto operators = std::to_array<Operator>({
    {"??", Expr::Kind::Coalesce, Coalesce},
    {"//", Expr::Kind::FloorDivide, Product},
    {"*", Expr::Kind::Multiply, Product},
    {"/", Expr::Kind::Divide, Product},
    {"%", Expr::Kind::Modulo, Product},
    {"+", Expr::Kind::Add, Sum},
    {"-", Expr::Kind::Subtract, Sum},
    {"==", Expr::Kind::Equal, Comparison},
    {"!=", Expr::Kind::NotEqual, Comparison},
    {"<=", Expr::Kind::LessEqual, Comparison},
    {">=", Expr::Kind::GreaterEqual, Comparison},
    {"<", Expr::Kind::Less, Comparison},
    {">", Expr::Kind::Greater, Comparison},
    {"and", Expr::Kind::And, And},
    {"or", Expr::Kind::Or, Or},
});

constexpr auto functions = std::to_array<std::string_view>(
    {"min", "max", "lcm", "gcd", "len", "rank", "extent", "dtype", "src_degree",
     "dst_degree", "exists"});

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isWordPart(char c) { return isLetter(c) || isDigit(c); }

/// A node and the depth of the tree below it.
struct Parsed {
  Expr expr;
  unsigned depth = 1;
};
using Result = std::optional<Parsed>;

/// Each function reads one construct; nothing means that `fault` says why.
class ExprParser {
public:
  ExprParser(std::string_view text, FileId file, uint32_t base, size_t at = 0)
      : text(text), file(file), base(base), at(at) {}

  Result whole() {
    Result result = expression(Or);
    if (result && at != text.size())
      return unexpected("an operator");
    return result;
  }

  /// Reads what follows `${` or `{`, with its `}`. `open` is where that stands.
  Result braced(size_t open) {
    Result inner = nested(open, [&] { return expression(Or); });
    if (!inner)
      return inner;
    if (at == text.size())
      return wrong(open, at,
                   fmt::format("`{}` is not closed by `}}`",
                               text[open] == '$' ? "${" : "{"));
    if (text[at] != '}')
      return unexpected("an operator or `}`");
    ++at;
    return inner;
  }

  /// Reads pieces of a text up to `quote`, or to the end where that is 0.
  Result pieces(char quote) {
    size_t begin = at;
    Parsed result{node(Expr::Kind::Text, at), 1};
    auto flush = [&](size_t from) {
      if (from == at)
        return;
      Expr literal = node(Expr::Kind::Literal, from);
      literal.text = text.substr(from, at - from);
      result.expr.operands.push_back(std::move(literal));
      result.depth = std::max(result.depth, 2U);
    };
    size_t literalBegin = at;
    while (true) {
      if (at == text.size() && quote != 0)
        return wrong(begin - 1, at, "the string is not closed");
      if (at == text.size() || (quote != 0 && text[at] == quote))
        break;
      if (quote != 0 && (text[at] == '\n' || text[at] == '\r'))
        return wrong(begin - 1, at, "the line ends inside of the string");
      if (!text.substr(at).starts_with("${")) {
        ++at;
        continue;
      }
      flush(literalBegin);
      size_t open = at;
      at += 2;
      Result inner = braced(open);
      if (!inner)
        return inner;
      result.depth = std::max(result.depth, inner->depth + 1);
      result.expr.operands.push_back(std::move(inner->expr));
      literalBegin = at;
    }
    flush(literalBegin);
    result.expr.range.end = position(at);
    return deepEnough(std::move(result));
  }

  size_t position() const { return at; }
  ExprFault takeFault() { return std::move(*fault); }

private:
  uint32_t position(size_t where) const {
    return base + static_cast<uint32_t>(where);
  }

  Expr node(Expr::Kind kind, size_t begin) const {
    Expr expr;
    expr.kind = kind;
    expr.range = {file, position(begin), position(at)};
    return expr;
  }

  std::nullopt_t wrong(size_t begin, size_t end, std::string message) {
    fault = {{file, position(begin), position(end)}, std::move(message)};
    return std::nullopt;
  }

  std::nullopt_t unexpected(std::string_view wanted) {
    if (at == text.size())
      return wrong(
          at, at,
          fmt::format("found the end of the expression, expected {}", wanted));
    size_t end = at + 1;
    if (isWordPart(text[at]))
      while (end < text.size() && isWordPart(text[end]))
        ++end;
    else // The rest of a character of several bytes.
      while (end < text.size() && (text[end] & 0xc0) == 0x80)
        ++end;
    return wrong(at, end,
                 fmt::format("found `{}`, expected {}",
                             text.substr(at, end - at), wanted));
  }

  Result deepEnough(Parsed parsed) {
    if (parsed.depth <= maxDepth)
      return parsed;
    fault = {
        parsed.expr.range,
        fmt::format("the expression is deeper than {} operators", maxDepth)};
    return std::nullopt;
  }

  void skipBlanks() {
    while (at < text.size()) {
      if (text[at] == '#')
        while (at < text.size() && text[at] != '\n' && text[at] != '\r')
          ++at;
      else if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' ||
               text[at] == '\r')
        ++at;
      else
        return;
    }
  }

  bool take(char c) {
    skipBlanks();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  /// The identifier at `at`, or nothing.
  std::string_view word() const {
    if (at == text.size() || !isLetter(text[at]))
      return {};
    size_t end = at;
    while (end < text.size() && isWordPart(text[end]))
      ++end;
    return text.substr(at, end - at);
  }

  /// Runs `read` one level deeper; `open` is where the level begins.
  template <typename Read> Result nested(size_t open, Read read) {
    if (nesting == maxNesting)
      return wrong(open, open + 1,
                   fmt::format("nesting is deeper than {}", maxNesting));
    ++nesting;
    Result result = read();
    --nesting;
    return result;
  }

  const Operator *nextOperator() {
    skipBlanks();
    std::string_view rest = text.substr(at);
    if (rest.starts_with("->"))
      return nullptr;
    std::string_view name = word();
    for (const Operator &candidate : operators)
      if (name.empty() ? rest.starts_with(candidate.text)
                       : name == candidate.text)
        return &candidate;
    return nullptr;
  }

  /// Reads operands joined by operators that bind at least as tight as
  /// `loosest`.
  Result expression(Level loosest) {
    skipBlanks();
    Result left = word() == "not" ? negation(loosest) : signedOperand();
    bool compared = false;
    while (left) {
      const Operator *found = nextOperator();
      if (!found || found->level < loosest)
        break;
      if (found->level == Comparison && compared)
        return wrong(at, at + found->text.size(),
                     "comparisons do not chain; join them by `and`");
      compared = found->level == Comparison;
      at += found->text.size();
      left = joined(std::move(*left), *found);
    }
    return left;
  }

  Result joined(Parsed left, const Operator &found) {
    Result right = expression(Level(found.level + 1));
    if (!right)
      return right;
    Expr expr;
    expr.kind = found.kind;
    expr.range = left.expr.range;
    expr.range.end = right->expr.range.end;
    expr.operands.push_back(std::move(left.expr));
    expr.operands.push_back(std::move(right->expr));
    return deepEnough(
        {std::move(expr), std::max(left.depth, right->depth) + 1});
  }

  Result negation(Level loosest) {
    if (loosest > Not)
      return unexpected("a number, a name, a string or a bracket");
    size_t begin = at;
    at += 3;
    return wrapped(Expr::Kind::Not, begin,
                   nested(begin, [&] { return expression(Not); }));
  }

  /// A node with `inner` as its one operand, from `begin` to its end.
  Result wrapped(Expr::Kind kind, size_t begin, Result inner) {
    if (!inner)
      return inner;
    Expr expr;
    expr.kind = kind;
    expr.range = {file, position(begin), inner->expr.range.end};
    expr.operands.push_back(std::move(inner->expr));
    return deepEnough({std::move(expr), inner->depth + 1});
  }

  Result signedOperand() {
    size_t begin = at;
    bool negative = take('-');
    bool hasSign = negative || take('+');
    skipBlanks();
    if (at < text.size() && isDigit(text[at]))
      return number(begin, negative);
    Result inner = operand();
    if (!hasSign || !inner)
      return inner;
    if (negative)
      return wrapped(Expr::Kind::Negate, begin, std::move(inner));
    inner->expr.range.begin = position(begin);
    return inner;
  }

  /// The sign belongs to the number: the lowest number has no positive twin.
  Result number(size_t begin, bool negative) {
    size_t first = at;
    auto skipDigits = [&] {
      size_t from = at;
      while (at < text.size() && isDigit(text[at]))
        ++at;
      return at != from;
    };
    skipDigits();
    bool isFloat = false;
    // `1..3` is for callers that know ranges: two points are no fraction.
    if (at < text.size() && text[at] == '.' &&
        !text.substr(at).starts_with("..")) {
      ++at;
      isFloat = true;
      if (!skipDigits())
        return wrong(first, at, "expected digits behind the point of a number");
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      size_t exponent = at++;
      if (at < text.size() && (text[at] == '-' || text[at] == '+'))
        ++at;
      if (!skipDigits())
        at = exponent; // and that letter is wrong below
      else
        isFloat = true;
    }
    if (at < text.size() && isLetter(text[at]))
      return unexpected("an operator behind the number");
    std::string digits = negative ? "-" : "";
    digits += text.substr(first, at - first);
    Expr expr = node(isFloat ? Expr::Kind::Float : Expr::Kind::Integer, begin);
    auto readInto = [&](auto &value) {
      auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return error == std::errc();
    };
    if (isFloat ? !readInto(expr.number) : !readInto(expr.integer))
      return wrong(begin, at,
                   fmt::format("number {} is beyond 64 bits", digits));
    return Parsed{std::move(expr)};
  }

  Result operand() {
    constexpr std::string_view wanted =
        "a number, a name, a string or a bracket";
    if (at == text.size())
      return unexpected(wanted);
    size_t begin = at;
    char c = text[at];
    if (isLetter(c))
      return name();
    if (c == '.' && at + 1 < text.size() && isDigit(text[at + 1]))
      return wrong(begin, begin + 1,
                   "expected digits before the point of a number");
    if (c == '"' || c == '\'') {
      ++at;
      Result string = pieces(c);
      if (string)
        ++at;
      return between(begin, std::move(string));
    }
    if (c == '%' && at + 1 < text.size() && isWordPart(text[at + 1]))
      return temporary();
    if (text.substr(at).starts_with("${")) {
      at += 2;
      Result inner = wrapped(Expr::Kind::Inserted, begin, braced(begin));
      return between(begin, std::move(inner));
    }
    if (c == '(') {
      ++at;
      Result inner = nested(begin, [&] { return expression(Or); });
      if (inner && !take(')'))
        return unexpected("an operator or `)`");
      return between(begin, std::move(inner));
    }
    if (c == '[') {
      ++at;
      return nested(begin,
                    [&] { return operands(Expr::Kind::List, begin, ']'); });
    }
    return unexpected(wanted);
  }

  /// Gives `inner` the range from `begin` to where the reader stands.
  Result between(size_t begin, Result inner) const {
    if (inner)
      inner->expr.range = {file, position(begin), position(at)};
    return inner;
  }

  /// Reads expressions separated by commas up to `close`.
  Result operands(Expr::Kind kind, size_t begin, char close) {
    Parsed result;
    result.expr.kind = kind;
    if (!take(close)) {
      do {
        Result entry = expression(Or);
        if (!entry)
          return entry;
        result.depth = std::max(result.depth, entry->depth + 1);
        result.expr.operands.push_back(std::move(entry->expr));
      } while (take(','));
      if (!take(close))
        return unexpected(fmt::format("`,` or `{}`", close));
    }
    return deepEnough(*between(begin, std::move(result)));
  }

  Result name() {
    size_t begin = at;
    std::string_view found = word();
    if (found == "and" || found == "or" || found == "not")
      return unexpected("a number, a name, a string or a bracket");
    at += found.size();
    if (found == "true" || found == "false") {
      Expr truth = node(Expr::Kind::Bool, begin);
      truth.integer = found == "true";
      return Parsed{std::move(truth)};
    }
    if (found == "config" && at < text.size() && text[at] == ':')
      return configPath(begin);
    size_t behind = at;
    if (!take('(')) {
      at = behind;
      Expr variable = node(Expr::Kind::Variable, begin);
      variable.text = found;
      return Parsed{std::move(variable)};
    }
    if (std::ranges::find(functions, found) == functions.end())
      return wrong(begin, behind,
                   fmt::format("unknown function `{}`{}", found,
                               nearestName(found, functions).hint()));
    Result call =
        nested(begin, [&] { return operands(Expr::Kind::Call, begin, ')'); });
    if (call)
      call->expr.text = found;
    return call;
  }

  /// `%name` or `%name[index]`: only a `%` behind an operand is the modulo.
  Result temporary() {
    size_t begin = at++;
    while (at < text.size() && isWordPart(text[at]))
      ++at;
    Parsed result{node(Expr::Kind::Temporary, begin)};
    result.expr.text = text.substr(begin, at - begin);
    if (at == text.size() || text[at] != '[')
      return result;
    size_t open = at++;
    Result index = nested(open, [&] { return expression(Or); });
    if (!index)
      return index;
    if (!take(']'))
      return unexpected("an operator or `]`");
    result.depth = index->depth + 1;
    result.expr.operands.push_back(std::move(index->expr));
    return deepEnough(*between(begin, std::move(result)));
  }

  /// Names joined by `.`, list entries as `[3]`.
  Result configPath(size_t begin) {
    size_t path = ++at;
    auto skipName = [&](auto isPart) {
      size_t from = at;
      while (at < text.size() && isPart(text[at]))
        ++at;
      return at != from;
    };
    if (!skipName(isWordPart))
      return unexpected("a name behind `config:`");
    while (at < text.size() && (text[at] == '.' || text[at] == '[')) {
      bool isEntry = text[at++] == '[';
      if (!isEntry && !skipName(isWordPart))
        return unexpected("a name behind `.`");
      if (isEntry && !skipName(isDigit))
        return unexpected("the number of a list entry");
      if (isEntry && (at == text.size() || text[at] != ']'))
        return unexpected("`]`");
      if (isEntry)
        ++at;
    }
    Expr config = node(Expr::Kind::Config, begin);
    config.text = text.substr(path, at - path);
    return Parsed{std::move(config)};
  }

  std::string_view text;
  FileId file;
  uint32_t base;
  size_t at;
  unsigned nesting = 0;
  std::optional<ExprFault> fault;
};

ExprResult<Expr> finish(Result result, ExprParser &parser,
                        std::string_view written) {
  if (!result)
    return std::unexpected(parser.takeFault());
  result->expr.written = written;
  return std::move(result->expr);
}

} // namespace

ExprResult<Expr> parseExpression(std::string_view text, FileId file,
                                 uint32_t begin) {
  ExprParser parser(text, file, begin);
  return finish(parser.whole(), parser, text);
}

ExprResult<Expr> parseText(std::string_view text, FileId file, uint32_t begin) {
  ExprParser parser(text, file, begin);
  return finish(parser.pieces(0), parser, text);
}

ExprResult<Expr> parseBraced(std::string_view text, size_t &at, FileId file,
                             uint32_t begin) {
  ExprParser parser(text, file, begin, at);
  Result result = parser.braced(at - 1);
  std::string_view written = text.substr(at, parser.position() - at - 1);
  at = parser.position();
  return finish(std::move(result), parser, written);
}

} // namespace aoa
