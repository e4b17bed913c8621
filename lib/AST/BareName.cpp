//===- BareName.cpp - Which names need no quotes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/AST/Script.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

namespace aoa::ast {

namespace {
constexpr std::array<llvm::StringLiteral, 11> reservedWords = {
    "macro",   "let", "for", "if",       "else",   "assert",
    "include", "in",  "not", "shortest", "longest"};

bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '*';
}

/// Takes a character of a word or a placeholder `$(X)` off the front.
bool consumeWordCharacter(llvm::StringRef &text) {
  if (text.empty() || !isWordCharacter(text.front()))
    return false;
  bool isDelimited = text.starts_with("$(") &&
                     llvm::isUpper(text.substr(2, 1).empty() ? '\0' : text[2]);
  text = text.drop_front();
  if (!isDelimited)
    return true;
  llvm::StringRef rest = text.drop_front().drop_while(
      [](char c) { return llvm::isUpper(c) || llvm::isDigit(c) || c == '_'; });
  if (rest.consume_front(")"))
    text = rest;
  return true;
}

/// Whether every `-` `/` `^` of an aoa name has what must follow it: the lexer
/// never ends a name with one, and `^T` ends every name.
bool isBareAoaTail(llvm::StringRef text) {
  while (!text.empty()) {
    text = text.drop_while([](char c) { return c == '-' || c == '/'; });
    if (text.starts_with("^T"))
      return false;
    text.consume_front("^");
    if (!consumeWordCharacter(text))
      return false;
  }
  return true;
}
} // namespace

bool isBareName(llvm::StringRef text, Dialect dialect) {
  if (text.empty())
    return false;
  if (dialect == Dialect::Paddle)
    return (llvm::isAlpha(text.front()) || text.front() == '_') &&
           !text.ends_with("^T") && llvm::all_of(text, [](char c) {
             return isWordCharacter(c) || c == '^';
           });
  if (llvm::is_contained(reservedWords, text))
    return false;
  bool isTemporary = text.consume_front("%");
  return !text.empty() &&
         (llvm::isAlpha(text.front()) || text.front() == '_' ||
          text.front() == '$' ||
          (isTemporary && llvm::isDigit(text.front()))) &&
         isBareAoaTail(text);
}

} // namespace aoa::ast
