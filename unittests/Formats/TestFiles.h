//===- TestFiles.h - Small checkpoints in a folder --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_FORMATS_TESTFILES_H
#define AOA_UNITTESTS_FORMATS_TESTFILES_H

#include "HeaderBytes.h"
#include "aoa/Formats/Safetensors/Header.h"

namespace aoa {

using TensorList = std::vector<safetensors::TensorSpec>;

/// Writes a safetensors file whose data is `.` all over.
inline void writeTensors(const TemporaryFolder &folder, std::string_view file,
                         const TensorList &tensors,
                         const safetensors::Metadata &metadata = {}) {
  auto image = safetensors::layOutFile(tensors, metadata);
  ASSERT_TRUE(image) << image.error().str();
  std::string bytes = image->prefix;
  bytes.resize(static_cast<size_t>(image->fileBytes), '.');
  folder.write(file, bytes);
}

} // namespace aoa

#endif // AOA_UNITTESTS_FORMATS_TESTFILES_H
