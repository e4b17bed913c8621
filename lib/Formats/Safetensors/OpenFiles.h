//===- OpenFiles.h - Catalogs of safetensors files --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The three ways in which safetensors files make up a checkpoint. `folder` is
// absolute in all of them.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_FORMATS_SAFETENSORS_OPENFILES_H
#define AOA_LIB_FORMATS_SAFETENSORS_OPENFILES_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Catalog/Layout.h"
#include "aoa/Formats/Safetensors/Header.h"

namespace aoa::safetensors {

struct OpenFile {
  std::string file; ///< Relative to the folder.
  Header header;
};

/// Opens files that together hold whole tensors, each tensor once.
Expected<Catalog> openWholeFiles(const std::string &folder,
                                 const std::vector<std::string> &files);

/// Opens the folder whose index is `indexName`, and checks the index against
/// the files in both directions.
Expected<Catalog> openByIndex(const std::string &folder,
                              const std::string &indexName,
                              DiagnosticSink &sink);

/// Opens a folder of ranks' files. Tensors that contradict the layout are
/// reported and left out.
Expected<Catalog> openRankFiles(const std::string &folder, const Layout &layout,
                                DiagnosticSink &sink);

/// The metadata that all files agree on, or nothing.
Metadata agreedMetadata(const std::vector<const Header *> &headers);

} // namespace aoa::safetensors

#endif // AOA_LIB_FORMATS_SAFETENSORS_OPENFILES_H
