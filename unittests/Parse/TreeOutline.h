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

inline std::string outline(const ast::ExprRef &expr) {
  return expr ? outline(*expr) + expr->written : "none";
}

inline std::string outline(const ast::Name &name) {
  if (name.list) {
    std::string text = "(";
    for (const ast::Name &element : name.list->names)
      text += outline(element);
    return text + name.list->variable + outline(name.list->first) +
           outline(name.list->last) + ")";
  }
  std::string text = "<" + name.text + (name.quoted ? " quoted" : "") +
                     (name.transposed ? " transposed" : "");
  if (name.array)
    text += " " + ast::printArrayBounds(*name.array);
  if (name.interpolation)
    text += " " + outline(*name.interpolation);
  if (name.element)
    text += " element " + outline(name.element);
  return text + (name.maybe ? " maybe" : "") + ">";
}

/// A statement without its locations.
inline std::string outline(const ast::Statement &statement) {
  std::string text;
  for (const ast::Name &name : statement.left)
    text += outline(name);
  text += "->";
  for (const ast::Name &name : statement.right)
    text += outline(name);
  for (const ast::Attribute &attribute : statement.attributes)
    text += "{" + attribute.name + " " + outline(attribute.value) + "}";
  for (const ast::Clause &clause : statement.clauses)
    text += "{" + ast::printClause(clause) + "}";
  return text + std::to_string(statement.firstLateName);
}

inline std::string outline(const ast::Block &block);

/// The items of a block without their locations.
struct ItemOutline {
  std::string operator()(const ast::Statement &statement) const {
    return outline(statement);
  }
  std::string operator()(const ast::Let &let) const {
    return "let " + let.variable + outline(let.value);
  }
  std::string operator()(const ast::For &loop) const {
    return "for " + loop.variable + outline(loop.first) + outline(loop.last) +
           outline(loop.body);
  }
  std::string operator()(const ast::If &branches) const {
    std::string text = "if ";
    for (const ast::If::Branch &branch : branches.branches)
      text += outline(branch.condition) + outline(branch.body);
    return text;
  }
  std::string operator()(const ast::Assert &assertion) const {
    return "assert " + outline(assertion.condition) +
           outline(assertion.message);
  }
  std::string operator()(const ast::Include &include) const {
    return "include " + include.path;
  }
  std::string
  operator()(const std::shared_ptr<const ast::MacroDefinition> &macro) const {
    std::string text = "macro " + macro->tag;
    for (const auto &parameter : macro->left)
      text += " " + parameter.name;
    text += "->";
    for (const auto &parameter : macro->right)
      text += " " + parameter.name;
    for (const auto &attribute : macro->attributes)
      text += ";" + attribute.name + outline(attribute.fallback);
    return text + outline(macro->body);
  }
};

inline std::string outline(const ast::Block &block) {
  std::string text = "{";
  for (const ast::Item &item : block)
    text += std::visit(ItemOutline(), item.data) + "\n";
  return text + "}";
}

inline std::string outline(const ast::Script &script) {
  return outline(script.body) + std::to_string(script.numWritten);
}

} // namespace aoa

#endif // AOA_UNITTESTS_PARSE_TREEOUTLINE_H
