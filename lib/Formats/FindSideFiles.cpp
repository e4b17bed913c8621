//===- FindSideFiles.cpp - What lies beside the tensors ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Formats/Checkpoint.h"

#include "FilePaths.h"
#include "ShownName.h"
#include "WeightFiles.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace aoa {

namespace {

namespace fs = std::filesystem;

constexpr int64_t maxSideFileBytes = int64_t(64) << 20;
constexpr std::string_view ownTemporaryPrefix = ".aoac";
/// Folders beside an output, of runs under way or killed.
constexpr std::string_view ownTemporarySuffixes[] = {".aoac-partial",
                                                     ".aoac-old"};

class SideFileFinder {
public:
  SideFileFinder(const Catalog &catalog, std::string output)
      : root(catalog.root), output(std::move(output)) {
    for (const Storage &storage : catalog.storages)
      storages.insert(storage.file);
  }

  /// Takes in what is in `folder`, relative to the root ("" is the root).
  Expected<void> visit(const std::string &folder);
  SideFiles found;

private:
  bool isSkippedFolder(const fs::path &path, std::string_view name) const {
    std::error_code ignored; // Then it is not there, and another folder.
    return name == ".git" || name == ".cache" ||
           name.starts_with(ownTemporaryPrefix) ||
           std::ranges::any_of(
               ownTemporarySuffixes,
               [&](std::string_view end) { return name.ends_with(end); }) ||
           (!output.empty() && fs::equivalent(path, output, ignored));
  }
  bool belongsToCatalog(const std::string &folder, const std::string &file,
                        std::string_view name) const {
    return storages.contains(file) ||
           (folder.empty() && isSafetensorsIndex(name));
  }

  std::string root, output;
  std::set<std::string> storages;
};

Expected<void> SideFileFinder::visit(const std::string &folder) {
  std::string path = folder.empty() ? root : joinPath(root, folder);
  std::error_code code;
  for (fs::directory_iterator it(path, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    std::string file = joinPath(folder, name);
    std::error_code ignored; // A failure below is a file left behind.
    fs::file_type type = it->status(ignored).type();
    if (type == fs::file_type::directory) {
      if (isSkippedFolder(it->path(), name))
        continue;
      // Links to folders may lead round in a circle.
      if (it->is_symlink(ignored))
        found.leftBehind.push_back({file, 0});
      else if (auto visited = visit(file); !visited)
        return failWith(std::move(visited));
      continue;
    }
    if (belongsToCatalog(folder, file, name) ||
        name.starts_with(ownTemporaryPrefix))
      continue;
    int64_t bytes = 0;
    bool isTaken = false;
    if (type == fs::file_type::regular) {
      uintmax_t size = fs::file_size(it->path(), ignored);
      bytes = ignored ? 0 : static_cast<int64_t>(size);
      isTaken = !ignored && bytes <= maxSideFileBytes && !isWeightFile(name);
    }
    (isTaken ? found.taken : found.leftBehind).push_back({file, bytes});
  }
  if (code)
    return fail(ErrorKind::Io,
                fmt::format("listing {}: {}", shownName(path), code.message()));
  return {};
}

void sortByFile(std::vector<SideFile> &files) {
  std::sort(
      files.begin(), files.end(),
      [](const SideFile &a, const SideFile &b) { return a.file < b.file; });
}

} // namespace

Expected<SideFiles> findSideFiles(const Catalog &catalog,
                                  const std::string &path,
                                  const std::string &output) {
  std::error_code ignored; // Then it is no folder for us either.
  if (!fs::is_directory(path, ignored) && !isSafetensorsIndex(path))
    return SideFiles();
  SideFileFinder finder(catalog, output);
  if (auto visited = finder.visit(""); !visited)
    return failWith(std::move(visited));
  sortByFile(finder.found.taken);
  sortByFile(finder.found.leftBehind);
  return std::move(finder.found);
}

} // namespace aoa
