//===- Utf8.cpp - Characters of several bytes -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/Utf8.h"

namespace aoa {

size_t utf8Length(std::string_view text, size_t at) {
  auto byte = [&](size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  auto continues = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  unsigned first = byte(0);
  if (first < 0x80)
    return 1;
  if (first < 0xC2)
    return 0;
  if (first < 0xE0)
    return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    if (!continues(1) || !continues(2) || (first == 0xE0 && byte(1) < 0xA0) ||
        (first == 0xED && byte(1) >= 0xA0))
      return 0;
    return 3;
  }
  if (first > 0xF4 || !continues(1) || !continues(2) || !continues(3) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90))
    return 0;
  return 4;
}

bool isUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    size_t length = utf8Length(text, at);
    if (length == 0)
      return false;
    at += length;
  }
  return true;
}

void appendUtf8(std::string &out, uint32_t code) {
  auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

} // namespace aoa
