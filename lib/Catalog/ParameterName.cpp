//===- ParameterName.cpp - Names in affine maps -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ParameterName.h"

#include "Identifier.h"

#include <fmt/format.h>

namespace aoa {

namespace {

/// What has a meaning in an expression of Python.
constexpr std::string_view special = "()[]{}?*+|^$\\.";
/// What Python escapes besides, because it has one in some places.
constexpr std::string_view alsoEscaped = "-&~# \t\n\r\v\f";

bool isOneOf(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

std::unexpected<Error> noName(std::string_view text, size_t at) {
  return fail(ErrorKind::Unsupported,
              fmt::format("`{}` is an expression, by its byte {}, expected a "
                          "name or `^`, an escaped name and `$`",
                          text, at));
}

} // namespace

Expected<std::string> nameOfParameter(std::string_view text) {
  if (!text.starts_with('^')) {
    for (size_t at = 0; at < text.size(); ++at)
      if (text[at] != '.' && isOneOf(text[at], special))
        return noName(text, at);
    return std::string(text);
  }
  std::string name;
  for (size_t at = 1; at < text.size(); ++at) {
    char c = text[at];
    if (c == '$' && at + 1 == text.size())
      return name;
    if (c == '\\') {
      // Before a letter or digit it is a class, a reference or a code.
      if (++at == text.size() || isLetter(text[at]) || isDigit(text[at]))
        return noName(text, at - 1);
      name += text[at];
    } else if (isOneOf(c, special)) {
      return noName(text, at);
    } else {
      name += c;
    }
  }
  return noName(text, text.size());
}

std::string expressionOf(std::string_view name) {
  std::string text = "^";
  for (char c : name) {
    if (isOneOf(c, special) || isOneOf(c, alsoEscaped))
      text += '\\';
    text += c;
  }
  return text + "$";
}

} // namespace aoa
