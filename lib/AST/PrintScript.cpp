//===- PrintScript.cpp - Statements as canonical text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Script.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <charconv>

namespace aoa::ast {

namespace {
/// Puts quotes around a text: double ones if it has none itself. A text that
/// was read from a script has at most one kind.
std::string quote(llvm::StringRef text) {
  char mark = text.contains('"') ? '\'' : '"';
  return mark + text.str() + mark;
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

std::string printName(const Name &name, Dialect dialect) {
  bool needsQuotes = dialect == Dialect::Aoa &&
                     (name.quoted || !isBareName(name.text, dialect));
  std::string text = needsQuotes ? quote(name.text) : name.text;
  if (name.array)
    text += "[" + std::to_string(name.array->begin) + ":" +
            std::to_string(name.array->end) + "]";
  return name.transposed ? text + "^T" : text;
}
} // namespace

std::string printValue(const Value &value, Dialect dialect) {
  bool isQuotedInPaddle = std::holds_alternative<Word>(value.data) ||
                          std::holds_alternative<List>(value.data);
  if (dialect == Dialect::Paddle && isQuotedInPaddle)
    return quote(printBare(value));
  return printBare(value);
}

std::string printStatement(const Statement &statement, Dialect dialect) {
  std::string text;
  for (const Name &name : statement.left) {
    if (&name != statement.left.begin())
      text += ", ";
    text += printName(name, dialect);
  }
  text += " -> ";
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
  for (const Tag &tag : statement.tags)
    add(tag.text);
  for (const Attribute &attribute : statement.attributes)
    add(attribute.name + "=" + printValue(attribute.value, dialect));
  for (const Name &name :
       llvm::ArrayRef<Name>(statement.right).drop_front(numEarly))
    add(printName(name, dialect));
  return text;
}

std::string printScript(const Script &script) {
  std::string text;
  for (const Statement &statement : script.statements)
    text += printStatement(statement, script.dialect) + "\n";
  return text;
}

} // namespace aoa::ast
