//===- PrintName.cpp - Names of tensors in IR text --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IR/Program.h"
#include "llvm/ADT/StringExtras.h"

using namespace aoa;

static bool isBare(llvm::StringRef name) {
  if (name.empty() || !(llvm::isAlpha(name.front()) || name.front() == '_') ||
      name.contains("->"))
    return false;
  return llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("._-/").contains(c);
  });
}

std::string ir::printName(llvm::StringRef name) {
  if (isBare(name))
    return name.str();
  std::string text = "\"";
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (text += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f)
      text += std::string("\\") + llvm::hexdigit(byte >> 4) +
              llvm::hexdigit(byte & 15);
    else
      text += c;
  }
  return text + "\"";
}
