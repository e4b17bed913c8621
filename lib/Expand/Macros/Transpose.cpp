//===- Transpose.cpp - name^T -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `w^T -> x` becomes `w -> w_transpose_tmp, permute=[]` (all axes reversed) and
// `w_transpose_tmp -> x`. A name that occurs twice is transposed once. With
// `copy` it is `w -> x, permute=[], copy`, which keeps w.
//===----------------------------------------------------------------------===//

#include "Expander.h"
#include "Temporaries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <utility>

namespace aoa::expand {

/// `w^T^T` is `w`. Upstream takes the inner `^T` for a part of the name.
static void cancelPairs(ast::Name &name) {
  while (!name.quoted && name.transposed &&
         llvm::StringRef(name.text).ends_with("^T")) {
    name.text.resize(name.text.size() - 2);
    name.transposed = false;
    if (llvm::StringRef(name.text).ends_with("^T")) {
      name.text.resize(name.text.size() - 2);
      name.transposed = true;
    }
  }
}

static bool checkPlaces(Expander &expander, const ast::Statement &statement) {
  for (const ast::Name &name : statement.right)
    if (name.transposed) {
      expander.report(diag::RightTranspose, statement, name.range,
                      "`^T` on " + quoted(name.text) +
                          ", which is bound here: it belongs on a left name");
      return false;
    }
  for (const ast::Name &name : statement.left)
    if (name.transposed && name.isDiscard()) {
      expander.report(diag::RightTranspose, statement, name.range,
                      "`^T` on `_`, which is no tensor");
      return false;
    }
  return true;
}

void expandTranspose(Expander &expander, size_t, ast::Statement statement,
                     Statements &out) {
  if (!checkPlaces(expander, statement))
    return;
  bool isRemoval =
      statement.right.size() == 1 && statement.right.front().isDiscard();
  if (statement.copies && statement.left.size() == 1) {
    ast::Name &name = statement.left.front();
    cancelPairs(name);
    if (std::exchange(name.transposed, false))
      statement.attributes.insert(
          statement.attributes.begin(),
          {"permute", name.range, {ast::List(), name.range}});
    out.push_back(std::move(statement));
    return;
  }
  llvm::StringMap<ast::Name> temporaries;
  ast::ExpansionId outer = statement.expansion;
  for (ast::Name &name : statement.left) {
    if (!expander.isPaddle())
      cancelPairs(name);
    // What is removed need not be turned first.
    if (isRemoval)
      name.transposed = false;
    if (!name.transposed)
      continue;
    if (statement.copies) {
      // The name stays a result, so nothing may move it into a temporary; a
      // copy has one left name, on which operations act from left to right.
      name.transposed = false;
      ast::Value axes{ast::List(), name.range};
      statement.attributes.insert(statement.attributes.begin(),
                                  {"permute", name.range, std::move(axes)});
      continue;
    }
    ast::Name &temporary = temporaries[name.text];
    if (temporary.text.empty()) {
      if (!expander.takeStatements(statement, 1))
        return;
      ast::ExpansionId expansion =
          expander.result.addExpansion({outer, "^T", name.range, ""});
      if (temporaries.size() == 1)
        statement.expansion = expansion;
      temporary = expander.temporaries->make(
          statement, name.text + "_transpose_tmp", name);
      ast::Statement &made =
          out.emplace_back(makeStatement(statement, expansion));
      made.left.push_back(name);
      made.left.front().transposed = false;
      made.right.push_back(temporary);
      ast::Value axes{ast::List(), name.range};
      if (expander.isPaddle())
        axes.data = ast::Text{"[]"};
      made.attributes.push_back({"permute", name.range, std::move(axes)});
    }
    name = temporary;
  }
  out.push_back(std::move(statement));
}

} // namespace aoa::expand
