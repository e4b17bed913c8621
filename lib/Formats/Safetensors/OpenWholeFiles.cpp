//===- OpenWholeFiles.cpp - Files that hold whole tensors -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FilePaths.h"
#include "Safetensors/IndexFile.h"
#include "Safetensors/OpenFiles.h"
#include "ShownName.h"
#include "aoa/Formats/FormatsDiagnostics.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace aoa::safetensors {

namespace {

Expected<std::vector<OpenFile>>
readHeaders(const std::string &folder, const std::vector<std::string> &files) {
  std::vector<OpenFile> opened;
  for (const std::string &file : files) {
    Expected<Header> header = readHeader(joinPath(folder, file));
    if (!header)
      return failWith(std::move(header));
    opened.push_back({file, std::move(*header)});
  }
  return opened;
}

/// The catalog of `files`, tensors sorted by name, but not yet known to be
/// there once.
Catalog catalogOf(const std::string &folder, std::vector<OpenFile> files) {
  Catalog catalog;
  catalog.root = folder;
  std::vector<const Header *> headers;
  ShardLists lists;
  for (OpenFile &file : files) {
    StorageId storage(catalog.storages.size());
    catalog.storages.push_back(
        {file.file, file.header.fileBytes, file.header.fingerprint});
    headers.push_back(&file.header);
    for (Entry &entry : file.header.entries) {
      ShardList shards = lists.whole(entry.shape);
      catalog.tensors.push_back({.name = std::move(entry.name),
                                 .dtype = entry.dtype,
                                 .shape = std::move(entry.shape),
                                 .shards = std::move(shards),
                                 .places = {{storage, entry.atBytes}}});
    }
  }
  catalog.metadata = agreedMetadata(headers);
  std::sort(catalog.tensors.begin(), catalog.tensors.end(),
            [](const Tensor &a, const Tensor &b) {
              return std::tie(a.name, a.places[0].storage) <
                     std::tie(b.name, b.places[0].storage);
            });
  return catalog;
}

const std::string &fileOf(const Catalog &catalog, const Tensor &tensor) {
  return catalog.storages[tensor.places.front().storage.index()].file;
}

Expected<void> checkTensorsOnce(const Catalog &catalog) {
  auto twice = std::adjacent_find(
      catalog.tensors.begin(), catalog.tensors.end(),
      [](const Tensor &a, const Tensor &b) { return a.name == b.name; });
  if (twice == catalog.tensors.end())
    return {};
  return fail(ErrorKind::Format,
              fmt::format("{} is in both {} and {}", shownName(twice->name),
                          shownName(fileOf(catalog, twice[0])),
                          shownName(fileOf(catalog, twice[1]))));
}

/// One kind of fault in an index: the first, and how many there are.
struct Faults {
  std::string first;
  size_t count = 0;

  void add(auto describe) {
    if (count++ == 0)
      first = describe();
  }
  std::string text() const {
    return count == 1 ? first
                      : fmt::format("{}, and {} more", first, count - 1);
  }
};

/// Whether the tensors of the files are exactly those of the index, each in the
/// file that it says. Requires sorted tensors.
Expected<void> checkAgainstIndex(const Catalog &catalog,
                                 const IndexFile &index) {
  Faults missing, elsewhere, unknown;
  for (const auto &[name, file] : index.fileOf)
    if (!catalog.find(name))
      missing.add([&] {
        return fmt::format("the index says that {} is in {}, which does not "
                           "have it",
                           shownName(name), shownName(file));
      });
  for (const Tensor &tensor : catalog.tensors) {
    const std::string &file = fileOf(catalog, tensor);
    auto said = index.fileOf.find(tensor.name);
    if (said == index.fileOf.end())
      unknown.add([&] {
        return fmt::format("{} has {}, which is not in the index",
                           shownName(file), shownName(tensor.name));
      });
    else if (said->second != file)
      elsewhere.add([&] {
        return fmt::format("the index says that {} is in {}, but it is in {}",
                           shownName(tensor.name), shownName(said->second),
                           shownName(file));
      });
  }
  std::string message;
  for (const Faults *faults : {&missing, &elsewhere, &unknown})
    if (faults->count != 0)
      message += (message.empty() ? "" : "; ") + faults->text();
  if (!message.empty())
    return fail(ErrorKind::Format, std::move(message));
  return {};
}

void checkTotalSize(const std::string &indexPath, const IndexFile &index,
                    const Catalog &catalog, DiagnosticSink &sink) {
  if (!index.totalSize)
    return;
  int64_t bytes = 0; // Sums of sizes of files: no overflow.
  for (const Tensor &tensor : catalog.tensors)
    bytes += checkedSizeBytes(tensor.dtype, tensor.shape).value_or(0);
  if (bytes != *index.totalSize)
    sink.report({.kind = &diag::IndexTotalSize,
                 .range = {},
                 .message = fmt::format(
                     "{} gives {} bytes as `total_size`, but the tensors have "
                     "{}",
                     shownName(indexPath), *index.totalSize, bytes)});
}

} // namespace

Metadata agreedMetadata(const std::vector<const Header *> &headers) {
  for (const Header *header : headers)
    if (header->metadata != headers.front()->metadata)
      return {};
  return headers.empty() ? Metadata() : headers.front()->metadata;
}

Expected<Catalog> openWholeFiles(const std::string &folder,
                                 const std::vector<std::string> &files) {
  auto opened = readHeaders(folder, files);
  if (!opened)
    return failWith(std::move(opened));
  Catalog catalog = catalogOf(folder, std::move(*opened));
  if (auto once = checkTensorsOnce(catalog); !once)
    return failWith(std::move(once));
  return catalog;
}

Expected<Catalog> openByIndex(const std::string &folder,
                              const std::string &indexName,
                              DiagnosticSink &sink) {
  std::string indexPath = joinPath(folder, indexName);
  auto doing = [&] { return fmt::format("reading {}", shownName(indexPath)); };
  Expected<IndexFile> index = readIndexFile(indexPath);
  if (!index)
    return failWith(std::move(index));

  std::map<std::string, std::string_view> firstTensorOf;
  for (const auto &[name, file] : index->fileOf)
    firstTensorOf.try_emplace(file, name);
  std::vector<std::string> files;
  for (const auto &[file, tensor] : firstTensorOf) {
    if (!existsAt(joinPath(folder, file)))
      return failWith(Expected<void>(fail(
                          ErrorKind::Io,
                          fmt::format("{}, where {} should be, does not exist",
                                      shownName(file), shownName(tensor)))),
                      doing());
    files.push_back(file);
  }

  auto opened = readHeaders(folder, files);
  if (!opened)
    return failWith(std::move(opened));
  Catalog catalog = catalogOf(folder, std::move(*opened));
  if (auto once = checkTensorsOnce(catalog); !once)
    return failWith(std::move(once), doing());
  if (auto same = checkAgainstIndex(catalog, *index); !same)
    return failWith(std::move(same), doing());
  checkTotalSize(indexPath, *index, catalog, sink);
  return catalog;
}

} // namespace aoa::safetensors
