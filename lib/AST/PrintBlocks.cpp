//===- PrintBlocks.cpp - Whole scripts as canonical text ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Script.h"

namespace aoa::ast {

namespace {
/// Prints items, one a line. Recursive: blocks stand in blocks.
class BlockPrinter {
public:
  explicit BlockPrinter(Dialect dialect) : dialect(dialect) {}

  void print(const Block &block) {
    for (const Item &item : block)
      std::visit([this](const auto &node) { print(node); }, item.data);
  }
  void print(const Statement &statement) {
    line(printStatement(statement, dialect));
  }
  std::string take() { return std::move(text); }

private:
  void print(const Let &let) {
    line("let " + let.variable + " = " + let.value->written);
  }
  void print(const Assert &assertion) {
    line("assert " + assertion.condition->written + ", " +
         assertion.message->written);
  }
  void print(const Include &include) {
    bool hasDouble = include.path.find('"') != std::string::npos;
    char mark = hasDouble ? '\'' : '"';
    line("include " + (mark + include.path) + mark);
  }
  void print(const For &loop) {
    line("for " + loop.variable + " in " + loop.first->written + ".." +
         loop.last->written + " {");
    printInner(loop.body);
    line("}");
  }
  void print(const If &branches) {
    std::string before;
    for (const If::Branch &branch : branches.branches) {
      line(before +
           (branch.condition ? "if " + branch.condition->written + " {" : "{"));
      printInner(branch.body);
      before = "} else ";
    }
    line("}");
  }
  void print(const std::shared_ptr<const MacroDefinition> &macro) {
    line("macro " + macro->tag + "(" + parameters(macro->left) + " -> " +
         parameters(macro->right) + attributes(*macro) + ") {");
    printInner(macro->body);
    line("}");
  }

  static std::string
  parameters(const std::vector<MacroDefinition::Parameter> &side) {
    std::string names;
    for (const MacroDefinition::Parameter &parameter : side)
      names += (names.empty() ? "" : ", ") + parameter.name;
    return names;
  }
  static std::string attributes(const MacroDefinition &macro) {
    std::string all;
    for (const MacroDefinition::AttributeParameter &attribute :
         macro.attributes) {
      all += (all.empty() ? "; " : ", ") + attribute.name;
      if (attribute.fallback)
        all += "=" + attribute.fallback->written;
    }
    return all;
  }

  void printInner(const Block &block) {
    indent += 2;
    print(block);
    indent -= 2;
  }
  void line(const std::string &content) {
    text.append(indent, ' ');
    text += content + "\n";
  }

  Dialect dialect;
  size_t indent = 0;
  std::string text;
};
} // namespace

std::string printScript(const Script &script) {
  BlockPrinter printer(script.dialect);
  printer.print(script.body);
  for (const Statement &statement : script.statements)
    printer.print(statement);
  return printer.take();
}

} // namespace aoa::ast
