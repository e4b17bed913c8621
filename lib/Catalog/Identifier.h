//===- Identifier.h - Names of axes, captures and variables -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_IDENTIFIER_H
#define AOA_LIB_CATALOG_IDENTIFIER_H

#include <algorithm>
#include <string_view>

namespace aoa {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Whether an identifier may begin with `c`.
inline bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether `text` is a letter or `_`, then letters, digits and `_`.
inline bool isIdentifier(std::string_view text) {
  return !text.empty() && isLetter(text.front()) &&
         std::ranges::all_of(text,
                             [](char c) { return isLetter(c) || isDigit(c); });
}

} // namespace aoa

#endif // AOA_LIB_CATALOG_IDENTIFIER_H
