//===- BuildTree.cpp - From ANTLR's tree to ours ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "BuildTree.h"

#include "CanonicalText.h"
#include "SyntaxErrors.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <array>
#include <charconv>

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

/// Returns the placeholder that is the whole of `text`, `$(X)` as `$X`, or
/// nothing.
std::string wholePlaceholder(StringRef text) {
  StringRef word = text;
  if (!word.consume_front("$"))
    return "";
  word.consume_front("$");
  StringRef sigil = text.drop_back(word.size());
  if (word.consume_front("(") && !word.consume_back(")"))
    return "";
  bool isWord = !word.empty() && llvm::isUpper(word.front()) &&
                !word.ends_with("_") && llvm::all_of(word, [](char c) {
                  return llvm::isUpper(c) || llvm::isDigit(c) || c == '_';
                });
  return isWord ? (sigil + word).str() : "";
}

class TreeBuilder {
public:
  TreeBuilder(const TokenList &list, DiagnosticSink &sink)
      : list(list), sink(sink) {}

  ast::Script build(AoaParser::ProgramContext &program) {
    ast::Script script;
    script.file = list.file;
    script.dialect = list.dialect;
    script.body.reserve(program.children.size() / 2);
    for (ParseTree *child : program.children) {
      auto *statement = rule(child, AoaParser::RuleStatement);
      if (!statement || statement->exception)
        continue;
      hasFault = false;
      warnIfGlued(*statement);
      ast::Statement built = buildStatement(*statement);
      if (!hasFault)
        script.body.push_back({std::move(built)});
    }
    script.numWritten = static_cast<unsigned>(script.body.size());
    return script;
  }

private:
  using Node = antlr4::ParserRuleContext;

  bool isPaddle() const { return list.dialect == ast::Dialect::Paddle; }

  // ---- Access to ANTLR's nodes. A child is a token or a rule; which one it is
  // is known by its kind, so no cast needs a run-time check.
  static Node *rule(ParseTree *node) {
    return antlrcpp::is<antlr4::tree::TerminalNode *>(node)
               ? nullptr
               : static_cast<Node *>(node);
  }
  static Node *rule(ParseTree *node, size_t index) {
    Node *found = rule(node);
    return found && found->getRuleIndex() == index ? found : nullptr;
  }
  /// The token of a node that is one, else null.
  const Token *token(ParseTree *node) const {
    auto *terminal = dynamic_cast<antlr4::tree::TerminalNode *>(node);
    return terminal ? &list.tokens[terminal->getSymbol()->getTokenIndex()]
                    : nullptr;
  }
  SourceRange rangeOf(const Node &node) const {
    const Token &first = list.tokens[node.start->getTokenIndex()];
    const Token &last = list.tokens[node.stop->getTokenIndex()];
    return {list.file, first.begin, last.end};
  }
  std::string textOf(const Node &node) const {
    return canonicalText(list, node.start->getTokenIndex(),
                         node.stop->getTokenIndex() + 1);
  }

  void fault(const DiagnosticKind &kind, SourceRange range, std::string message,
             std::vector<FixIt> fixIts = {}) {
    hasFault = true;
    sink.report({.kind = &kind,
                 .range = range,
                 .message = std::move(message),
                 .fixIts = std::move(fixIts)});
  }

  // ---- Statements

