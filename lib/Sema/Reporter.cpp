//===- Reporter.cpp - Fixes for what the user wrote -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Reporter.h"

using namespace aoa;
using namespace aoa::sema;

bool Reporter::isWritten(const ast::Statement &statement) const {
  for (ast::ExpansionId id = statement.expansion; !id.isNone();) {
    const ast::Expansion &expansion = script.expansions[id.index()];
    llvm::StringRef macro = expansion.macro;
    if (!macro.starts_with("$") && macro != "*")
      return false;
    id = expansion.parent;
  }
  return true;
}

std::vector<FixIt> Reporter::replaceWritten(const ast::Statement &statement,
                                            SourceRange range,
                                            llvm::StringRef written,
                                            llvm::StringRef text) const {
  if (!isWritten(statement) || !range.isKnown())
    return {};
  size_t length = range.end - range.begin;
  if (length == written.size() + 2) {
    ++range.begin;
    --range.end;
  } else if (length != written.size()) {
    return {};
  }
  return {{range, text.str()}};
}

std::vector<FixIt> Reporter::insertAfterNames(const ast::Statement &statement,
                                              llvm::StringRef text) const {
  SourceRange last = statement.right.back().range;
  if (!isWritten(statement) || !last.isKnown())
    return {};
  return {{{last.file, last.end, last.end}, text.str()}};
}

std::vector<FixIt> Reporter::insertAfter(const ast::Statement &statement,
                                         const ast::Name &name,
                                         llvm::StringRef text) const {
  if (!isWritten(statement) || !name.range.isKnown())
    return {};
  return {{{name.range.file, name.range.end, name.range.end}, text.str()}};
}
