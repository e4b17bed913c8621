//===- BuildTree.cpp - From ANTLR's tree to ours ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "BuildTree.h"

#include "StatementBuilder.h"
#include "SyntaxErrors.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using antlr4::tree::ParseTree;
using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
/// Builds the items of blocks. Recursive; checkNesting bounds the depth. An
/// item with a fault is left out, one with a faulty block as well: what is in
/// it is built all the same, so that every fault is reported.
class TreeBuilder : StatementBuilder {
public:
  using StatementBuilder::StatementBuilder;

  ast::Script build(AoaParser::ProgramContext &program) {
    ast::Script script;
    script.file = list.file;
    script.dialect = list.dialect;
    script.body = buildItems(program, /*isTop=*/true);
    script.numWritten = numStatements;
    return script;
  }

private:
  // ---- Blocks

  /// Builds what stands in a program or a block.
  ast::Block buildItems(Node &node, bool isTop) {
    ast::Block items;
    items.reserve(node.children.size() / 2);
    Node *previous = nullptr;
    for (ParseTree *child : node.children) {
      Node *item = rule(child);
      if (!item)
        continue;
      hasFault = item->exception != nullptr;
      checkSeparator(*item, previous);
      previous = item;
      if (std::optional<ast::Item> built = buildItem(*item, isTop))
        items.push_back(std::move(*built));
    }
    return items;
  }

  /// Arrow statements may follow each other without a separator.
  void checkSeparator(const Node &item, const Node *previous) {
    size_t first = item.start->getTokenIndex();
    bool isApart = !previous || list.isBehindSeparator(first);
    if (isApart || item.exception || previous->exception)
      return;
    const Token &token = list.tokens[first];
    bool areStatements = item.getRuleIndex() == AoaParser::RuleStatement &&
                         previous->getRuleIndex() == AoaParser::RuleStatement;
    Diagnostic report{&diag::GluedStatements, list.rangeOf(token),
                      "a statement begins at " + describeToken(list, first) +
                          " without a new line before it"};
    report.fixIts.push_back({{list.file, token.begin, token.begin}, "\n"});
    if (areStatements)
      return sink.report(std::move(report));
    report.kind = &diag::SyntaxError;
    report.message = "expected a new line or `;` after " +
                     describeToken(list, first - 1) + ", found " +
                     describeToken(list, first);
    fault(std::move(report));
  }

  std::optional<ast::Item> buildItem(Node &node, bool isTop) {
    switch (node.getRuleIndex()) {
    case AoaParser::RuleLoop:
      return finished(buildLoop(node, isTop));
    case AoaParser::RuleBranches:
      return finished(buildIf(node, isTop));
    case AoaParser::RuleMacro:
      return finished(buildMacro(node, isTop));
    default: // a rule, not an enumeration of ours
      break;
    }
    if (node.exception) // of what has no block, nothing is known then
      return std::nullopt;
    switch (node.getRuleIndex()) {
    case AoaParser::RuleLet:
      return finished(buildLet(node));
    case AoaParser::RuleAssertion:
      return finished(buildAssert(node));
    case AoaParser::RuleInclude:
      return finished(buildInclude(node, isTop));
    default: {
      std::optional<ast::Item> statement = finished(buildStatement(node));
      numStatements += statement.has_value();
      return statement;
    }
    }
  }

  template <typename Built> std::optional<ast::Item> finished(Built built) {
    if (hasFault)
      return std::nullopt;
    return ast::Item{std::move(built)};
  }

  /// Builds the block behind a head, whose own faults stay. A block that lacks
  /// its `{` does not count as one: what is in it may belong outside.
  ast::Block buildBlock(Node &node, bool isTop) {
    bool headHasFault = hasFault || node.exception;
    bool hasBrace = llvm::any_of(node.children, [&](ParseTree *child) {
      const Token *brace = token(child);
      return brace && brace->kind == AoaParser::LBRACE;
    });
    ast::Block block = buildItems(node, isTop && !hasBrace);
    hasFault = headHasFault || !hasBrace;
    return block;
  }

  // ---- Items

  ast::Let buildLet(Node &node) { // let name = value
    const Token &variable = *token(node.children[1]);
    return {variableOf(variable, "the variable of a `let`"),
            list.rangeOf(variable), buildExpr(*rule(node.children[3])),
            rangeOf(node)};
  }

  ast::For buildLoop(Node &node, bool isTop) {
    ast::For loop;
    Node &head = *rule(node.children.front());
    hasFault |= head.exception != nullptr;
    if (!hasFault) { // for i in a .. b
      loop.range = rangeOf(head);
      const Token &variable = *token(head.children[1]);
      loop.variable = variableOf(variable, "the variable of a `for`");
      loop.variableRange = list.rangeOf(variable);
      loop.first = buildExpr(*rule(head.children[3]));
      loop.last = buildExpr(*rule(head.children[5]));
    }
    if (Node *block = rule(node.children.back(), AoaParser::RuleBlock))
      loop.body = buildBlock(*block, isTop);
    return loop;
  }

  ast::If buildIf(Node &node, bool isTop) {
    ast::If result;
    bool hasLast = false;
    for (ParseTree *child : node.children) {
      Node &part = *rule(child);
      if (part.getRuleIndex() == AoaParser::RuleBlock) {
        result.branches.back().body = buildBlock(part, isTop);
        continue;
      }
      if (hasLast)
        fault(diag::SyntaxError, list.rangeOf(*token(part.children.front())),
              "found an `else` behind the last one, which has no condition");
      result.branches.push_back(buildBranch(part));
      hasLast = !part.exception && part.children.size() == 1;
    }
    return result;
  }

