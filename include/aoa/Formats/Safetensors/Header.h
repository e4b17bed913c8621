//===- Header.h - The header of a safetensors file --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   offset 0      N, u64 little endian
//   offset 8      N bytes of JSON: name → {dtype, shape, data_offsets}
//   offset 8 + N  the data, without gaps, to the end of the file
//
// Format: safetensors' README and `tensor.rs`. The reader makes every check the
// reference makes and those other readers got wrong: duplicate names, rank over
// 64, a zero extent hiding an overflow, N against the file's size before
// anything is allocated. Cost: linear in the header but for one sort of the
// entries.
//===----------------------------------------------------------------------===//
#ifndef AOA_FORMATS_SAFETENSORS_HEADER_H
#define AOA_FORMATS_SAFETENSORS_HEADER_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/Error.h"

#include <map>

namespace aoa::safetensors {

inline constexpr int64_t maxHeaderBytes = 100'000'000;
inline constexpr unsigned maxRank = 64;

using Metadata = std::map<std::string, std::string>;

struct Entry {
  std::string name;
  DType dtype;
  Shape shape;
  int64_t atBytes = 0; ///< Absolute, from the start of the file.
  int64_t sizeBytes = 0;
};

struct Header {
  std::vector<Entry> entries; ///< In file order.
  Metadata metadata;
  int64_t dataStart = 0; ///< 8 + N
  int64_t fileBytes = 0;
  uint64_t fingerprint = 0; ///< XXH3 of the 8 + N bytes and the file's size.
};

/// Checks the first 8 + N bytes of a file of `fileBytes` bytes. Requires
/// `prefix` to be exactly those.
Expected<Header> parseHeader(std::string_view prefix, int64_t fileBytes);

/// Reads and checks the header of the file at `path`. Messages carry the byte
/// offset of the fault where there is one.
Expected<Header> readHeader(const std::string &path);

/// What a file that shall be written looks like.
struct FileImage {
  std::string prefix;           ///< Its first 8 + N bytes.
  std::vector<int64_t> atBytes; ///< Where each tensor's data starts, as given.
  int64_t fileBytes = 0;
};

struct TensorSpec {
  std::string_view name;
  DType dtype;
  Shape shape;
};

/// Lays a file out as the reference writer does: by dtype, last enumerator
/// first, then by name; compact JSON, `__metadata__` first with sorted keys;
/// padded with spaces to a multiple of 8. Same input, same bytes. Fails when
/// the header exceeds its limit, a size overflows, or a name is not UTF-8.
Expected<FileImage> layOutFile(std::span<const TensorSpec> tensors,
                               const Metadata &metadata);

} // namespace aoa::safetensors

#endif // AOA_FORMATS_SAFETENSORS_HEADER_H
