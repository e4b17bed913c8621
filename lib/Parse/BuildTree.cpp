//===- BuildTree.cpp - From ANTLR's tree to ours ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "BuildTree.h"

#include "SyntaxErrors.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"

#include <charconv>
#include <cmath>

using antlr4::tree::ParseTree;
using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
/// Returns the number of a token, nothing if it does not fit.
template <typename Number> std::optional<Number> numberOf(StringRef digits) {
  Number number = 0;
  auto [end, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault != std::errc() || end != digits.data() + digits.size())
    return std::nullopt;
  return number;
}

class TreeBuilder {
public:
  TreeBuilder(const TokenList &list, DiagnosticSink &sink)
      : list(list), sink(sink) {}

  ast::Script build(AoaParser::ProgramContext &program) {
    ast::Script script;
    script.file = list.file;
    script.dialect = list.dialect;
    script.statements.reserve(program.children.size() / 2);
    for (ParseTree *child : program.children) {
      auto *statement = rule(child, AoaParser::RuleStatement);
      if (!statement || statement->exception)
        continue;
      hasFault = false;
      warnIfGlued(*statement);
      ast::Statement built = buildStatement(*statement);
      if (!hasFault)
        script.statements.push_back(std::move(built));
    }
    script.numWritten = static_cast<unsigned>(script.statements.size());
    return script;
  }

private:
  bool isPaddle() const { return list.dialect == ast::Dialect::Paddle; }

  // ---- Access to ANTLR's nodes. A child is a token or a rule; which one it is
  // is known by its kind, so no cast needs a run-time check.
  static antlr4::ParserRuleContext *rule(ParseTree *node) {
    return antlrcpp::is<antlr4::tree::TerminalNode *>(node)
               ? nullptr
               : static_cast<antlr4::ParserRuleContext *>(node);
  }
  static antlr4::ParserRuleContext *rule(ParseTree *node, size_t index) {
    antlr4::ParserRuleContext *found = rule(node);
    return found && found->getRuleIndex() == index ? found : nullptr;
  }
  /// The token of a node that is one, else null.
  const Token *token(ParseTree *node) const {
    auto *terminal = dynamic_cast<antlr4::tree::TerminalNode *>(node);
    return terminal ? &list.tokens[terminal->getSymbol()->getTokenIndex()]
                    : nullptr;
  }
  SourceRange rangeOf(const antlr4::ParserRuleContext &node) const {
    const Token &first = list.tokens[node.start->getTokenIndex()];
    const Token &last = list.tokens[node.stop->getTokenIndex()];
    return {list.file, first.begin, last.end};
  }

  void fault(const DiagnosticKind &kind, SourceRange range,
             std::string message) {
    hasFault = true;
    sink.report({&kind, range, std::move(message)});
  }

  // ---- Statements

  void warnIfGlued(const antlr4::ParserRuleContext &statement) {
    size_t first = statement.start->getTokenIndex();
    if (list.isBehindSeparator(first))
      return;
    const Token &token = list.tokens[first];
    Diagnostic warning{&diag::GluedStatements, list.rangeOf(token),
                       "a statement begins at " + describeToken(list, first) +
                           " without a new line before it"};
    warning.fixIts.push_back({{list.file, token.begin, token.begin}, "\n"});
    sink.report(std::move(warning));
  }

  ast::Statement buildStatement(antlr4::ParserRuleContext &node) {
    ast::Statement statement;
    statement.range = rangeOf(node);
    for (ParseTree *child : node.children) {
      if (const Token *separator = token(child)) {
        if (separator->kind == AoaParser::ARROW)
          statement.arrow = list.rangeOf(*separator);
      } else if (auto *names = rule(child, AoaParser::RuleNames)) {
        for (ParseTree *operand : names->children)
          if (auto *name = rule(operand))
            statement.left.push_back(buildName(*name));
      } else {
        addItem(statement, *rule(child));
      }
    }
    if (statement.firstLateName == ~0u)
      statement.firstLateName = static_cast<unsigned>(statement.right.size());
    return statement;
  }

  void addItem(ast::Statement &statement, antlr4::ParserRuleContext &item) {
    auto *value = rule(item.children.back(), AoaParser::RuleValue);
    if (!value) {
      if (!statement.attributes.empty() && statement.firstLateName == ~0u)
        statement.firstLateName = static_cast<unsigned>(statement.right.size());
      statement.right.push_back(buildName(item));
      return;
    }
    const Token &word = *token(item.children.front());
    bool hasSuffix = item.children.size() > 3 ||
                     (isPaddle() && list.textOf(word).ends_with("^T"));
    if (word.kind != AoaParser::NAME || hasSuffix)
      fault(diag::SyntaxError, rangeOf(item),
            "expected a bare word as the attribute before `=`, found `" +
                list.text.slice(word.begin, rangeOf(item).end)
                    .split('=')
                    .first.rtrim()
                    .str() +
                "`");
    statement.attributes.push_back(
        {list.textOf(word).str(), list.rangeOf(word), buildValue(*value)});
  }

  // ---- Names

