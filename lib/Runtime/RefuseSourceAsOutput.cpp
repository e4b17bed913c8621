//===- RefuseSourceAsOutput.cpp - A run never destroys its source ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "RefuseSourceAsOutput.h"

#include "aoa/Support/JoinPath.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace aoa {

namespace fs = std::filesystem;

namespace {

using FileKey = std::pair<dev_t, ino_t>;

std::optional<FileKey> keyOf(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0)
    return std::nullopt;
  return FileKey(info.st_dev, info.st_ino);
}

/// Neither the source's folder nor one above it may be the output.
Expected<void> checkFolders(const std::string &sourceRoot,
                            const OutputPlace &place) {
  const std::optional<FileKey> output = keyOf(place.path);
  std::error_code error;
  fs::path folder = fs::canonical(sourceRoot.empty() ? "." : sourceRoot, error);
  if (error || !output)
    return {}; // Then the source is refused for not being there.
  if (keyOf(folder.string()) == output)
    return fail(
        ErrorKind::Exists,
        fmt::format(
            "output `{}` is the source `{}`: input and output would be the "
            "same files",
            place.path, sourceRoot));
  while (folder != folder.parent_path()) {
    folder = folder.parent_path();
    if (keyOf(folder.string()) == output)
      return fail(ErrorKind::Exists,
                  fmt::format("source `{}` lies inside the output `{}`",
                              sourceRoot, place.path));
  }
  return {};
}

/// No file of the old output may be a file of the source.
Expected<void> checkFiles(const TransferPlan &plan,
                          const std::string &sourceRoot,
                          const OutputPlace &place) {
  std::map<FileKey, std::string> sources;
  const auto add = [&](const std::string &file) {
    const std::string path = joinPath(sourceRoot, file);
    if (const std::optional<FileKey> key = keyOf(path))
      sources.emplace(*key, path);
  };
  for (const PlanSource &source : plan.sources)
    if (!source.file.empty())
      add(source.file);
  for (const CopiedFile &copy : plan.copies)
    add(copy.file);

  std::error_code error;
  fs::recursive_directory_iterator it(place.path, error), end;
  for (; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    const std::optional<FileKey> key = keyOf(path);
    const auto found = key ? sources.find(*key) : sources.end();
    if (found != sources.end())
      return fail(
          ErrorKind::Exists,
          fmt::format("`{}` of the output and `{}` of the input are the same "
                      "file",
                      path, found->second));
  }
  if (error)
    return failErrno(error.value(), "listing", place.path);
  return {};
}

} // namespace

Expected<void> refuseSourceAsOutput(const TransferPlan &plan,
                                    const std::string &sourceRoot,
                                    const OutputPlace &place) {
  if (place.state == OutputPlace::Absent)
    return {};
  if (Expected<void> done = checkFolders(sourceRoot, place); !done)
    return done;
  return checkFiles(plan, sourceRoot, place);
}

} // namespace aoa