  void warnIfGlued(const Node &statement) {
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

  ast::Statement buildStatement(Node &node) {
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

  void addItem(ast::Statement &statement, Node &item) {
    if (auto *value = rule(item.children.back(), AoaParser::RuleValue))
      return addAttribute(statement, item, *value);
    if (auto *clause = rule(item.children.back(), AoaParser::RuleClause))
      return addClause(statement, item, *clause);
    bool isLate = !statement.attributes.empty() || !statement.clauses.empty();
    if (isLate && statement.firstLateName == ~0u)
      statement.firstLateName = static_cast<unsigned>(statement.right.size());
    statement.right.push_back(buildName(item));
  }

  void addAttribute(ast::Statement &statement, Node &item, Node &value) {
    const Token *word = token(item.children.front());
    bool isWord = word && word->kind == AoaParser::NAME &&
                  item.children.size() == 3 &&
                  !list.textOf(*word).starts_with("%") &&
                  !(isPaddle() && list.textOf(*word).ends_with("^T"));
    if (!isWord) {
      size_t equals = value.start->getTokenIndex() - 1;
      fault(diag::SyntaxError, rangeOf(item),
            "expected a bare word as the attribute before `=`, found `" +
                canonicalText(list, item.start->getTokenIndex(), equals) + "`");
      return;
    }
    statement.attributes.push_back(
        {list.textOf(*word).str(), list.rangeOf(*word), buildValue(value)});
  }

  // ---- Clauses

  void addClause(ast::Statement &statement, Node &item, Node &node) {
    ast::Clause clause;
    clause.range = rangeOf(item);
    if (const Token *word = token(item.children.front());
        word && word->kind == AoaParser::NAME && item.children.size() == 2)
      clause.placeholder = wholePlaceholder(list.textOf(*word));
    if (clause.placeholder.empty()) {
      size_t first = node.start->getTokenIndex();
      SourceRange name = rangeOf(item);
      name.end = list.tokens[first - 1].end;
      fault(diag::SyntaxError, name,
            "expected a placeholder (`$NAME` or `$$NAME`) before " +
                describeToken(list, first) + ", found `" +
                canonicalText(list, item.start->getTokenIndex(), first) + "`");
    }
    clause.kind = clauseKind(*token(node.children.front()));
    if (auto *set = rule(node.children.back(), AoaParser::RuleSet)) {
      for (ParseTree *child : set->children)
        if (const Token &piece = *token(child); piece.kind == AoaParser::PIECE)
          clause.set.push_back(list.textOf(piece).str());
    } else if (auto *last = rule(node.children.back(), AoaParser::RuleValue)) {
      clause.first = buildBound(*rule(*(node.children.end() - 3)));
      clause.last = buildBound(*last);
    }
    statement.clauses.push_back(std::move(clause));
  }

  static ast::Clause::Kind clauseKind(const Token &word) {
    switch (word.kind) {
    case AoaParser::NOT:
      return ast::Clause::Kind::NotIn;
    case AoaParser::SHORTEST:
      return ast::Clause::Kind::Shortest;
    case AoaParser::LONGEST:
      return ast::Clause::Kind::Longest;
    default: // a kind of token, not an enumeration of ours
      return ast::Clause::Kind::In;
    }
  }

  /// A number, or an expression: words are variables here.
  ast::Value buildBound(Node &node) {
    ast::Value value = buildValue(node);
    if (!std::holds_alternative<int64_t>(value.data) &&
        !std::holds_alternative<ast::ExprRef>(value.data))
      value.data = buildExpr(node);
    return value;
  }

  // ---- Names

  /// Builds the name at the start of an operand or item.
  ast::Name buildName(Node &node) {
    ast::Name name;
    uint32_t end = 0;
    if (const Token *word = token(node.children.front())) {
      readName(*word, name);
      end = word->end;
    } else {
      composeName(*rule(node.children.front()), name);
      end = name.range.end;
    }
    for (ParseTree *child : llvm::drop_begin(node.children))
      if (auto *suffix = rule(child, AoaParser::RuleSuffix)) {
        addSuffix(name, *suffix, end);
        end = rangeOf(*suffix).end;
      }
    return name;
  }

  void readName(const Token &word, ast::Name &name) {
    name.range = list.rangeOf(word);
    StringRef text = list.textOf(word);
    if (word.kind == AoaParser::STRING)
      text = unquoteName(word, name);
    else if (isPaddle() && text.consume_back("^T"))
      name.transposed = true;
    name.text = text.str();
  }

  StringRef unquoteName(const Token &word, ast::Name &name) {
    StringRef text = list.textOf(word).drop_front().drop_back();
    name.quoted = true;
    if (isPaddle())
      fault(diag::SyntaxError, list.rangeOf(word),
            "expected a tensor name, found a string; `--std=paddle` has no "
            "quoted names",
            ast::isBareName(text, list.dialect)
                ? std::vector<FixIt>{{list.rangeOf(word), text.str()}}
                : std::vector<FixIt>());
    else if (text.empty())
      fault(diag::SyntaxError, list.rangeOf(word),
            "a tensor's name is empty, expected at least one character");
    return text;
  }

  /// A name with `${…}`.
  void composeName(Node &node, ast::Name &name) {
    name.range = rangeOf(node);
    name.text = textOf(node);
    name.quoted = isString(node);
    if (name.quoted)
      name.text = StringRef(name.text).drop_front().drop_back().str();
    name.interpolation = buildText(node);
  }

  bool isString(const Node &composed) const {
    return list.tokens[composed.start->getTokenIndex()].kind ==
           AoaParser::STRING_HEAD;
  }

  /// The suffixes of a name in the order in which they stand.
  enum class Suffix : uint8_t { Array, Transpose, Maybe };
  static constexpr std::array<StringRef, 3> suffixTexts = {"[a:b]", "^T", "?"};

  static std::optional<Suffix> lastSuffix(const ast::Name &name) {
    if (name.maybe)
      return Suffix::Maybe;
    if (name.transposed)
      return Suffix::Transpose;
    if (name.array)
      return Suffix::Array;
    return std::nullopt;
  }

  /// `end` is where the name ends so far: a suffix stands directly there, only
  /// paddle allows blanks before `[`.
  void addSuffix(ast::Name &name, Node &node, uint32_t end) {
    SourceRange range = rangeOf(node);
    unsigned kind = token(node.children.front())->kind;
    Suffix suffix = kind == AoaParser::TRANSPOSE ? Suffix::Transpose
                    : kind == AoaParser::MAYBE   ? Suffix::Maybe
                                                 : Suffix::Array;
    StringRef text = suffixTexts[static_cast<size_t>(suffix)];
    if (range.begin != end && !isPaddle())
      return fault(
          diag::SyntaxError, range,
          ("`" + text + "` stands apart, expected directly behind its name")
              .str(),
          {{{list.file, end, range.begin}, ""}});
    std::optional<Suffix> before = lastSuffix(name);
    if (before == suffix)
      return fault(diag::SyntaxError, range,
                   ("a second `" + text + "` behind one name").str());
    if (before > suffix) {
      StringRef earlier = suffixTexts[static_cast<size_t>(*before)];
      return fault(
          diag::SyntaxError, range,
          ("`" + text + "` behind `" + earlier + "`, expected ").str() +
              (isPaddle() ? "the end of the name"
                          : ("`" + text + earlier + "`").str()));
    }
    name.transposed |= suffix == Suffix::Transpose;
    name.maybe |= suffix == Suffix::Maybe;
    if (suffix == Suffix::Array)
      addArray(name, node, range);
  }

  void addArray(ast::Name &name, Node &node, SourceRange range) {
    name.array = ast::ArrayRange{.range = range};
    readBound(*rule(node.children[1]), name.array->begin,
              name.array->beginExpr);
    readBound(*rule(node.children[3]), name.array->end, name.array->endExpr);
  }

  void readBound(Node &node, int64_t &number, ast::ExprRef &expr) {
    ast::Value value = buildBound(node);
    if (auto *bound = std::get_if<ast::ExprRef>(&value.data))
      expr = std::move(*bound);
    else
      number = std::get<int64_t>(value.data);
    if (!expr && number < 0)
      fault(diag::SyntaxError, value.range,
            "found " + std::to_string(number) +
                ", expected a whole number from 0 on in `[a:b]`");
  }

  // ---- Values

  /// Recursive; checkNesting bounds the depth.
  ast::Value buildValue(Node &node) {
    SourceRange range = rangeOf(node);
    size_t numParts = node.children.size();
    // Literals are 1 or 2 nodes: an operand, perhaps behind a sign.
    Node *primary = numParts <= 2 ? rule(node.children.back()) : nullptr;
    if (!primary || primary->children.size() != 1)
      return {buildExpr(node), range};
    if (auto *part = rule(primary->children.front())) {
      if (part->getRuleIndex() == AoaParser::RuleList && numParts == 1)
        return buildList(*part, range);
      return {buildExpr(node), range};
    }
    const Token &operand = *token(primary->children.front());
    StringRef text = list.textOf(operand);
    if (operand.kind == AoaParser::NUMBER || operand.kind == AoaParser::FLOAT)
      if (std::optional<bool> isNegative = signOf(node))
        return operand.kind == AoaParser::FLOAT
                   ? ast::Value{floatOf(range, text, *isNegative), range}
                   : ast::Value{integerOf(range, text, *isNegative ? "-" : ""),
                                range};
    if (operand.kind == AoaParser::STRING && numParts == 1)
      return {ast::Text{textOfString(text)}, range};
    if (operand.kind == AoaParser::WORD && numParts == 1)
      return {ast::Word{text.str()}, range};
    return {buildExpr(node), range};
  }

  /// Whether the sign of a value is a minus; nothing for a `not`.
  std::optional<bool> signOf(const Node &node) const {
    if (node.children.size() == 1)
      return false;
    unsigned kind = token(node.children.front())->kind;
    if (kind == AoaParser::NOT)
      return std::nullopt;
    return kind == AoaParser::MINUS;
  }

  ast::Value buildList(Node &node, SourceRange range) {
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

  // ---- Expressions: ANTLR knows where one ends, the parser of expressions
  // what it is.

  ast::ExprRef buildExpr(Node &node) {
    return keep(
        parseExpression(textOf(rangeOf(node)), list.file, rangeOf(node).begin),
        node);
  }

  /// Builds a name or the inside of a string with `${…}`.
  ast::ExprRef buildText(Node &composed) {
    SourceRange range = rangeOf(composed);
    if (isString(composed)) {
      ++range.begin;
      --range.end;
    }
    return keep(parseText(textOf(range), list.file, range.begin), composed);
  }

  StringRef textOf(SourceRange range) const {
    return list.text.slice(range.begin, range.end);
  }

  /// An expression carries its text as printed statements show it.
  ast::ExprRef keep(ExprResult<Expr> parsed, const Node &node) {
    if (!parsed) {
      fault(diag::SyntaxError, parsed.error().range, parsed.error().message);
      return std::make_shared<Expr>();
    }
    parsed->written = textOf(node);
    return std::make_shared<Expr>(std::move(*parsed));
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
