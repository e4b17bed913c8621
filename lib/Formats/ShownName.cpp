//===- ShownName.cpp - Names out of files, in messages ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ShownName.h"

#include <fmt/format.h>

namespace aoa {

std::string shownName(std::string_view name) {
  constexpr size_t maxBytes = 200;
  std::string shown = "`";
  for (char c : name.substr(0, maxBytes)) {
    unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  if (name.size() > maxBytes)
    shown += "…";
  return shown + "`";
}

} // namespace aoa
