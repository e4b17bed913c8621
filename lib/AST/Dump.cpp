//===- Dump.cpp - The syntax tree for people ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Dump.h"

#include "llvm/ADT/Twine.h"

using namespace aoa;
using namespace aoa::ast;

namespace {

/// Prints nodes, one a line, what is inside of one indented by two more.
/// Recursive, as blocks and lists are.
class Dumper {
public:
  explicit Dumper(llvm::raw_ostream &os) : os(os) {}

  void dump(const Block &block) {
    for (const Item &item : block)
      std::visit([this](const auto &node) { dump(node); }, item.data);
  }

  void dump(const Statement &statement) {
    begin("statement", statement.range);
    os << (statement.copies ? " copy" : "")
       << (statement.isOptional ? " optional" : "") << "\n";
    ++depth;
    for (const Name &name : statement.left)
      dump("left", name);
    for (const Name &name : statement.right)
      dump("right", name);
    for (const Tag &tag : statement.tags)
      line("tag " + tag.text, tag.range);
    for (const Attribute &attribute : statement.attributes)
      dump(attribute);
    for (const Clause &clause : statement.clauses)
      line("clause " + printClause(clause), clause.range);
    --depth;
  }

private:
  void dump(llvm::StringRef side, const Name &name) {
    if (name.list)
      return dump(side, *name.list);
    begin((side + " `" + name.text + "`").str(), name.range);
    if (name.quoted)
      os << " quoted";
    if (name.interpolation)
      os << " interpolated";
    if (name.element)
      os << " element " << name.element->written;
    if (name.array)
      os << " array " << printArrayBounds(*name.array);
    if (name.transposed)
      os << " transposed";
    if (name.maybe)
      os << " maybe";
    os << "\n";
  }
  void dump(llvm::StringRef side, const NameList &names) {
    line((side + " list for " + names.variable + " in " + names.first->written +
          ".." + names.last->written)
             .str(),
         names.range);
    ++depth;
    for (const Name &name : names.names)
      dump("name", name);
    --depth;
  }
  void dump(const Attribute &attribute) {
    begin("attribute " + attribute.name, attribute.range);
    os << " = " << printValue(attribute.value);
    if (std::holds_alternative<ExprRef>(attribute.value.data))
      os << " (expression)";
    os << "\n";
  }

  void dump(const Let &let) {
    line("let " + let.variable, let.range, let.value);
  }
  void dump(const Assert &assertion) {
    line("assert " + assertion.condition->written, assertion.range,
         assertion.message);
  }
  void dump(const Include &include) {
    line("include `" + include.path + "`", include.range);
  }
  void dump(const For &loop) {
    line("for " + loop.variable + " in " + loop.first->written + ".." +
             loop.last->written,
         loop.range);
    dumpInner(loop.body);
  }
  void dump(const If &branches) {
    llvm::StringRef word = "if ";
    for (const If::Branch &branch : branches.branches) {
      line(branch.condition ? word.str() + branch.condition->written : "else",
           branch.range);
      dumpInner(branch.body);
      word = "else if ";
    }
  }
  void dump(const std::shared_ptr<const MacroDefinition> &macro) {
    line("macro " + macro->tag, macro->range);
    ++depth;
    for (const MacroDefinition::Parameter &parameter : macro->left)
      line("left `" + parameter.name + "`", parameter.range);
    for (const MacroDefinition::Parameter &parameter : macro->right)
      line("right `" + parameter.name + "`", parameter.range);
    for (const MacroDefinition::AttributeParameter &attribute :
         macro->attributes)
      line("attribute " + attribute.name, attribute.range, attribute.fallback);
    dump(macro->body);
    --depth;
  }

  void dumpInner(const Block &block) {
    ++depth;
    dump(block);
    --depth;
  }

  /// Begins a line.
  void begin(const std::string &text, const SourceRange &range) {
    os.indent(depth * 2) << text << " [" << range.begin << ", " << range.end
                         << ")";
  }
  void line(const std::string &text, const SourceRange &range,
            const ExprRef &value = nullptr) {
    begin(text, range);
    if (value)
      os << " = " << value->written;
    os << "\n";
  }

  llvm::raw_ostream &os;
  unsigned depth = 0;
};

} // namespace

void ast::dump(llvm::raw_ostream &os, const Script &script) {
  if (script.isReversed)
    os << "reversed\n";
  Dumper dumper(os);
  dumper.dump(script.body);
  for (const Statement &statement : script.statements)
    dumper.dump(statement);
}
