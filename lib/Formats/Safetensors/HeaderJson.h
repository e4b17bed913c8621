//===- HeaderJson.h - The JSON of a safetensors header ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The grammar of the header alone: names, dtypes, shapes, offsets as they are
// written. Whether they fit together is asked by CheckHeader.h.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_FORMATS_SAFETENSORS_HEADERJSON_H
#define AOA_LIB_FORMATS_SAFETENSORS_HEADERJSON_H

#include "aoa/Formats/Safetensors/Header.h"

namespace aoa::safetensors {

/// An entry as it is written.
struct RawEntry {
  std::string name;
  DType dtype;
  Shape shape;
  int64_t begin = 0; ///< data_offsets, relative to the data.
  int64_t end = 0;
  int64_t atByte = 0; ///< Where the name stands in the file.
};

struct RawHeader {
  std::vector<RawEntry> entries; ///< As written; each name once.
  Metadata metadata;
};

/// Reads `json`, which stands at byte `atByte` of its file. Stricter than the
/// reference in one more place than Header.h says: unknown fields of an entry
/// are refused, because a field that we do not know may change what the bytes
/// mean.
Expected<RawHeader> parseHeaderJson(std::string_view json, int64_t atByte);

} // namespace aoa::safetensors

#endif // AOA_LIB_FORMATS_SAFETENSORS_HEADERJSON_H
