//===- Utf8.h - Characters of several bytes ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_UTF8_H
#define AOA_SUPPORT_UTF8_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace aoa {

/// Returns the length of the UTF-8 sequence that starts at `text[at]`, or 0 if
/// none does: overlong forms, surrogates and numbers above U+10FFFF are none.
size_t utf8Length(std::string_view text, size_t at);

/// Whether all of `text` is UTF-8, by the same rules.
bool isUtf8(std::string_view text);

/// Appends the UTF-8 form of a code point, which is no surrogate.
void appendUtf8(std::string &out, uint32_t code);

} // namespace aoa

#endif // AOA_SUPPORT_UTF8_H
