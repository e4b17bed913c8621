//===- ValueBuilder.cpp - What stands behind `=` and in `${…}` --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ValueBuilder.h"

#include "aoa/Parse/ParseDiagnostics.h"

#include <charconv>

using antlr4::tree::ParseTree;
using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
/// Returns the number of a token, nothing if it does not fit.
template <typename Number> std::optional<Number> numberOf(StringRef digits) {
  Number number = 0;
  auto [end, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}
} // namespace

ast::Value ValueBuilder::buildValue(Node &node) {
  SourceRange range = rangeOf(node);
  size_t numParts = node.children.size();
  // Literals are 1 or 2 nodes: an operand, perhaps behind a sign.
  Node *primary = numParts <= 2 ? rule(node.children.back()) : nullptr;
  if (!primary || primary->children.size() != 1)
    return {buildExpr(node), range};
  if (auto *part = rule(primary->children.front())) {
    if (part->getRuleIndex() == AoaParser::RuleList && numParts == 1)
      return buildList(*part, range);
    return {buildExpr(node), range};
  }
  const Token &operand = *token(primary->children.front());
  StringRef text = list.textOf(operand);
  if (operand.kind == AoaParser::NUMBER || operand.kind == AoaParser::FLOAT)
    if (std::optional<bool> isNegative = signOf(node))
      return operand.kind == AoaParser::FLOAT
                 ? ast::Value{floatOf(range, text, *isNegative), range}
                 : ast::Value{integerOf(range, text, *isNegative ? "-" : ""),
                              range};
  if (operand.kind == AoaParser::STRING && numParts == 1)
    return {ast::Text{textOfString(text)}, range};
  if (operand.kind == AoaParser::WORD && numParts == 1)
    return {ast::Word{text.str()}, range};
  return {buildExpr(node), range};
}

/// Whether the sign of a value is a minus; nothing for a `not`.
std::optional<bool> ValueBuilder::signOf(const Node &node) const {
  if (node.children.size() == 1)
    return false;
  unsigned kind = token(node.children.front())->kind;
  if (kind == AoaParser::NOT)
    return std::nullopt;
  return kind == AoaParser::MINUS;
}

ast::Value ValueBuilder::buildList(Node &node, SourceRange range) {
  if (isPaddle())
    fault(diag::SyntaxError, range,
          "expected a number or a string, found a list; `--std=paddle` has "
          "lists in quotes");
  ast::List elements;
  for (ParseTree *child : node.children)
    if (auto *value = rule(child))
      elements.push_back(buildValue(*value));
  return {std::move(elements), range};
}

/// Upstream takes quotes off twice: `"'float16'"` is float16 there.
std::string ValueBuilder::textOfString(StringRef text) const {
  return (isPaddle() ? text.trim('"').trim('\'')
                     : text.drop_front().drop_back())
      .str();
}

int64_t ValueBuilder::integerOf(SourceRange range, StringRef digits,
                                StringRef sign) {
  std::string text = sign.str() + digits.str();
  if (std::optional<int64_t> number = numberOf<int64_t>(text))
    return *number;
  fault(diag::NumberOutOfRange, range,
        "`" + text + "` does not fit in 64 bits");
  return 0;
}

double ValueBuilder::floatOf(SourceRange range, StringRef digits,
                             bool isNegative) {
  std::optional<double> number = numberOf<double>(digits);
  if (!number) {
    fault(diag::NumberOutOfRange, range,
          "`" + digits.str() + "` does not fit in a 64-bit float");
    return 0;
  }
  return isNegative ? -*number : *number;
}

ast::Value ValueBuilder::buildBound(Node &node) {
  ast::Value value = buildValue(node);
  if (!std::holds_alternative<int64_t>(value.data) &&
      !std::holds_alternative<ast::ExprRef>(value.data))
    value.data = buildExpr(node);
  return value;
}

ast::ExprRef ValueBuilder::buildExpr(Node &node) {
  return keep(
      parseExpression(textOf(rangeOf(node)), list.file, rangeOf(node).begin),
      textOf(node));
}

ast::ExprRef ValueBuilder::buildText(Node &composed) {
  SourceRange range = rangeOf(composed);
  if (isString(composed)) {
    ++range.begin;
    --range.end;
  }
  return keep(parseText(textOf(range), list.file, range.begin),
              textOf(composed));
}

ast::ExprRef ValueBuilder::buildString(ParseTree *node) {
  if (Node *composed = rule(node))
    return buildText(*composed);
  SourceRange range = list.rangeOf(*token(node));
  SourceRange inside = {range.file, range.begin + 1, range.end - 1};
  return keep(parseText(textOf(inside), list.file, inside.begin),
              textOf(range).str());
}

bool ValueBuilder::isString(const Node &composed) const {
  return list.tokens[composed.start->getTokenIndex()].kind ==
         AoaParser::STRING_HEAD;
}

/// An expression carries its text as printed statements show it.
ast::ExprRef ValueBuilder::keep(ExprResult<Expr> parsed, std::string written) {
  if (!parsed) {
    fault(diag::SyntaxError, parsed.error().range, parsed.error().message);
    return std::make_shared<Expr>();
  }
  parsed->written = std::move(written);
  return std::make_shared<Expr>(std::move(*parsed));
}

} // namespace aoa::parse
