//===- StatementBuilder.h - Arrow statements and their names ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_STATEMENTBUILDER_H
#define AOA_PARSE_STATEMENTBUILDER_H

#include "ValueBuilder.h"

namespace aoa::parse {

/// Builds arrow statements, and reports suffixes out of place and what a
/// dialect does not have.
class StatementBuilder : protected ValueBuilder {
protected:
  using ValueBuilder::ValueBuilder;

  ast::Statement buildStatement(Node &node);
  /// Builds the name or list at the start of an operand or item.
  ast::Name buildName(Node &node);
  /// Returns the variable that the token names; reports what is none.
  std::string variableOf(const Token &token, llvm::StringRef what);

private:
  // StatementBuilder.cpp
  void addItem(ast::Statement &statement, Node &item);
  void addAttribute(ast::Statement &statement, Node &item, Node &value);
  void addClause(ast::Statement &statement, Node &item, Node &node);

  // NameBuilder.cpp
  void readName(const Token &word, ast::Name &name);
  llvm::StringRef unquoteName(const Token &word, ast::Name &name);
  void composeName(Node &node, ast::Name &name);
  void readList(Node &operand, Node &node, ast::Name &name);
  void addSuffix(ast::Name &name, Node &node, uint32_t end);
  void addBrackets(ast::Name &name, Node &node, SourceRange range);
  void addElement(ast::Name &name, Node &node);
  void readBound(Node &node, int64_t &number, ast::ExprRef &expr);
};

} // namespace aoa::parse

#endif // AOA_PARSE_STATEMENTBUILDER_H
