//===- RankFiles.h - The files of the ranks ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Which file each rank of a layout reads and what these files hold, before
// anything is said about whether it fits the layout.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_FORMATS_SAFETENSORS_RANKFILES_H
#define AOA_LIB_FORMATS_SAFETENSORS_RANKFILES_H

#include "aoa/Catalog/Layout.h"
#include "aoa/Formats/Safetensors/Header.h"

#include <unordered_map>

namespace aoa::safetensors {

struct RankFile {
  std::string file;             ///< Relative to the folder.
  std::vector<uint32_t> ranks;  ///< Who reads it, ascending; not empty.
  std::optional<Header> header; ///< None: there is no such file.
};

/// A tensor's entry in one of the files.
struct StoredPart {
  uint32_t file;
  const Entry *entry;
};

class RankFiles {
public:
  /// Reads the headers of all files that are there. Fails when none is.
  static Expected<RankFiles> read(const std::string &folder,
                                  const Layout &layout);

  const RankFile &fileOfRank(uint32_t rank) const {
    return files[indexOfRank[rank]];
  }
  uint32_t indexOfFile(uint32_t rank) const { return indexOfRank[rank]; }

  /// Names in the files, sorted, each once.
  std::vector<std::string_view> tensorNames() const;
  /// Where `name` is stored, by file.
  std::span<const StoredPart> partsOf(std::string_view name) const;
  /// The entry called `name` of a rank's file, or null.
  const Entry *find(std::string_view name, uint32_t rank) const;

  /// Says what the entries are called from now on: `names` has a name for each
  /// entry of each file that is there; without one an entry is left out.
  using Names = std::vector<std::vector<std::optional<std::string>>>;
  void rename(Names names);

  std::vector<RankFile> files;

private:
  std::vector<uint32_t> indexOfRank;
  std::unordered_map<std::string_view, std::vector<StoredPart>> parts;
  Names newNames; ///< What `parts` is keyed by, if not the headers' names.
};

} // namespace aoa::safetensors

#endif // AOA_LIB_FORMATS_SAFETENSORS_RANKFILES_H
