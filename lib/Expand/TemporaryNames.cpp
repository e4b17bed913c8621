//===- TemporaryNames.cpp - `%name` apart from all tensors ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "TemporaryNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace aoa::expand {

static bool isWrittenAsTemporary(const ast::Name &name) {
  return !name.quoted && llvm::StringRef(name.text).starts_with("%");
}

namespace {

/// Visits all names of a block, those of lists and inner blocks included.
template <typename Visit> struct NameVisitor {
  const Visit &visit;

  void block(const ast::Block &block) const {
    for (const ast::Item &item : block)
      std::visit(*this, item.data);
  }
  template <typename Side> void side(const Side &side) const {
    for (const ast::Name &name : side)
      if (name.list)
        this->side(name.list->names);
      else
        visit(name);
  }
  void operator()(const ast::Statement &statement) const {
    side(statement.left);
    side(statement.right);
  }
  void operator()(const ast::For &loop) const { block(loop.body); }
  void operator()(const ast::If &choice) const {
    for (const ast::If::Branch &branch : choice.branches)
      block(branch.body);
  }
  void
  operator()(const std::shared_ptr<const ast::MacroDefinition> &macro) const {
    block(macro->body);
  }
  void operator()(const ast::Let &) const {}
  void operator()(const ast::Assert &) const {}
  void operator()(const ast::Include &) const {}
};

template <typename Visit>
void forEachName(const ast::Block &body, const Visit &visit) {
  NameVisitor<Visit>{visit}.block(body);
}

} // namespace

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

void TemporaryNames::separate(ast::Name &name) const {
  if (addsPrefix && isWrittenAsTemporary(name))
    putInFront(name, prefix);
}

std::string TemporaryNames::fresh(llvm::StringRef name) {
  std::string text = isTemporary(name) ? "" : prefix;
  // Names may hold anything, those of temporaries only what may stand bare.
  for (char c : name)
    text += llvm::isAlnum(c) || c == '.' || c == '_' ||
                    (isTemporary(name) && (c == '%' || c == '^'))
                ? c
                : '_';
  return text + separator + "t" + std::to_string(numFresh++);
}

void TemporaryNames::choose(const ast::Block &body,
                            const ExpandInputs &inputs) {
  bool haveElements = false;
  forEachName(body, [&](const ast::Name &name) {
    exist |= isWrittenAsTemporary(name);
    haveElements |= isWrittenAsTemporary(name) && (name.array || name.element);
  });
  // Only blocks and macros make more temporaries.
  bool makesMore = llvm::any_of(body, [](const ast::Item &item) {
    return !std::holds_alternative<ast::Statement>(item.data);
  });
  exist |= makesMore;
  haveElements |= makesMore;
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
    forEachName(body, [&](const ast::Name &name) {
      if (!isWrittenAsTemporary(name))
        lengthenBy(mark, name.text);
    });
  };
  avoidTensors(prefix);
  // What expansion made before is left as it is.
  forEachName(body, [&](const ast::Name &name) {
    addsPrefix |= isWrittenAsTemporary(name) && !isTemporary(name);
  });
  if (!haveElements)
    return;
  avoidTensors(separator);
  forEachName(body, [&](const ast::Name &name) {
    if (isWrittenAsTemporary(name))
      lengthenBy(separator, (addsPrefix ? prefix : "%") + name.text.substr(1));
  });
}

} // namespace aoa::expand
