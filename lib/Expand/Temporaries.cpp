//===- Temporaries.cpp - Names that only macros use -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Temporaries.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

void Temporaries::noteUserNames(const Statements &statements) {
  for (const ast::Statement &statement : statements) {
    for (const ast::Name &right : statement.right)
      userNames.insert(right.text);
    // Upstream's users may read a temporary by its name.
    if (!expander.isPaddle())
      for (const ast::Name &left : statement.left)
        userNames.insert(left.text);
  }
}

void Temporaries::noteUserNames() {
  if (knowsUserNames)
    return;
  knowsUserNames = true;
  if (groups)
    for (const Group &group : *groups)
      noteUserNames(group.statements);
  else
    noteUserNames(expander.statements);
}

bool Temporaries::isTaken(llvm::StringRef name) {
  noteUserNames();
  return userNames.contains(name) ||
         llvm::binary_search(expander.inputs.sourceNames, name) ||
         llvm::binary_search(expander.inputs.targetNames, name);
}

ast::Name Temporaries::make(const ast::Statement &statement, std::string base,
                            const ast::Name &origin) {
  bool clashes = isTaken(base);
  std::string text = base;
  bool isFree = !clashes && inUse.insert(text).second;
  for (unsigned i = 1; !isFree; ++i) {
    text = base + "_" + std::to_string(i);
    isFree = !isTaken(text) && inUse.insert(text).second;
  }
  if (clashes && expander.isPaddle())
    expander.report(diag::TemporaryClash, statement, origin.range,
                    "upstream's temporary " + quoted(base) +
                        " would replace a tensor of that name; it is " +
                        quoted(text) + " here");
  ast::Name name;
  name.range = origin.range;
  // Parts of it may have been quoted, and are no templates when read again.
  bool mayBeTemplate = llvm::StringRef(text).contains('$') ||
                       llvm::StringRef(text).contains('*');
  name.quoted = origin.quoted || (!expander.isPaddle() && mayBeTemplate);
  name.text = std::move(text);
  return name;
}

} // namespace aoa::expand
