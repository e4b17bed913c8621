//===- WarnBlocks.cpp - What --std=paddle lacks of whole scripts ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The analysis marks what is not portable of statements; what made them is gone
// by then. One report an item of the script, with the word that it begins with.
//===----------------------------------------------------------------------===//
#include "Runner.h"

#include "aoa/AST/ASTDiagnostics.h"
#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

namespace {

struct Found {
  SourceRange range;
  const char *what;
};

struct Finder {
  using Result = std::optional<Found>;
  Result operator()(const ast::Statement &statement) const {
    for (const ast::Name &name :
         llvm::concat<const ast::Name>(statement.left, statement.right)) {
      if (name.list)
        return Found{name.list->range, "a list of names"};
      if (name.element)
        return Found{name.range, "an element of a temporary"};
    }
    return std::nullopt;
  }
  Result operator()(const ast::Let &let) const {
    return Found{let.range, "`let`"};
  }
  Result operator()(const ast::For &loop) const {
    return Found{loop.range, "`for`"};
  }
  Result operator()(const ast::If &choice) const {
    return Found{choice.branches.front().range, "`if`"};
  }
  Result operator()(const ast::Assert &assertion) const {
    return Found{assertion.range, "`assert`"};
  }
  Result operator()(const ast::Include &) const { return std::nullopt; }
  Result operator()(
      const std::shared_ptr<const ast::MacroDefinition> &definition) const {
    return Found{definition->range, "`macro`"};
  }
};

} // namespace

void Runner::warnBlocks(const ast::Block &body) {
  if (expander.isPaddle())
    return;
  for (const ast::Item &item : body)
    if (std::optional<Found> found = std::visit(Finder(), item.data))
      error(diag::Portability, found->range,
            std::string(found->what) +
                ", which --std=paddle does not have; `aoac expand` writes the "
                "statements out");
}

} // namespace aoa::expand
