//===- Variables.cpp - What identifiers stand for -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Variables.h"

#include "llvm/ADT/STLExtras.h"

namespace aoa::expand {

void Variables::push(Variable variable) {
  byName[variable.name].push_back(all.size());
  all.push_back(std::move(variable));
}

void Variables::shrink(size_t size) {
  for (; all.size() > size; all.pop_back())
    byName.find(all.back().name)->second.pop_back();
}

const Variables::Variable *Variables::find(llvm::StringRef name) const {
  auto known = byName.find(name);
  if (known == byName.end())
    return nullptr;
  for (size_t i : llvm::reverse(known->second))
    if (i >= begin || i < numGlobals)
      return &all[i];
  return nullptr;
}

std::vector<std::string> Variables::names() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < all.size(); ++i)
    if (i < numGlobals || i >= begin)
      names.push_back(all[i].name.str());
  return names;
}

} // namespace aoa::expand
