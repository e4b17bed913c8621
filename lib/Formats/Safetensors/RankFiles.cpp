//===- RankFiles.cpp - The files of the ranks -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Safetensors/RankFiles.h"

#include "FilePaths.h"
#include "ShownName.h"

#include <algorithm>
#include <fmt/format.h>

namespace aoa::safetensors {

/// More files than this are a mistake in a mesh, not a checkpoint.
constexpr int64_t maxRanks = int64_t(1) << 20;

Expected<RankFiles> RankFiles::read(const std::string &folder,
                                    const Layout &layout) {
  int64_t numRanks = layout.mesh.numRanks();
  if (numRanks > maxRanks)
    return fail(ErrorKind::Limit,
                fmt::format("the source layout has {} ranks, more than the {} "
                            "that can be read",
                            numRanks, maxRanks));
  RankFiles result;
  std::unordered_map<std::string, uint32_t> indexOfName;
  for (int64_t rank = 0; rank != numRanks; ++rank) {
    std::string file = layout.files.fileOf(rank, layout.mesh);
    auto [place, isNew] = indexOfName.try_emplace(
        file, static_cast<uint32_t>(result.files.size()));
    if (isNew)
      result.files.push_back(
          {.file = std::move(file), .ranks = {}, .header = std::nullopt});
    result.files[place->second].ranks.push_back(static_cast<uint32_t>(rank));
    result.indexOfRank.push_back(place->second);
  }

  bool anyExists = false;
  for (RankFile &file : result.files) {
    std::string path = joinPath(folder, file.file);
    if (!existsAt(path))
      continue;
    anyExists = true;
    Expected<Header> header = readHeader(path);
    if (!header)
      return failWith(std::move(header));
    file.header = std::move(*header);
  }
  if (!anyExists)
    return fail(ErrorKind::Io,
                fmt::format("{} has none of the files that the source layout "
                            "names, as {}",
                            shownName(folder),
                            shownName(result.files.front().file)));

  for (uint32_t i = 0; i != result.files.size(); ++i)
    if (result.files[i].header)
      for (const Entry &entry : result.files[i].header->entries)
        result.parts[entry.name].push_back({i, &entry});
  return result;
}

void RankFiles::rename(Names names) {
  newNames = std::move(names);
  parts.clear();
  for (uint32_t i = 0; i != files.size(); ++i)
    for (size_t entry = 0; entry != newNames[i].size(); ++entry)
      if (const std::optional<std::string> &name = newNames[i][entry])
        parts[*name].push_back({i, &files[i].header->entries[entry]});
}

std::vector<std::string_view> RankFiles::tensorNames() const {
  std::vector<std::string_view> names;
  names.reserve(parts.size());
  for (const auto &[name, stored] : parts)
    names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::span<const StoredPart> RankFiles::partsOf(std::string_view name) const {
  auto found = parts.find(name);
  if (found == parts.end())
    return {};
  return found->second;
}

const Entry *RankFiles::find(std::string_view name, uint32_t rank) const {
  std::span<const StoredPart> stored = partsOf(name);
  auto part = std::lower_bound(
      stored.begin(), stored.end(), indexOfRank[rank],
      [](const StoredPart &p, uint32_t file) { return p.file < file; });
  return part != stored.end() && part->file == indexOfRank[rank] ? part->entry
                                                                 : nullptr;
}

} // namespace aoa::safetensors
