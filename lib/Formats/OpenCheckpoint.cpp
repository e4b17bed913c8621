//===- OpenCheckpoint.cpp - What lies at a path -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In a folder without a layout, the first of these that exists decides:
//
//   model.safetensors.index.json   its files, whatever else lies there
//   one other *.safetensors.index.json
//   model.safetensors              alone: `consolidated.safetensors` beside it
//                                  is the same weights once more
//   *.safetensors                  all of the folder itself
//===----------------------------------------------------------------------===//
#include "aoa/Formats/Checkpoint.h"

#include "FilePaths.h"
#include "Safetensors/IndexFile.h"
#include "Safetensors/OpenFiles.h"
#include "ShownName.h"
#include "WeightFiles.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace aoa {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view wholeFileName = "model.safetensors";

Expected<std::vector<std::string>> namesIn(const std::string &folder) {
  std::error_code code;
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, code), end; !code && it != end;
       it.increment(code)) {
    std::string name = it->path().filename().string();
    // Hidden files are what some tool is working on.
    if (!name.starts_with('.'))
      names.push_back(std::move(name));
  }
  if (code)
    return fail(ErrorKind::Io, fmt::format("listing {}: {}", shownName(folder),
                                           code.message()));
  std::sort(names.begin(), names.end());
  return names;
}

Expected<Catalog> openFolder(const std::string &folder, DiagnosticSink &sink) {
  Expected<std::vector<std::string>> names = namesIn(folder);
  if (!names)
    return failWith(std::move(names));
  auto has = [&](std::string_view name) {
    return std::binary_search(names->begin(), names->end(), name,
                              std::less<>());
  };
  if (has(safetensors::indexFileName))
    return safetensors::openByIndex(
        folder, std::string(safetensors::indexFileName), sink);

  std::vector<std::string> indexes, files;
  const std::string *otherWeights = nullptr;
  for (const std::string &name : *names) {
    if (isSafetensorsIndex(name))
      indexes.push_back(name);
    else if (name.ends_with(".safetensors"))
      files.push_back(name);
    else if (isWeightFile(name) && !otherWeights)
      otherWeights = &name;
  }
  if (indexes.size() == 1)
    return safetensors::openByIndex(folder, indexes.front(), sink);
  if (indexes.size() > 1)
    return fail(ErrorKind::Format,
                fmt::format("{} has several indexes, as {} and {}; which one "
                            "is meant is not clear",
                            shownName(folder), shownName(indexes[0]),
                            shownName(indexes[1])));
  if (has(wholeFileName))
    return safetensors::openWholeFiles(folder, {std::string(wholeFileName)});
  if (files.empty())
    return fail(
        ErrorKind::Format,
        otherWeights
            ? fmt::format("{} has no `.safetensors` file; {} is in a form "
                          "that is not supported",
                          shownName(folder), shownName(*otherWeights))
            : fmt::format("{} has no `.safetensors` file", shownName(folder)));
  Expected<Catalog> catalog = safetensors::openWholeFiles(folder, files);
  if (!catalog)
    return failWith(
        std::move(catalog),
        fmt::format("opening the {} files of {}, which has no index",
                    files.size(), shownName(folder)));
  return catalog;
}

} // namespace

Expected<Catalog> openCheckpoint(const std::string &path,
                                 const Layout *sourceLayout,
                                 DiagnosticSink &sink) {
  std::error_code code;
  fs::file_status status = fs::status(path, code);
  if (!fs::exists(status))
    return fail(ErrorKind::Io, fmt::format("{}: {}", shownName(path),
                                           code ? code.message()
                                                : "No such file or directory"));
  std::string absolute = absolutePath(path);
  if (fs::is_directory(status))
    return sourceLayout
               ? safetensors::openRankFiles(absolute, *sourceLayout, sink)
               : openFolder(absolute, sink);
  if (sourceLayout)
    return fail(ErrorKind::Format,
                fmt::format("{} is a file, expected the folder of the files "
                            "that the source layout names",
                            shownName(path)));
  fs::path file(absolute);
  if (isSafetensorsIndex(file.filename().string()))
    return safetensors::openByIndex(file.parent_path().string(),
                                    file.filename().string(), sink);
  return safetensors::openWholeFiles(file.parent_path().string(),
                                     {file.filename().string()});
}

} // namespace aoa
