//===- Checkpoint.h - Opening checkpoints, planning their files -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One door for all formats: `openCheckpoint` detects what lies at a path and
// makes its catalog from headers; `planOutput` says which files a result
// becomes. The formats are listed in Formats.def.
//===----------------------------------------------------------------------===//
#ifndef AOA_FORMATS_CHECKPOINT_H
#define AOA_FORMATS_CHECKPOINT_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Catalog/Layout.h"
#include "aoa/Support/Error.h"

namespace aoa {

struct FormatInfo {
  std::string_view name;    ///< `safetensors`
  std::string_view summary; ///< One line.
};
/// All formats of Formats.def.
std::span<const FormatInfo> allFormats();

/// Opens the checkpoint at `path`: a `.safetensors` file, a directory as
/// Hugging Face writes it (with or without `model.safetensors.index.json`; the
/// index decides, not a listing of the folder), or, with `sourceLayout`, a
/// directory of per-rank files. Everything is checked from headers: names the
/// index maps to files that do not have them and the reverse, files outside the
/// directory, a tensor in two files; for layouts the local shapes of all ranks.
/// Warnings (an index whose `total_size` is wrong) and contradictions with the
/// layout go to `sink`; a bad file is the returned error.
Expected<Catalog> openCheckpoint(const std::string &path,
                                 const Layout *sourceLayout,
                                 DiagnosticSink &sink);

/// A file beside the tensors that a conversion takes along.
struct SideFile {
  std::string file; ///< Relative to the root.
  int64_t bytes = 0;
};
struct SideFiles {
  std::vector<SideFile> taken;
  /// Files that are weights in another form or larger than 64 MiB, and links
  /// that lead nowhere: named in the summary, not copied.
  std::vector<SideFile> leftBehind;
};
/// Finds the side files of a checkpoint, subfolders included, sorted. The
/// catalog's own storages and their indexes are neither taken nor left behind.
/// A single `.safetensors` file has none. Hidden folders `.git`, `.cache`, our
/// own temporary names, and the folder `output` (an earlier result) are
/// skipped.
Expected<SideFiles> findSideFiles(const Catalog &catalog,
                                  const std::string &path,
                                  const std::string &output = "");

/// One tensor (or shard) that shall be written.
struct OutputTensor {
  std::string_view name;
  DType dtype;
  Shape shape;
};

struct OutputFile {
  std::string file;              ///< Relative to the output directory.
  std::vector<uint32_t> tensors; ///< Indexes into the list that was given.
  std::vector<int64_t> atBytes;  ///< Where each of them starts.
  std::string prefix;            ///< First bytes of the file.
  int64_t bytes = 0;
};

struct OutputFiles {
  std::vector<OutputFile> files;
  /// Small files that are written last: name and text.
  std::vector<std::pair<std::string, std::string>> indexes;
};

/// Plans one directory as Hugging Face expects it: `model.safetensors`, or
/// `model-00001-of-0000N.safetensors` and an index when the tensors exceed
/// `maxShardBytes`. Greedy in name order, as huggingface_hub splits; a tensor
/// larger than the limit gets a file of its own. `tensors` must be sorted by
/// name.
Expected<OutputFiles>
planHuggingFaceOutput(std::span<const OutputTensor> tensors,
                      const std::map<std::string, std::string> &metadata,
                      int64_t maxShardBytes);

/// Plans one safetensors file called `file` with all `tensors`.
Expected<OutputFile>
planSingleFile(std::string file, std::span<const OutputTensor> tensors,
               const std::map<std::string, std::string> &metadata);

} // namespace aoa

#endif // AOA_FORMATS_CHECKPOINT_H
