//===- ByteSize.h - Sizes as people write them ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_BYTESIZE_H
#define AOA_SUPPORT_BYTESIZE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace aoa {

/// Reads `5GB`, `512 MiB`, `1000`: bytes, or with KB MB GB TB (decimal) or KiB
/// MiB GiB TiB. Returns nothing for anything else, for 0 and for overflow.
std::optional<int64_t> parseByteSize(std::string_view text);

} // namespace aoa

#endif // AOA_SUPPORT_BYTESIZE_H
