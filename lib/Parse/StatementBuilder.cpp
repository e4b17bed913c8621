//===- StatementBuilder.cpp - Arrow statements ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StatementBuilder.h"

#include "SyntaxErrors.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

using antlr4::tree::ParseTree;
using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
/// Returns the placeholder that is the whole of `text`, `$(X)` as `$X`, or
/// nothing.
std::string wholePlaceholder(StringRef text) {
  StringRef word = text;
  if (!word.consume_front("$"))
    return "";
  word.consume_front("$");
  StringRef sigil = text.drop_back(word.size());
  if (word.consume_front("(") && !word.consume_back(")"))
    return "";
  bool isWord = !word.empty() && llvm::isUpper(word.front()) &&
                !word.ends_with("_") && llvm::all_of(word, [](char c) {
                  return llvm::isUpper(c) || llvm::isDigit(c) || c == '_';
                });
  return isWord ? (sigil + word).str() : "";
}

ast::Clause::Kind clauseKind(const Token &word) {
  switch (word.kind) {
  case AoaParser::NOT:
    return ast::Clause::Kind::NotIn;
  case AoaParser::SHORTEST:
    return ast::Clause::Kind::Shortest;
  case AoaParser::LONGEST:
    return ast::Clause::Kind::Longest;
  default: // a kind of token, not an enumeration of ours
    return ast::Clause::Kind::In;
  }
}

/// Words of expressions: as variables they could not be asked for.
constexpr std::array<StringRef, 4> expressionWords = {"and", "or", "true",
                                                      "false"};
} // namespace

std::string StatementBuilder::variableOf(const Token &token, StringRef what) {
  StringRef text = list.textOf(token);
  auto refuse = [&](const std::string &found, const std::string &expected) {
    fault(diag::SyntaxError, list.rangeOf(token),
          what.str() + " is " + found + ", expected " + expected);
  };
  auto stranger = llvm::find_if_not(
      text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (stranger != text.end())
    refuse("`" + text.str() + "`", "letters, digits and `_` only");
  else if (llvm::is_contained(expressionWords, text))
    refuse("`" + text.str() + "`, a word of expressions", "another name");
  else if (text.ends_with("_ID"))
    refuse("`" + text.str() + "`",
           "another ending: names that end in `_ID` are placeholders");
  return text.str();
}

ast::Statement StatementBuilder::buildStatement(Node &node) {
  ast::Statement statement;
  statement.range = rangeOf(node);
  for (ParseTree *child : node.children) {
    if (const Token *separator = token(child)) {
      if (separator->kind == AoaParser::ARROW)
        statement.arrow = list.rangeOf(*separator);
    } else if (auto *names = rule(child, AoaParser::RuleNames)) {
      for (ParseTree *operand : names->children)
        if (auto *name = rule(operand))
          statement.left.push_back(buildName(*name));
    } else {
      addItem(statement, *rule(child));
    }
  }
  if (statement.firstLateName == ~0u)
    statement.firstLateName = static_cast<unsigned>(statement.right.size());
  return statement;
}

void StatementBuilder::addItem(ast::Statement &statement, Node &item) {
  if (auto *value = rule(item.children.back(), AoaParser::RuleValue))
    return addAttribute(statement, item, *value);
  if (auto *clause = rule(item.children.back(), AoaParser::RuleClause))
    return addClause(statement, item, *clause);
  bool isLate = !statement.attributes.empty() || !statement.clauses.empty();
  if (isLate && statement.firstLateName == ~0u)
    statement.firstLateName = static_cast<unsigned>(statement.right.size());
  statement.right.push_back(buildName(item));
}

void StatementBuilder::addAttribute(ast::Statement &statement, Node &item,
                                    Node &value) {
  const Token *word = token(item.children.front());
  bool isWord = word && word->kind == AoaParser::NAME &&
                item.children.size() == 3 &&
                !list.textOf(*word).starts_with("%") &&
                !(isPaddle() && list.textOf(*word).ends_with("^T"));
  if (!isWord) {
    size_t equals = value.start->getTokenIndex() - 1;
    fault(diag::SyntaxError, rangeOf(item),
          "expected a bare word as the attribute before `=`, found `" +
              canonicalText(list, item.start->getTokenIndex(), equals) + "`");
    return;
  }
  statement.attributes.push_back(
      {list.textOf(*word).str(), list.rangeOf(*word), buildValue(value)});
}

void StatementBuilder::addClause(ast::Statement &statement, Node &item,
                                 Node &node) {
  ast::Clause clause;
  clause.range = rangeOf(item);
  if (const Token *word = token(item.children.front());
      word && word->kind == AoaParser::NAME && item.children.size() == 2)
    clause.placeholder = wholePlaceholder(list.textOf(*word));
  if (clause.placeholder.empty()) {
    size_t first = node.start->getTokenIndex();
    SourceRange name = rangeOf(item);
    name.end = list.tokens[first - 1].end;
    fault(diag::SyntaxError, name,
          "expected a placeholder (`$NAME` or `$$NAME`) before " +
              describeToken(list, first) + ", found `" +
              canonicalText(list, item.start->getTokenIndex(), first) + "`");
  }
  clause.kind = clauseKind(*token(node.children.front()));
  if (auto *set = rule(node.children.back(), AoaParser::RuleSet)) {
    for (ParseTree *child : set->children)
      if (const Token &piece = *token(child); piece.kind == AoaParser::PIECE)
        clause.set.push_back(list.textOf(piece).str());
  } else if (auto *last = rule(node.children.back(), AoaParser::RuleValue)) {
    clause.first = buildBound(*rule(*(node.children.end() - 3)));
    clause.last = buildBound(*last);
  }
  statement.clauses.push_back(std::move(clause));
}

} // namespace aoa::parse
