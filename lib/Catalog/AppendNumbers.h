//===- AppendNumbers.h - Lists of numbers as JSON ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_APPENDNUMBERS_H
#define AOA_LIB_CATALOG_APPENDNUMBERS_H

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace aoa {

/// Appends `[1, 2]`. Most of a catalog with many shards is such lists: digits
/// are written without a format.
void appendNumbers(std::string &out, const auto &numbers) {
  std::string_view separator = "[";
  for (auto number : numbers) {
    fmt::format_int digits(number);
    out += separator;
    out.append(digits.data(), digits.size());
    separator = ", ";
  }
  out += numbers.empty() ? "[]" : "]";
}

} // namespace aoa

#endif // AOA_LIB_CATALOG_APPENDNUMBERS_H
