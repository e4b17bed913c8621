//===- ExpansionNotes.cpp - How a statement came about ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Script.h"

namespace aoa::ast {

std::vector<Note> expansionNotes(const Script &script, ExpansionId expansion) {
  std::vector<Note> notes;
  while (!expansion.isNone()) {
    const Expansion &step = script.expansions[expansion.index()];
    std::string message = "in expansion of `" + step.macro + "`";
    if (!step.detail.empty())
      message += " (" + step.detail + ")";
    notes.push_back({step.site, std::move(message), /*isExpansion=*/true});
    expansion = step.parent;
  }
  return notes;
}

} // namespace aoa::ast
