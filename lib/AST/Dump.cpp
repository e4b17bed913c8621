//===- Dump.cpp - The syntax tree for people ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Dump.h"

using namespace aoa;
using namespace aoa::ast;

namespace {

void dumpRange(llvm::raw_ostream &os, const SourceRange &range) {
  os << " [" << range.begin << ", " << range.end << ")";
}

void dumpName(llvm::raw_ostream &os, llvm::StringRef side, const Name &name) {
  os << "  " << side << " `" << name.text << "`";
  dumpRange(os, name.range);
  if (name.quoted)
    os << " quoted";
  if (name.interpolation)
    os << " interpolated";
  if (name.array)
    os << " array " << printArrayBounds(*name.array);
  if (name.transposed)
    os << " transposed";
  if (name.maybe)
    os << " maybe";
  os << "\n";
}

void dumpStatement(llvm::raw_ostream &os, const Statement &statement) {
  os << "statement";
  dumpRange(os, statement.range);
  if (statement.copies)
    os << " copy";
  if (statement.isOptional)
    os << " optional";
  os << "\n";
  for (const Name &name : statement.left)
    dumpName(os, "left", name);
  for (const Name &name : statement.right)
    dumpName(os, "right", name);
  for (const Tag &tag : statement.tags) {
    os << "  tag " << tag.text;
    dumpRange(os, tag.range);
    os << "\n";
  }
  for (const Attribute &attribute : statement.attributes) {
    os << "  attribute " << attribute.name;
    dumpRange(os, attribute.range);
    os << " = " << printValue(attribute.value);
    if (std::holds_alternative<ExprRef>(attribute.value.data))
      os << " (expression)";
    os << "\n";
  }
  for (const Clause &clause : statement.clauses) {
    os << "  clause " << printClause(clause);
    dumpRange(os, clause.range);
    os << "\n";
  }
}

} // namespace

void ast::dump(llvm::raw_ostream &os, const Script &script) {
  if (script.isReversed)
    os << "reversed\n";
  for (const Statement *statement : statementsOf(script.body))
    dumpStatement(os, *statement);
  for (const Statement &statement : script.statements)
    dumpStatement(os, statement);
}
