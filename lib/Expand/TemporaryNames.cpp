//===- TemporaryNames.cpp - `%name` apart from all tensors ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "TemporaryNames.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

static bool isWrittenAsTemporary(const ast::Name &name) {
  return !name.quoted && llvm::StringRef(name.text).starts_with("%");
}

template <typename Statements, typename Visit>
static void forEachName(Statements &statements, const Visit &visit) {
  for (auto &statement : statements) {
    llvm::for_each(statement.left, visit);
    llvm::for_each(statement.right, visit);
  }
}

/// Puts `prefix` in place of the `%` that the name begins with.
static void putInFront(ast::Name &name, const std::string &prefix) {
  name.text.replace(0, 1, prefix);
  if (!name.interpolation)
    return;
  Expr text = *name.interpolation;
  // A value at the beginning of a name holds no `%`, so this is a literal.
  text.operands.front().text.replace(0, 1, prefix);
  name.interpolation = std::make_shared<const Expr>(std::move(text));
}

void TemporaryNames::separate(std::vector<ast::Statement> &statements,
                              const ExpandInputs &inputs) {
  bool haveElements = false;
  forEachName(statements, [&](const ast::Name &name) {
    exist |= isWrittenAsTemporary(name);
    haveElements |= isWrittenAsTemporary(name) && name.array;
  });
  if (!exist)
    return;
  auto occursInTensors = [&](llvm::StringRef text) {
    auto has = [&](llvm::StringRef name) { return name.contains(text); };
    bool found = llvm::any_of(inputs.sourceNames, has) ||
                 llvm::any_of(inputs.targetNames, has);
    forEachName(statements, [&](const ast::Name &name) {
      found |= !isWrittenAsTemporary(name) && has(name.text);
    });
    return found;
  };
  while (occursInTensors(prefix))
    prefix += '_';
  // What expansion made before is left as it is.
  bool areSeparate = true;
  forEachName(statements, [&](const ast::Name &name) {
    areSeparate &= !isWrittenAsTemporary(name) || isTemporary(name);
  });
  if (!areSeparate)
    forEachName(statements, [&](ast::Name &name) {
      if (isWrittenAsTemporary(name))
        putInFront(name, prefix);
    });
  if (!haveElements)
    return;
  auto occursInTemporaries = [&](llvm::StringRef text) {
    bool found = false;
    forEachName(statements, [&](const ast::Name &name) {
      found |= isTemporary(name) && llvm::StringRef(name.text).contains(text);
    });
    return found;
  };
  while (occursInTemporaries(separator) || occursInTensors(separator))
    separator += '_';
}

} // namespace aoa::expand
