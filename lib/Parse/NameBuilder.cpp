//===- NameBuilder.cpp - Names, their suffixes, lists -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StatementBuilder.h"

#include "SyntaxErrors.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <array>

using antlr4::tree::ParseTree;
using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
/// The suffixes of a name in the order in which they stand.
enum class Suffix : uint8_t { Array, Transpose, Maybe };
constexpr std::array<StringRef, 3> suffixTexts = {"[a:b]", "^T", "?"};

std::optional<Suffix> lastSuffix(const ast::Name &name) {
  if (name.maybe)
    return Suffix::Maybe;
  if (name.transposed)
    return Suffix::Transpose;
  if (name.array || name.element)
    return Suffix::Array;
  return std::nullopt;
}
} // namespace

ast::Name StatementBuilder::buildName(Node &node) {
  ast::Name name;
  if (Node *names = rule(node.children.front(), AoaParser::RuleNameList)) {
    readList(node, *names, name);
    return name;
  }
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

void StatementBuilder::readName(const Token &word, ast::Name &name) {
  name.range = list.rangeOf(word);
  StringRef text = list.textOf(word);
  if (word.kind == AoaParser::STRING)
    text = unquoteName(word, name);
  else if (isPaddle() && text.consume_back("^T"))
    name.transposed = true;
  name.text = text.str();
}

StringRef StatementBuilder::unquoteName(const Token &word, ast::Name &name) {
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

/// `(… for i in a..b)`
void StatementBuilder::readList(Node &operand, Node &node, ast::Name &name) {
  name.range = rangeOf(node);
  auto names = std::make_shared<ast::NameList>();
  names->range = name.range;
  for (ParseTree *child : rule(node.children[1])->children)
    if (Node *element = rule(child))
      names->names.push_back(buildName(*element));
  // ( names for i in a .. b )
  const Token &variable = *token(node.children[3]);
  names->variable = variableOf(variable, "the variable of a list");
  names->variableRange = list.rangeOf(variable);
  names->first = buildExpr(*rule(node.children[5]));
  names->last = buildExpr(*rule(node.children[7]));
  name.list = std::move(names);
  if (operand.children.size() == 1)
    return;
  Node &suffix = *rule(operand.children[1]);
  fault(diag::SyntaxError, rangeOf(suffix),
        "found `" + textOf(suffix) +
            "` behind a list, expected it behind a name in the list");
}

/// A name with `${…}`.
void StatementBuilder::composeName(Node &node, ast::Name &name) {
  name.range = rangeOf(node);
  name.text = textOf(node);
  name.quoted = isString(node);
  if (name.quoted)
    name.text = StringRef(name.text).drop_front().drop_back().str();
  name.interpolation = buildText(node);
}

/// `end` is where the name ends so far: a suffix stands directly there, only
/// paddle allows blanks before `[`.
void StatementBuilder::addSuffix(ast::Name &name, Node &node, uint32_t end) {
  SourceRange range = rangeOf(node);
  unsigned kind = token(node.children.front())->kind;
  Suffix suffix = kind == AoaParser::TRANSPOSE ? Suffix::Transpose
                  : kind == AoaParser::MAYBE   ? Suffix::Maybe
                                               : Suffix::Array;
  bool isElement = suffix == Suffix::Array && node.children.size() == 3;
  StringRef text = isElement ? "[i]" : suffixTexts[static_cast<size_t>(suffix)];
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
    return fault(diag::SyntaxError, range,
                 ("`" + text + "` behind `" + earlier + "`, expected ").str() +
                     (isPaddle() ? "the end of the name"
                                 : ("`" + text + earlier + "`").str()));
  }
  name.transposed |= suffix == Suffix::Transpose;
  name.maybe |= suffix == Suffix::Maybe;
  if (suffix == Suffix::Array)
    addBrackets(name, node, range);
}

void StatementBuilder::addBrackets(ast::Name &name, Node &node,
                                   SourceRange range) {
  if (node.children.size() == 3)
    return addElement(name, node);
  auto array = std::make_shared<ast::ArrayRange>();
  array->range = range;
  readBound(*rule(node.children[1]), array->begin, array->beginExpr);
  readBound(*rule(node.children[3]), array->end, array->endExpr);
  name.array = std::move(array);
}

void StatementBuilder::addElement(ast::Name &name, Node &node) {
  Node &index = *rule(node.children[1]);
  if (!name.quoted && StringRef(name.text).starts_with("%")) {
    name.element = buildExpr(index);
    return;
  }
  const Token &bracket = *token(node.children.back());
  fault(diag::SyntaxError, list.rangeOf(bracket),
        "expected `:` after " +
            describeToken(list, index.stop->getTokenIndex()) +
            " in `[a:b]`, found `]`" +
            (isPaddle() ? "" : "; only temporaries have elements: `%name[i]`"));
}

void StatementBuilder::readBound(Node &node, int64_t &number,
                                 ast::ExprRef &expr) {
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

} // namespace aoa::parse
