//===- MadeFiles.h - Which files a made checkpoint has ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_MAKECHECKPOINT_MADEFILES_H
#define AOA_LIB_FORMATS_MAKECHECKPOINT_MADEFILES_H

#include "aoa/Formats/Checkpoint.h"
#include "aoa/Formats/MakeCheckpoint.h"

namespace aoa {

/// A part of a tensor that shall be written.
struct MadePart {
  uint32_t tensor; ///< Index into the catalog.
  Shard shard;
  std::string name; ///< In the file.
};

struct MadeFile {
  OutputFile file;
  std::vector<MadePart> parts; ///< What `file.tensors` are, in that order.
};

struct MadeFiles {
  std::vector<MadeFile> files;
  std::vector<std::pair<std::string, std::string>> indexes;
};

/// Plans the files of one Hugging Face directory, or of the ranks of
/// `options.layout`. Fails where the layout does not place a tensor.
Expected<MadeFiles> planMadeFiles(const Catalog &catalog,
                                  const MakeCheckpointOptions &options);

} // namespace aoa

#endif // AOA_LIB_FORMATS_MAKECHECKPOINT_MADEFILES_H
