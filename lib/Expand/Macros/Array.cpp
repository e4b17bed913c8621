//===- Array.cpp - name[a:b] ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `p[0:3]` is `p_0, p_1, p_2`. Upstream takes every unquoted bracket for one,
// so the paddle dialect refuses bare lists here.
//===----------------------------------------------------------------------===//

#include "Expander.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

static bool expandSide(Expander &expander, ast::Statement &statement,
                       llvm::SmallVectorImpl<ast::Name> &names,
                       unsigned *firstLate) {
  llvm::SmallVector<ast::Name, 2> expanded;
  for (size_t i = 0; i < names.size(); ++i) {
    if (firstLate && *firstLate == i)
      *firstLate = expanded.size();
    ast::Name &name = names[i];
    if (!name.array) {
      expanded.push_back(std::move(name));
      continue;
    }
    const ast::ArrayRange range = *name.array;
    std::string shown = "`[" + std::to_string(range.begin) + ":" +
                        std::to_string(range.end) + "]`";
    if (range.begin < 0 || range.begin >= range.end) {
      expander.report(diag::EmptyArray, statement, name.range,
                      shown + " stands for no names");
      return false;
    }
    uint64_t count = range.end - range.begin;
    if (!expander.takeNames(statement, count) ||
        !expander.takeText(statement, name.text, count))
      return false;
    statement.expansion = expander.result.addExpansion(
        {statement.expansion, "[a:b]", name.range,
         name.text + shown.substr(1, shown.size() - 2)});
    for (int64_t element = range.begin; element < range.end; ++element) {
      ast::Name &made = expanded.emplace_back();
      made.text =
          name.text + expander.temporaryNames.elementSuffix(name, element);
      made.range = name.range;
      made.quoted = name.quoted;
      made.transposed = name.transposed;
      made.maybe = name.maybe;
    }
  }
  names.assign(std::make_move_iterator(expanded.begin()),
               std::make_move_iterator(expanded.end()));
  return true;
}

void expandArray(Expander &expander, ast::Statement statement,
                 Statements &out) {
  if (expander.isPaddle())
    for (const ast::Attribute &attribute : statement.attributes)
      if (std::holds_alternative<ast::List>(attribute.value.data)) {
        expander.report(diag::UnquotedList, statement, attribute.value.range,
                        "the list of " + quoted(attribute.name) +
                            " has no quotes, and `[` outside quotes is "
                            "`name[a:b]` in the paddle dialect");
        return;
      }
  auto isArray = [](const ast::Name &name) { return name.array != nullptr; };
  if (!llvm::any_of(statement.left, isArray) &&
      !llvm::any_of(statement.right, isArray)) {
    out.push_back(std::move(statement));
    return;
  }
  unsigned firstLate = statement.firstLateName;
  if (!expandSide(expander, statement, statement.left, nullptr) ||
      !expandSide(expander, statement, statement.right, &firstLate))
    return;
  statement.firstLateName = firstLate;
  out.push_back(std::move(statement));
}

} // namespace aoa::expand
