//===- DefineMacro.cpp - macro TAG(…) { … } -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Checks what holds for every call, and tells tags apart from names in the
// body: only macros that are defined by now can be called, so that no macro
// calls itself.
//===----------------------------------------------------------------------===//
#include "Runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace aoa::expand {

namespace {

/// The first name that templates would act on, `(…)` looked into.
const ast::Name *findTemplate(llvm::ArrayRef<ast::Name> names) {
  for (const ast::Name &name : names) {
    if (name.list) {
      if (const ast::Name *found = findTemplate(name.list->names))
        return found;
      continue;
    }
    llvm::StringRef text = name.text;
    bool hasPlaceholder =
        name.interpolation
            ? llvm::any_of(
                  name.interpolation->operands,
                  [](const Expr &piece) {
                    return piece.kind == Expr::Kind::Literal &&
                           llvm::StringRef(piece.text).find_first_of("$*") !=
                               llvm::StringRef::npos;
                  })
            : text.find_first_of("$*") != llvm::StringRef::npos;
    if (!name.quoted && hasPlaceholder)
      return &name;
  }
  return nullptr;
}

} // namespace

bool Runner::checkParameters(const ast::MacroDefinition &definition) {
  auto check = [&](llvm::StringRef name, SourceRange range) {
    if (expander.isWordOfTheLanguage(name))
      return error(diag::MacroDefinition, range,
                   "the parameter " + quoted(name) +
                       " has the name of a word of statements");
    return checkNewVariable(expander, placeOf(range), name, range);
  };
  for (const auto *side : {&definition.left, &definition.right})
    for (const ast::MacroDefinition::Parameter &parameter : *side)
      if (!check(parameter.name, parameter.range))
        return false;
  return llvm::all_of(definition.attributes, [&](const auto &attribute) {
    return checkNewVariable(expander, placeOf(attribute.range), attribute.name,
                            attribute.range);
  });
}

bool Runner::prepare(ast::Block &block,
                     const ast::MacroDefinition &definition) {
  bool good = true;
  for (ast::Item &item : block) {
    if (auto *loop = std::get_if<ast::For>(&item.data)) {
      good &= prepare(loop->body, definition);
    } else if (auto *choice = std::get_if<ast::If>(&item.data)) {
      for (ast::If::Branch &branch : choice->branches)
        good &= prepare(branch.body, definition);
    } else if (auto *statement = std::get_if<ast::Statement>(&item.data)) {
      const ast::Name *found = findTemplate(statement->left);
      if (!found)
        found = findTemplate(statement->right);
      if (found || !statement->clauses.empty())
        good = error(diag::MacroDefinition,
                     found ? found->range : statement->clauses.front().range,
                     (found ? quoted(found->text) + " is a template"
                            : std::string("a clause")) +
                         " in the body of " + quoted(definition.tag) +
                         ": templates stand where the macro is called, a body "
                         "has loops");
      else
        good &= tellTagsApart(expander, *statement);
    }
  }
  return good;
}

bool Runner::run(
    const std::shared_ptr<const ast::MacroDefinition> &definition) {
  const ast::MacroDefinition &macro = *definition;
  // Its own body comes before, too.
  auto define =
      llvm::make_scope_exit([&] { expander.laterMacros.erase(macro.tag); });
  if (macro.tag == "copy" || macro.tag == "optional") {
    error(diag::MacroDefinition, macro.tagRange,
          quoted(macro.tag) + " is a word of the language, and no tag");
    return true;
  }
  for (const auto &other : expander.macros.overloads(macro.tag)) {
    if (other->isBuiltIn) {
      error(diag::MacroDefinition, macro.tagRange,
            quoted(macro.tag) + " is built in");
      return true;
    }
    if (other->takes(macro.left.size(), macro.right.size())) {
      error(diag::MacroDefinition, macro.tagRange,
            quoted(macro.tag) + " of " + std::to_string(macro.left.size()) +
                " to " + std::to_string(macro.right.size()) +
                " names is defined twice",
            {{other->definition->tagRange, "first defined here"}});
      return true;
    }
  }
  KnownMacro known{.definition = definition.get(), .body = macro.body};
  known.asksDegrees = asksDegrees(macro.body);
  known.numGlobals = expander.variables.size();
  // With a fault in it the macro is known all the same, so that its calls are
  // no names.
  bool good = checkParameters(macro) && prepare(known.body, macro);
  known.isFaulty = !good;
  expander.macros.define(std::move(known));
  return true;
}

} // namespace aoa::expand
