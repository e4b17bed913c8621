//===- Variables.cpp - What identifiers stand for -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Variables.h"

namespace aoa::expand {

const Variables::Variable *Variables::find(llvm::StringRef name) const {
  for (size_t i = all.size(); i-- > begin;)
    if (all[i].name == name)
      return &all[i];
  for (size_t i = std::min(numGlobals, begin); i-- > 0;)
    if (all[i].name == name)
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
