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
  return llvm::isAlnum(c) || llvm::StringRef("_.$*").contains(c);
}

/// Whether every `-` `/` `^` of an aoa name has what must follow it: the lexer
/// never ends a name with one, and `^T` ends every name.
bool isBareAoaTail(llvm::StringRef text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (isWordCharacter(text[i]))
      continue;
    if (i + 1 == text.size())
      return false;
    char next = text[i + 1];
    bool isJoint = text[i] == '-' || text[i] == '/';
    bool nextIsJoint = next == '-' || next == '/' || next == '^';
    if (isJoint ? !(isWordCharacter(next) || nextIsJoint)
                : !(text[i] == '^' && isWordCharacter(next) && next != 'T'))
      return false;
  }
  return true;
}
} // namespace

bool isBareName(llvm::StringRef text, Dialect dialect) {
  if (text.empty())
    return false;
  char first = text.front();
  if (dialect == Dialect::Paddle)
    return (llvm::isAlpha(first) || first == '_') && !text.ends_with("^T") &&
           llvm::all_of(text,
                        [](char c) { return isWordCharacter(c) || c == '^'; });
  // `${` begins an interpolation, `$(` a delimited placeholder.
  return (llvm::isAlpha(first) || first == '_' || first == '$') &&
         isBareAoaTail(text) && !llvm::is_contained(reservedWords, text);
}

} // namespace aoa::ast
