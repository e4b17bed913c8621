//===- MacroTable.cpp - The macros that tags name -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "MacroTable.h"

#include "aoa/Expand/Expand.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

MacroTable::MacroTable() {
  for (const MacroInfo &macro : allMacros())
    if (macro.isTag)
      addTag(macro.form);
}

void MacroTable::addTag(llvm::StringRef tag) {
  if (known.insert(tag).second)
    allTags.push_back(tag.str());
}

const MacroTable::Overloads &MacroTable::overloads(llvm::StringRef tag) const {
  static const Overloads none;
  if (!isTag(tag))
    return none;
  Overloads &made = macros[tag];
  if (!made.empty())
    return made;
  for (const ast::Item &item : prelude().body) {
    const auto &definition =
        std::get<std::shared_ptr<const ast::MacroDefinition>>(item.data);
    if (definition->tag == tag)
      made.push_back(std::make_unique<KnownMacro>(KnownMacro{
          .definition = definition.get(),
          .body = definition->body,
          .isBuiltIn = true,
          .asksDegrees = aoa::expand::asksDegrees(definition->body)}));
  }
  return made;
}

const KnownMacro *MacroTable::find(llvm::StringRef tag, size_t numLeft,
                                   size_t numRight) const {
  for (const std::unique_ptr<KnownMacro> &macro : overloads(tag))
    if (macro->takes(numLeft, numRight))
      return macro.get();
  return nullptr;
}

void MacroTable::define(KnownMacro macro) {
  const std::string &tag = macro.definition->tag;
  addTag(tag);
  macro.number = numDefined++;
  macros[tag].push_back(std::make_unique<KnownMacro>(std::move(macro)));
}

namespace {

bool asks(const Expr &expr) {
  return (expr.kind == Expr::Kind::Call &&
          (expr.text == "src_degree" || expr.text == "dst_degree")) ||
         llvm::any_of(expr.operands, asks);
}

bool asks(const ast::ExprRef &expr) { return expr && asks(*expr); }

bool asks(const ast::Value &value) {
  if (const auto *list = std::get_if<ast::List>(&value.data))
    return llvm::any_of(*list,
                        [](const ast::Value &entry) { return asks(entry); });
  const auto *expr = std::get_if<ast::ExprRef>(&value.data);
  return expr && asks(*expr);
}

bool asks(const ast::Name &name) {
  if (name.array && (asks(name.array->beginExpr) || asks(name.array->endExpr)))
    return true;
  if (name.list)
    return asks(name.list->first) || asks(name.list->last) ||
           llvm::any_of(name.list->names,
                        [](const ast::Name &each) { return asks(each); });
  return asks(name.interpolation) || asks(name.element);
}

struct AsksDegrees {
  bool operator()(const ast::Statement &statement) const {
    auto names = [](const auto &side) {
      return llvm::any_of(side,
                          [](const ast::Name &name) { return asks(name); });
    };
    return names(statement.left) || names(statement.right) ||
           llvm::any_of(statement.attributes, [](const ast::Attribute &each) {
             return asks(each.value);
           });
  }
  bool operator()(const ast::Let &let) const { return asks(let.value); }
  bool operator()(const ast::For &loop) const {
    return asks(loop.first) || asks(loop.last) || asksDegrees(loop.body);
  }
  bool operator()(const ast::If &choice) const {
    return llvm::any_of(choice.branches, [](const ast::If::Branch &branch) {
      return asks(branch.condition) || asksDegrees(branch.body);
    });
  }
  bool operator()(const ast::Assert &assertion) const {
    return asks(assertion.condition) || asks(assertion.message);
  }
  bool operator()(const ast::Include &) const { return false; }
  bool operator()(const std::shared_ptr<const ast::MacroDefinition> &) const {
    return false;
  }
};

} // namespace

bool asksDegrees(const ast::Block &block) {
  return llvm::any_of(block, [](const ast::Item &item) {
    return std::visit(AsksDegrees(), item.data);
  });
}

} // namespace aoa::expand