  /// `if value`, `else`, `else if value`
  ast::If::Branch buildBranch(Node &node) {
    if (node.exception) {
      hasFault = true;
      return {};
    }
    Node *condition = rule(node.children.back());
    return {condition ? buildExpr(*condition) : nullptr, {}, rangeOf(node)};
  }

  ast::Assert buildAssert(Node &node) { // assert value , text
    ParseTree *text = node.children[3];
    if (Node *composed = rule(text); composed && !isString(*composed))
      fault(diag::SyntaxError, rangeOf(*composed),
            "found the name `" + textOf(*composed) +
                "`, expected the text of the assertion in quotes");
    return {buildExpr(*rule(node.children[1])), buildString(text),
            rangeOf(node)};
  }

  ast::Include buildInclude(Node &node, bool isTop) { // include text
    SourceRange range = rangeOf(node);
    if (!isTop)
      fault(diag::SyntaxError, range,
            "found an `include` inside a block, expected it at top level");
    ParseTree *path = node.children[1];
    if (Node *composed = rule(path)) {
      fault(diag::SyntaxError, rangeOf(*composed),
            isString(*composed)
                ? "found `${…}` in the path of an `include`, expected a text: "
                  "files are read before anything has a value"
                : "found the name `" + textOf(*composed) +
                      "`, expected the path of a file in quotes");
      return {};
    }
    const Token &text = *token(path);
    if (text.end - text.begin == 2)
      fault(diag::SyntaxError, list.rangeOf(text),
            "the path of an `include` is empty, expected the name of a file");
    return {list.textOf(text).drop_front().drop_back().str(),
            list.rangeOf(text), range};
  }

  // ---- Macros

  std::shared_ptr<const ast::MacroDefinition> buildMacro(Node &node,
                                                         bool isTop) {
    auto macro = std::make_shared<ast::MacroDefinition>();
    Node &head = *rule(node.children.front());
    hasFault |= head.exception != nullptr;
    if (!hasFault)
      readHead(head, isTop, *macro);
    if (Node *block = rule(node.children.back(), AoaParser::RuleBlock))
      macro->body = buildBlock(*block, /*isTop=*/false);
    if (!hasFault)
      macro->written = textOf(rangeOf(node)).str();
    return macro;
  }

  /// macro tag ( parameters -> parameters ; attribute , … )
  void readHead(Node &head, bool isTop, ast::MacroDefinition &macro) {
    const Token &tag = *token(head.children[1]);
    macro.range = rangeOf(head);
    macro.tag = variableOf(tag, "the tag of a macro");
    macro.tagRange = list.rangeOf(tag);
    if (macro.tag == "copy" || macro.tag == "optional")
      fault(diag::SyntaxError, macro.tagRange,
            "the tag of a macro is `" + macro.tag +
                "`, a word of statements, expected another name");
    if (!isTop)
      fault(diag::SyntaxError,
            {list.file, macro.range.begin, macro.tagRange.end},
            "found the macro `" + macro.tag +
                "` inside a block, expected it at top level");
    readParameters(*rule(head.children[3]), macro.left);
    readParameters(*rule(head.children[5]), macro.right);
    for (ParseTree *child : llvm::drop_begin(head.children, 6))
      if (Node *attribute = rule(child, AoaParser::RuleAttribute))
        readAttribute(*attribute, macro);
    checkTwice(macro);
  }

  void readParameters(Node &node,
                      std::vector<ast::MacroDefinition::Parameter> &side) {
    for (ParseTree *child : node.children)
      if (const Token *word = token(child); word->kind == AoaParser::NAME)
        addParameter(*word, side);
  }

  void addParameter(const Token &word,
                    std::vector<ast::MacroDefinition::Parameter> &side) {
    SourceRange range = list.rangeOf(word);
    side.push_back({variableOf(word, "a parameter of a macro"), range});
    if (side.back().name == "_")
      fault(diag::SyntaxError, range,
            "a parameter of a macro is `_`, which discards as a name, expected "
            "another name");
  }

  void readAttribute(Node &node, ast::MacroDefinition &macro) { // name = value
    const Token &word = *token(node.children.front());
    macro.attributes.push_back(
        {variableOf(word, "an attribute of a macro"), list.rangeOf(word),
         node.children.size() == 3 ? buildExpr(*rule(node.children[2]))
                                   : nullptr});
  }

  /// Parameters and attributes are variables of one body.
  void checkTwice(const ast::MacroDefinition &macro) {
    llvm::StringMap<SourceRange> first;
    auto check = [&](const std::string &name, SourceRange range) {
      auto [earlier, isNew] = first.try_emplace(name, range);
      if (!isNew)
        fault({.kind = &diag::SyntaxError,
               .range = range,
               .message = "the macro `" + macro.tag + "` has two parameters `" +
                          name + "`, expected one of a name",
               .notes = {{earlier->second, "the first one"}}});
    };
    for (const auto &parameter : macro.left)
      check(parameter.name, parameter.range);
    for (const auto &parameter : macro.right)
      check(parameter.name, parameter.range);
    for (const auto &attribute : macro.attributes)
      check(attribute.name, attribute.range);
  }

  unsigned numStatements = 0;
};
} // namespace

ast::Script buildTree(AoaParser::ProgramContext &program, const TokenList &list,
                      DiagnosticSink &sink) {
  return TreeBuilder(list, sink).build(program);
}

} // namespace aoa::parse
