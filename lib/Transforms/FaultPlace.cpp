//===- FaultPlace.cpp - Where a fault in geometry comes from ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "FaultPlace.h"

using namespace aoa;

static void addExpansion(Diagnostic &diagnostic, const ir::Op &op,
                         const ast::Script &script) {
  if (op.expansion.isNone())
    return;
  for (Note &note : ast::expansionNotes(script, op.expansion))
    diagnostic.notes.push_back(std::move(note));
}

Diagnostic aoa::errorAt(const DiagnosticKind &kind, const ir::Op &op,
                        const ast::Script &script, std::string message) {
  Diagnostic diagnostic{&kind, op.range, std::move(message)};
  addExpansion(diagnostic, op, script);
  return diagnostic;
}

void aoa::addNoteAt(Diagnostic &diagnostic, const ir::Op &op,
                    const ast::Script &script, std::string message) {
  if (!op.range.isKnown())
    return;
  diagnostic.notes.push_back({op.range, std::move(message)});
  addExpansion(diagnostic, op, script);
}
