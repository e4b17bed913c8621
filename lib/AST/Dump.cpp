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
  if (name.array)
    os << " array " << name.array->begin << ":" << name.array->end;
  if (name.transposed)
    os << " transposed";
  os << "\n";
}

} // namespace

void ast::dump(llvm::raw_ostream &os, const Script &script) {
  for (const Statement &statement : script.statements) {
    os << "statement";
    dumpRange(os, statement.range);
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
      os << " = " << printValue(attribute.value) << "\n";
    }
  }
}
