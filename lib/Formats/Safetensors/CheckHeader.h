//===- CheckHeader.h - Whether a header's entries fit a file ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_SAFETENSORS_CHECKHEADER_H
#define AOA_LIB_FORMATS_SAFETENSORS_CHECKHEADER_H

#include "Safetensors/HeaderJson.h"

namespace aoa::safetensors {

/// Checks the first 8 bytes of a file of `fileBytes` bytes and returns the
/// header's length N. What it returns is safe to allocate.
Expected<int64_t> checkHeaderLength(std::string_view firstBytes,
                                    int64_t fileBytes);

/// Checks that sizes are those of dtype and shape, and that data fills the file
/// from `dataStart` to `fileBytes` without gap or overlap. Returns the entries
/// in file order.
Expected<std::vector<Entry>> checkEntries(std::vector<RawEntry> raw,
                                          int64_t dataStart, int64_t fileBytes);

} // namespace aoa::safetensors

#endif // AOA_LIB_FORMATS_SAFETENSORS_CHECKHEADER_H
