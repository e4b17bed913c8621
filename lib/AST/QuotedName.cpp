//===- QuotedName.cpp - Names of any text in quotes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/QuotedName.h"

std::string aoa::ast::quoteName(llvm::StringRef name) {
  const char mark = name.contains('"') && !name.contains('\'') ? '\'' : '"';
  const char other = mark == '"' ? '\'' : '"';
  std::string written(1, mark);
  for (size_t i = 0; i < name.size(); ++i)
    if (name[i] == mark || name.substr(i).starts_with("${"))
      written += std::string("${") + other + name[i] + other + "}";
    else
      written += name[i];
  return written + mark;
}
