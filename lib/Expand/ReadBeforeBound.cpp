//===- ReadBeforeBound.cpp - One template, all at once ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `l.$LAYER_ID_OFFSET.w -> l.$LAYER_ID_OFFSET.w` over l.1.w and l.2.w binds
// l.0.w and l.1.w; with `w.$A_ID.$B_ID -> w.$B_ID.$A_ID` every name is both
// read and bound. The instances mean the names as they were before the
// statement: where an earlier instance binds what a later one reads, the later
// one reads a temporary that was made first.
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Temporaries.h"
#include "aoa/AST/ASTDiagnostics.h"

#include "llvm/ADT/StringMap.h"

namespace aoa::expand {

static ast::Name putAside(Expander &expander, const ast::Statement &statement,
                          const std::string &base, const ast::Name &left) {
  if (!expander.temporaries) {
    ast::Name fresh;
    fresh.text = expander.temporaryNames.fresh(left.text);
    fresh.range = left.range;
    return fresh;
  }
  ast::Name made = expander.temporaries->make(statement, base, left);
  expander.temporaries->keep(made);
  return made;
}

void readBeforeBound(Expander &expander, Statements &group) {
  llvm::StringMap<ast::Name> temporaries;
  llvm::StringMap<size_t> boundBy;
  Statements renames;
  for (size_t i = 0; i < group.size(); ++i) {
    for (ast::Name &left : group[i].left) {
      auto bound = boundBy.find(left.text);
      if (bound == boundBy.end() || bound->second == i || left.isDiscard())
        continue;
      auto [known, isNew] = temporaries.try_emplace(left.text);
      if (isNew && temporaries.size() == 1)
        expander.report(diag::Portability, group[i], left.range,
                        "`" + left.text +
                            "` is read before the template binds it anew; "
                            "with --std=paddle instances act one after the "
                            "other");
      if (isNew) {
        if (!expander.takeStatements(group[i], 1))
          return;
        // A copy leaves what it reads a result, unless that is a temporary.
        std::string base = left.text + "_tmp";
        if (group[i].copies && !expander.temporaryNames.isTemporary(left))
          base = expander.temporaryNames.temporary(base);
        known->second = putAside(expander, group[i], base, left);
        ast::Statement &rename =
            renames.emplace_back(makeStatement(group[i], group[i].expansion));
        rename.left.push_back(left);
        rename.left.front().transposed = false;
        rename.right.push_back(known->second);
      }
      bool transposed = left.transposed;
      left = known->second;
      left.transposed = transposed;
    }
    for (const ast::Name &right : group[i].right)
      if (!right.isDiscard())
        boundBy.try_emplace(right.text, i);
  }
  group.insert(group.begin(), std::make_move_iterator(renames.begin()),
               std::make_move_iterator(renames.end()));
}

} // namespace aoa::expand
