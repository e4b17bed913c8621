//===- IndexFile.h - model.safetensors.index.json ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   { "metadata": { "total_size": 16 }, "weight_map": { "w": "a.safetensors" }
//   }
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_FORMATS_SAFETENSORS_INDEXFILE_H
#define AOA_LIB_FORMATS_SAFETENSORS_INDEXFILE_H

#include "aoa/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace aoa::safetensors {

inline constexpr std::string_view indexFileName =
    "model.safetensors.index.json";

struct IndexFile {
  /// Tensor → file, as `nameInsideFolder` returns it.
  std::map<std::string, std::string, std::less<>> fileOf;
  std::optional<int64_t> totalSize;
};

/// Reads the index at `path`. Other fields than the two above are nobody's
/// business and are skipped.
Expected<IndexFile> readIndexFile(const std::string &path);

} // namespace aoa::safetensors

#endif // AOA_LIB_FORMATS_SAFETENSORS_INDEXFILE_H
