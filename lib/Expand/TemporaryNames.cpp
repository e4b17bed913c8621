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

/// How many `_` must stand behind `mark`, a character and some `_`, so that
/// `name` does not hold it.
static size_t missingUnderscores(llvm::StringRef mark, llvm::StringRef name) {
  size_t missing = 0;
  for (size_t at = name.find(mark); at != llvm::StringRef::npos;
       at = name.find(mark, at + 1)) {
    llvm::StringRef behind = name.drop_front(at + mark.size());
    size_t run = behind.size() - behind.ltrim('_').size();
    missing = std::max(missing, run + 1);
  }
  return missing;
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
  auto lengthenBy = [](std::string &mark, llvm::StringRef name) {
    mark.append(missingUnderscores(mark, name), '_');
  };
  auto avoidTensors = [&](std::string &mark) {
    for (llvm::StringRef name : inputs.sourceNames)
      lengthenBy(mark, name);
    for (llvm::StringRef name : inputs.targetNames)
      lengthenBy(mark, name);
    forEachName(statements, [&](const ast::Name &name) {
      if (!isWrittenAsTemporary(name))
        lengthenBy(mark, name.text);
    });
  };
  avoidTensors(prefix);
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
  avoidTensors(separator);
  forEachName(statements, [&](const ast::Name &name) {
    if (isTemporary(name))
      lengthenBy(separator, name.text);
  });
}

} // namespace aoa::expand
