//===- NameChain.cpp - Who binds and who reads a name -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "NameChain.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace aoa::expand {

NameChain::NameChain(const Statements &statements) : all(statements) {}

void NameChain::index() const {
  isIndexed = true;
  auto note = [this](const ast::Name &name, size_t index,
                     std::vector<uint32_t> Uses::*uses) {
    if (name.isDiscard())
      return;
    std::vector<uint32_t> &list = usesOf[name.text].*uses;
    if (list.empty() || list.back() != index)
      list.push_back(index);
  };
  for (size_t i = 0; i < all.size(); ++i) {
    for (const ast::Name &name : all[i].left)
      note(name, i, &Uses::reads);
    for (const ast::Name &name : all[i].right)
      note(name, i, &Uses::binds);
  }
}

const NameChain::Uses *NameChain::find(llvm::StringRef name) const {
  if (!isIndexed)
    index();
  auto found = usesOf.find(name);
  return found == usesOf.end() ? nullptr : &found->second;
}

std::optional<size_t> NameChain::bindingBefore(llvm::StringRef name,
                                               size_t index) const {
  const Uses *uses = find(name);
  if (!uses)
    return std::nullopt;
  auto at = llvm::lower_bound(uses->binds, index);
  if (at == uses->binds.begin())
    return std::nullopt;
  return *std::prev(at);
}

std::optional<size_t> NameChain::bindingBehind(llvm::StringRef name,
                                               size_t index) const {
  const Uses *uses = find(name);
  if (!uses)
    return std::nullopt;
  auto at = llvm::upper_bound(uses->binds, index);
  if (at == uses->binds.end())
    return std::nullopt;
  return *at;
}

std::vector<size_t> NameChain::readersOf(llvm::StringRef name,
                                         size_t index) const {
  const Uses *uses = find(name);
  if (!uses)
    return {};
  // A statement reads before it binds, so the next binding may be a reader.
  size_t last = bindingBehind(name, index).value_or(all.size());
  std::vector<size_t> readers;
  for (auto at = llvm::upper_bound(uses->reads, index);
       at != uses->reads.end() && *at <= last; ++at)
    readers.push_back(*at);
  return readers;
}

std::optional<size_t> NameChain::lastBinding(llvm::StringRef name) const {
  const Uses *uses = find(name);
  if (!uses || uses->binds.empty())
    return std::nullopt;
  return uses->binds.back();
}

std::optional<size_t> NameChain::lastReader(llvm::StringRef name) const {
  const Uses *uses = find(name);
  if (!uses || uses->reads.empty())
    return std::nullopt;
  return uses->reads.back();
}

std::optional<int64_t> NameChain::degree(size_t index) const {
  auto known = degrees.find(index);
  if (known == degrees.end())
    return std::nullopt;
  return known->second;
}

bool checkSides(Expander &expander, const ast::Statement &statement) {
  // A macro with a tag says itself which numbers of names it takes.
  if (statement.left.size() <= 1 || statement.right.size() <= 1 ||
      !statement.tags.empty())
    return true;
  WordHint hint = wordHint(expander, statement);
  expander.report(
      diag::ManyToMany, statement, statement.arrow,
      std::to_string(statement.left.size()) + " names on the left and " +
          std::to_string(statement.right.size()) +
          " on the right: one side must be a single name" + hint.text,
      {}, hint.fixIts);
  return false;
}

void expandNameChain(Expander &expander) {
  llvm::erase_if(expander.statements, [&](const ast::Statement &statement) {
    return !checkSides(expander, statement);
  });
}

} // namespace aoa::expand
