//===- PrintScript.cpp - Statements as canonical text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/QuotedName.h"
#include "aoa/AST/Script.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <array>
#include <charconv>

namespace aoa::ast {

namespace {
/// Returns what follows the `${…}` at whose inside `text` begins. Strings
/// inside may hold `}` and further `${…}`.
llvm::StringRef skipInterpolation(llvm::StringRef text) {
  llvm::SmallVector<char, 8> closing = {'}'};
  while (!text.empty() && !closing.empty()) {
    char c = text.front();
    bool inString = closing.back() != '}';
    if (text.consume_front("${")) {
      closing.push_back('}');
      continue;
    }
    text = text.drop_front();
    if (c == closing.back())
      closing.pop_back();
    else if (!inString && (c == '"' || c == '\''))
      closing.push_back(c);
  }
  return text;
}

std::string quoteWith(char mark, llvm::StringRef text) {
  return mark + text.str() + mark;
}

/// Puts quotes around a text: double ones if it has none itself. A text that
/// was read from a script has at most one kind.
std::string quote(llvm::StringRef text) {
  return quoteWith(text.contains('"') ? '\'' : '"', text);
}

/// Puts quotes around a text with `${…}`, inside which both kinds may stand.
std::string quoteAround(llvm::StringRef text) {
  bool hasDouble = false;
  for (llvm::StringRef rest = text; !rest.empty();) {
    if (rest.consume_front("${")) {
      rest = skipInterpolation(rest);
      continue;
    }
    hasDouble |= rest.front() == '"';
    rest = rest.drop_front();
  }
  return quoteWith(hasDouble ? '\'' : '"', text);
}

/// The shortest text that reads back as the same number, always with a point or
/// an exponent.
std::string printFloat(double number) {
  std::array<char, 32> buffer;
  auto [end, fault] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

std::string printBare(const Value &value);

std::string printList(const List &list) {
  std::string text = "[";
  for (const Value &element : list) {
    if (text.size() > 1)
      text += ", ";
    text += printBare(element);
  }
  return text + "]";
}

/// Prints a value as aoa has it.
std::string printBare(const Value &value) {
  struct Printer {
    std::string operator()(int64_t number) { return std::to_string(number); }
    std::string operator()(double number) { return printFloat(number); }
    std::string operator()(const Word &word) { return word.text; }
    std::string operator()(const Text &text) { return quote(text.text); }
    std::string operator()(const List &list) { return printList(list); }
    std::string operator()(const ExprRef &expr) { return expr->written; }
  };
  return std::visit(Printer(), value.data);
}

std::string printName(const Name &name, Dialect dialect);

std::string printNames(llvm::ArrayRef<Name> names, Dialect dialect) {
  std::string text;
  for (const Name &name : names)
    text += (text.empty() ? "" : ", ") + printName(name, dialect);
  return text;
}

/// `i in 0..n`
std::string printRange(const std::string &variable, const ExprRef &first,
                       const ExprRef &last) {
  return variable + " in " + first->written + ".." + last->written;
}

/// Recursive: lists stand in lists.
std::string printName(const Name &name, Dialect dialect) {
  if (name.list)
    return "(" + printNames(name.list->names, dialect) + " for " +
           printRange(name.list->variable, name.list->first, name.list->last) +
           ")";
  std::string text = name.text;
  if (name.interpolation)
    text = name.quoted ? quoteAround(text) : text;
  else if (dialect == Dialect::Aoa &&
           (name.quoted || !isBareName(text, dialect)))
    text = quoteName(text);
  if (name.element)
    text += "[" + name.element->written + "]";
  if (name.array)
    text += "[" + printArrayBounds(*name.array) + "]";
  if (name.transposed)
    text += "^T";
  return name.maybe ? text + "?" : text;
}

std::string printBound(int64_t number, const ExprRef &expr) {
  return expr ? expr->written : std::to_string(number);
}
} // namespace

std::string printArrayBounds(const ArrayRange &range) {
  std::string begin = printBound(range.begin, range.beginExpr);
  // `config:x` is an entry of config.json.
  bool endsInConfig = llvm::StringRef(begin).ends_with("config");
  return begin + (endsInConfig ? " :" : ":") +
         printBound(range.end, range.endExpr);
}

std::string printClause(const Clause &clause) {
  std::string text = clause.placeholder;
  switch (clause.kind) {
  case Clause::Kind::Shortest:
    return text + " shortest";
  case Clause::Kind::Longest:
    return text + " longest";
  case Clause::Kind::In:
    text += " in ";
    break;
  case Clause::Kind::NotIn:
    text += " not in ";
    break;
  }
  if (clause.first)
    return text + printValue(*clause.first) + ".." + printValue(*clause.last);
  return text + "{" + llvm::join(clause.set, ", ") + "}";
}

std::string printValue(const Value &value, Dialect dialect) {
  bool isQuotedInPaddle = std::holds_alternative<Word>(value.data) ||
                          std::holds_alternative<List>(value.data);
  if (dialect == Dialect::Paddle && isQuotedInPaddle)
    return quote(printBare(value));
  return printBare(value);
}

std::string printStatement(const Statement &statement, Dialect dialect) {
  std::string text = printNames(statement.left, dialect) + " -> ";
  // Late names stand behind the attributes, where the user wrote them: a macro
  // tag may stand anywhere, and a message about one speaks of its place.
  size_t numEarly =
      std::min<size_t>(statement.firstLateName, statement.right.size());
  bool isFirst = true;
  auto add = [&](const std::string &item) {
    if (!isFirst)
      text += ", ";
    isFirst = false;
    text += item;
  };
  for (const Name &name :
       llvm::ArrayRef<Name>(statement.right).take_front(numEarly))
    add(printName(name, dialect));
  if (statement.copies)
    add("copy");
  if (statement.isOptional)
    add("optional");
  for (const Tag &tag : statement.tags)
    add(tag.text);
  for (const Attribute &attribute : statement.attributes)
    add(attribute.name + "=" + printValue(attribute.value, dialect));
  for (const Clause &clause : statement.clauses)
    add(printClause(clause));
  for (const Name &name :
       llvm::ArrayRef<Name>(statement.right).drop_front(numEarly))
    add(printName(name, dialect));
  return text;
}

std::vector<const Statement *> statementsOf(const Block &block) {
  std::vector<const Statement *> statements;
  for (const Item &item : block)
    if (const auto *statement = std::get_if<Statement>(&item.data))
      statements.push_back(statement);
  return statements;
}

} // namespace aoa::ast