  /// Builds the name at the start of an operand or item.
  ast::Name buildName(antlr4::ParserRuleContext &node) {
    const Token &word = *token(node.children.front());
    ast::Name name;
    name.range = list.rangeOf(word);
    StringRef text = list.textOf(word);
    if (word.kind == AoaParser::STRING)
      text = unquoteName(word, name);
    else if (isPaddle() && text.consume_back("^T"))
      name.transposed = true;
    name.text = text.str();
    uint32_t end = word.end;
    for (ParseTree *child : llvm::drop_begin(node.children))
      if (auto *suffix = rule(child, AoaParser::RuleSuffix)) {
        addSuffix(name, *suffix, end);
        end = rangeOf(*suffix).end;
      }
    return name;
  }

  StringRef unquoteName(const Token &word, ast::Name &name) {
    StringRef text = list.textOf(word).drop_front().drop_back();
    name.quoted = true;
    if (isPaddle())
      fault(diag::SyntaxError, list.rangeOf(word),
            "expected a tensor name, found a string; `--std=paddle` has no "
            "quoted names");
    else if (text.empty())
      fault(diag::SyntaxError, list.rangeOf(word),
            "a tensor's name is empty, expected at least one character");
    refuseInterpolation(word);
    return text;
  }

  /// `end` is where the name ends so far: a suffix stands directly there, only
  /// paddle allows blanks before `[`.
  void addSuffix(ast::Name &name, antlr4::ParserRuleContext &suffix,
                 uint32_t end) {
    SourceRange range = rangeOf(suffix);
    bool isTranspose = suffix.children.size() == 1;
    std::string text = isTranspose ? "`^T`" : "`[a:b]`";
    if (range.begin != end && !isPaddle())
      return fault(diag::SyntaxError, range,
                   text + " stands apart, expected directly behind its name");
    if (isTranspose ? name.transposed : name.array.has_value())
      return fault(diag::SyntaxError, range,
                   "a second " + text + " behind one name");
    if (isTranspose) {
      name.transposed = true;
      return;
    }
    if (name.transposed)
      return fault(diag::SyntaxError, range,
                   isPaddle()
                       ? "`[a:b]` behind `^T`, expected the end of the name"
                       : "`[a:b]` behind `^T`, expected `[a:b]^T`");
    name.array = ast::ArrayRange{buildBound(suffix.children[1]),
                                 buildBound(suffix.children[3]), range};
  }

  int64_t buildBound(ParseTree *node) {
    const Token &digits = *token(node);
    return integerOf(list.rangeOf(digits), list.textOf(digits), "");
  }

  // ---- Values

  /// Recursive; checkNesting bounds the depth.
  ast::Value buildValue(antlr4::ParserRuleContext &node) {
    SourceRange range = rangeOf(node);
    if (auto *elements = rule(node.children.front(), AoaParser::RuleList))
      return buildList(*elements, range);
    const Token &last = *token(node.children.back());
    StringRef text = list.textOf(last);
    if (last.kind == AoaParser::STRING) {
      refuseInterpolation(last);
      return {ast::Text{textOfString(text)}, range};
    }
    if (last.kind == AoaParser::WORD)
      return {ast::Word{text.str()}, range};
    bool isNegative = token(node.children.front())->kind == AoaParser::MINUS;
    if (last.kind == AoaParser::FLOAT)
      return {floatOf(range, text, isNegative), range};
    return {integerOf(range, text, isNegative ? "-" : ""), range};
  }

  ast::Value buildList(antlr4::ParserRuleContext &node, SourceRange range) {
    if (isPaddle())
      fault(diag::SyntaxError, range,
            "expected a number or a string, found a list; `--std=paddle` has "
            "lists in quotes");
    ast::List elements;
    for (ParseTree *child : node.children)
      if (auto *value = rule(child))
        elements.push_back(buildValue(*value));
    return {std::move(elements), range};
  }

  /// Upstream takes quotes off twice: `"'float16'"` is float16 there.
  std::string textOfString(StringRef text) const {
    return (isPaddle() ? text.trim('"').trim('\'')
                       : text.drop_front().drop_back())
        .str();
  }

  int64_t integerOf(SourceRange range, StringRef digits, StringRef sign) {
    std::string text = sign.str() + digits.str();
    if (std::optional<int64_t> number = numberOf<int64_t>(text))
      return *number;
    fault(diag::NumberOutOfRange, range,
          "`" + text + "` does not fit in 64 bits");
    return 0;
  }

  double floatOf(SourceRange range, StringRef digits, bool isNegative) {
    std::optional<double> number = numberOf<double>(digits);
    if (!number) {
      fault(diag::NumberOutOfRange, range,
            "`" + digits.str() + "` does not fit in a 64-bit float");
      return 0;
    }
    return isNegative ? -*number : *number;
  }

  void refuseInterpolation(const Token &string) {
    size_t at = list.textOf(string).find("${");
    if (isPaddle() || at == StringRef::npos)
      return;
    uint32_t begin = string.begin + static_cast<uint32_t>(at);
    fault(diag::UnsupportedSyntax, {list.file, begin, begin + 2},
          "`${…}` is not supported yet");
  }

  const TokenList &list;
  DiagnosticSink &sink;
  bool hasFault = false; ///< In the statement at hand.
};
} // namespace

ast::Script buildTree(AoaParser::ProgramContext &program, const TokenList &list,
                      DiagnosticSink &sink) {
  return TreeBuilder(list, sink).build(program);
}

} // namespace aoa::parse
