//===- ShownName.h - Names out of files, in messages ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_SHOWNNAME_H
#define AOA_LIB_FORMATS_SHOWNNAME_H

#include <string>
#include <string_view>

namespace aoa {

/// Returns `name` in backticks as a message may show it: control characters,
/// which a hostile file could aim at a terminal, as `\x1b`, and no more than
/// its first 200 bytes.
std::string shownName(std::string_view name);

} // namespace aoa

#endif // AOA_LIB_FORMATS_SHOWNNAME_H
