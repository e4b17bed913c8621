//===- TreeOutline.h - A tree without its locations -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Texts that are equal for equal trees: what tests compare printed and parsed
// scripts by.
//===----------------------------------------------------------------------===//
#ifndef AOA_UNITTESTS_PARSE_TREEOUTLINE_H
#define AOA_UNITTESTS_PARSE_TREEOUTLINE_H

#include "aoa/AST/Script.h"

namespace aoa {

/// An expression without its locations.
inline std::string outline(const Expr &expr) {
  std::string text = "(" + std::to_string(static_cast<int>(expr.kind)) + " " +
                     expr.text + std::to_string(expr.integer) + " " +
                     std::to_string(expr.number);
  for (const Expr &operand : expr.operands)
    text += outline(operand);
  return text + ")";
}

inline std::string outline(const ast::Value &value) {
  std::string text = std::to_string(value.data.index());
  if (const auto *expr = std::get_if<ast::ExprRef>(&value.data))
    return text + outline(**expr) + (*expr)->written;
  if (const auto *list = std::get_if<ast::List>(&value.data)) {
    for (const ast::Value &element : *list)
      text += "[" + outline(element) + "]";
    return text;
  }
  return text + ast::printValue(value);
}

/// A statement without its locations.
inline std::string outline(const ast::Statement &statement) {
  std::string text;
  auto add = [&](const ast::Name &name) {
    text += "<" + name.text + (name.quoted ? " quoted" : "") +
            (name.transposed ? " transposed" : "");
    if (name.array)
      text += " " + ast::printArrayBounds(*name.array);
    if (name.interpolation)
      text += " " + outline(*name.interpolation);
    text += std::string(name.maybe ? " maybe" : "") + ">";
  };
  for (const ast::Name &name : statement.left)
    add(name);
  text += "->";
  for (const ast::Name &name : statement.right)
    add(name);
  for (const ast::Attribute &attribute : statement.attributes)
    text += "{" + attribute.name + " " + outline(attribute.value) + "}";
  for (const ast::Clause &clause : statement.clauses)
    text += "{" + ast::printClause(clause) + "}";
  return text + std::to_string(statement.firstLateName);
}

inline std::string outline(const ast::Script &script) {
  std::string text;
  for (const ast::Statement *statement : ast::statementsOf(script.body))
    text += outline(*statement) + "\n";
  return text;
}

} // namespace aoa

#endif // AOA_UNITTESTS_PARSE_TREEOUTLINE_H
