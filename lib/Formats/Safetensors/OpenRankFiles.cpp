//===- OpenRankFiles.cpp - Ranks' files read with a layout ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor's whole shape follows from the shapes that the ranks store; then the
// layout says where each stored shard belongs. Whatever the files say otherwise
// is a contradiction, reported for the rule that decides the tensor.
//===----------------------------------------------------------------------===//
#include "Safetensors/OpenFiles.h"
#include "Safetensors/RankFiles.h"
#include "Safetensors/UnreadFiles.h"
#include "ShownName.h"
#include "aoa/Catalog/ModelPlacement.h"
#include "aoa/Catalog/PlaceTensor.h"
#include "aoa/Catalog/StoredName.h"
#include "aoa/Catalog/UnusedRules.h"
#include "aoa/Formats/FormatsDiagnostics.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace aoa::safetensors {

namespace {

bool isEmpty(const Shape &shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

class RankFilesReader {
public:
  RankFilesReader(const Layout &layout, RankFiles files, DiagnosticSink &sink)
      : layout(layout), files(std::move(files)), sink(sink) {}

  Expected<Catalog> read(const std::string &folder);

private:
  /// Gives what the files hold the names of the tensors; returns whether there
  /// was no fault.
  bool renameStored();
  std::optional<std::string> tensorOf(const RankFile &file, const Entry &entry,
                                      TensorsByStoredName &tensors);
  void wrongStoredName(const RankFile &file, const Entry &entry,
                       std::string message);

  // One tensor's steps; each returns whether to go on.
  void readTensor(std::string_view name);
  bool checkDTypes(std::string_view name, const LayoutRule &rule, DType &dtype);
  std::optional<Placement> place(std::string_view name, const LayoutRule &rule,
                                 const std::vector<uint32_t> &holders,
                                 Shape &wholeShape);
  bool checkSharedFiles(std::string_view name, const LayoutRule &rule,
                        std::span<const Shard> shards);
  void setShards(Tensor &tensor, std::span<const Shard> shards);
  std::vector<LocalShape> localShapesOf(std::string_view name,
                                        const std::vector<uint32_t> &holders);

  /// Tensors of rules with `flatten` follow when all are known.
  struct FlatTensor {
    size_t index; ///< In the catalog.
    const LayoutRule *rule;
    std::vector<uint32_t> holders;
  };
  void placeFlatTensors();
  void placeFlatTensor(const FlatTensor &flat, const ShardList &shards);

  /// Reports a contradiction and returns false.
  bool contradict(const LayoutRule &rule, std::string message);

  /// Whether a holder's file is not there; then that is the fault.
  bool blameMissingFile(std::string_view name,
                        const std::vector<uint32_t> &holders);
  Expected<void> failForMissingFiles() const;

  std::string shownFile(uint32_t rank) const {
    return shownName(files.fileOfRank(rank).file);
  }

  const Layout &layout;
  RankFiles files;
  DiagnosticSink &sink;
  Catalog catalog;
  ShardLists shardLists;
  std::vector<FlatTensor> flatTensors;
  std::vector<StorageId> storageOfFile;
  std::vector<bool> isUsed; ///< By rule.

  /// What was expected of a file that does not exist.
  struct Missing {
    std::string firstTensor;
    size_t numTensors = 0;
  };
  std::map<uint32_t, Missing> missingFiles;
};

bool RankFilesReader::contradict(const LayoutRule &rule, std::string message) {
  sink.report({.kind = &diag::SourceContradiction,
               .range = rule.range,
               .message = std::move(message),
               .jsonPath = rule.path});
  return false;
}

bool RankFilesReader::blameMissingFile(std::string_view name,
                                       const std::vector<uint32_t> &holders) {
  std::set<uint32_t> lacking;
  for (uint32_t rank : holders)
    if (!files.fileOfRank(rank).header)
      lacking.insert(files.indexOfFile(rank));
  for (uint32_t file : lacking) {
    Missing &missing = missingFiles[file];
    if (missing.numTensors++ == 0)
      missing.firstTensor = name;
  }
  return !lacking.empty();
}

bool RankFilesReader::checkDTypes(std::string_view name, const LayoutRule &rule,
                                  DType &dtype) {
  std::span<const StoredPart> parts = files.partsOf(name);
  const RankFile &first = files.files[parts.front().file];
  dtype = parts.front().entry->dtype;
  for (const StoredPart &part : parts)
    if (part.entry->dtype != dtype) {
      const RankFile &other = files.files[part.file];
      return contradict(
          rule,
          fmt::format("{} is {} for rank {} in {}, but {} for rank {} in "
                      "{}",
                      shownName(name), nameOf(part.entry->dtype),
                      other.ranks.front(), shownName(other.file), nameOf(dtype),
                      first.ranks.front(), shownName(first.file)));
    }
  if (rule.dtype && *rule.dtype != dtype)
    return contradict(
        rule, fmt::format("{} is {} for rank {} in {}, but the layout says {}",
                          shownName(name), nameOf(dtype), first.ranks.front(),
                          shownName(first.file), nameOf(*rule.dtype)));
  if (auto scaled = checkScale(layout, rule, name, dtype); !scaled)
    return contradict(
        rule, fmt::format("{}: {}", shownName(name), scaled.error().str()));
  return true;
}

std::vector<LocalShape>
RankFilesReader::localShapesOf(std::string_view name,
                               const std::vector<uint32_t> &holders) {
  std::vector<LocalShape> localShapes;
  for (const StoredPart &part : files.partsOf(name))
    for (uint32_t rank : files.files[part.file].ranks)
      // A rank that holds nothing may say so.
      if (!isEmpty(part.entry->shape) ||
          std::binary_search(holders.begin(), holders.end(), rank))
        localShapes.push_back({rank, part.entry->shape});
  std::sort(
      localShapes.begin(), localShapes.end(),
      [](const LocalShape &a, const LocalShape &b) { return a.rank < b.rank; });
  return localShapes;
}

std::optional<Placement>
RankFilesReader::place(std::string_view name, const LayoutRule &rule,
                       const std::vector<uint32_t> &holders,
                       Shape &wholeShape) {
  std::vector<LocalShape> localShapes = localShapesOf(name, holders);
  Expected<Placement> placement =
      inferWholeShape(layout, rule, name, localShapes, wholeShape);
  if (placement)
    return std::move(*placement);
  if (!blameMissingFile(name, holders))
    contradict(rule, placement.error().str());
  return std::nullopt;
}

/// Whether ranks with one file hold the same shard: equal shapes alone would
/// make one of them read what is another's.
bool RankFilesReader::checkSharedFiles(std::string_view name,
                                       const LayoutRule &rule,
                                       std::span<const Shard> shards) {
  std::map<uint32_t, const Shard *> shardOfFile;
  for (const Shard &shard : shards)
    for (uint32_t rank : shard.ranks) {
      auto [place, isNew] =
          shardOfFile.try_emplace(files.indexOfFile(rank), &shard);
      if (!isNew && place->second != &shard)
        return contradict(
            rule,
            fmt::format("ranks {} and {} share the file {}, but hold different "
                        "parts of {}",
                        place->second->ranks.front(), rank, shownFile(rank),
                        shownName(name)));
    }
  return true;
}

/// One shard for each stored copy. Shards that are empty are left out, unless
/// the tensor is empty as a whole.
void RankFilesReader::setShards(Tensor &tensor, std::span<const Shard> placed) {
  struct Stored {
    Shard shard;
    ShardPlace place;
  };
  std::vector<Stored> stored;
  for (const Shard &shard : placed) {
    if (isEmpty(shard.localShape) && !isEmpty(tensor.shape))
      continue;
    std::map<uint32_t, size_t> copyInFile;
    for (uint32_t rank : shard.ranks) {
      const Entry *entry = files.find(tensor.name, rank);
      if (!entry)
        continue; // Empty: `inferWholeShape` missed nothing.
      uint32_t file = files.indexOfFile(rank);
      auto [place, isNew] = copyInFile.try_emplace(file, stored.size());
      if (!isNew) {
        stored[place->second].shard.ranks.push_back(rank);
        continue;
      }
      stored.push_back({.shard = {{rank},
                                  shard.localShape,
                                  shard.blocks,
                                  shard.strided,
                                  shard.scale},
                        .place = {storageOfFile[file], entry->atBytes}});
    }
  }
  std::sort(stored.begin(), stored.end(), [](const Stored &a, const Stored &b) {
    return a.shard.ranks.front() < b.shard.ranks.front();
  });
  std::vector<Shard> shards;
  for (Stored &copy : stored) {
    shards.push_back(std::move(copy.shard));
    tensor.places.push_back(copy.place);
  }
  tensor.shards = shardLists.intern(std::move(shards));
}

void RankFilesReader::readTensor(std::string_view name) {
  const LayoutRule *rule = layout.findRule(name);
  if (!rule) {
    const RankFile &file = files.files[files.partsOf(name).front().file];
    sink.report({.kind = &diag::SourceWithoutRule,
                 .range = {layout.file, 0, 0},
                 .message = fmt::format("{} in {} of rank {} is matched by no "
                                        "rule of the source layout",
                                        shownName(name), shownName(file.file),
                                        file.ranks.front())});
    return;
  }
  isUsed[rule - layout.rules.data()] = true;
  Expected<std::vector<uint32_t>> holders = ranksHolding(layout, *rule, name);
  if (!holders) {
    contradict(*rule,
               fmt::format("{}: {}", shownName(name), holders.error().str()));
    return;
  }
  Tensor tensor = {std::string(name), DType::BOOL, {}, {}};
  if (!checkDTypes(name, *rule, tensor.dtype))
    return;
  if (rule->flatten) {
    if (!rule->shape) {
      contradict(*rule, fmt::format("{} is flattened, but its rule does not "
                                    "say its whole `shape`",
                                    shownName(name)));
      return;
    }
    tensor.shape = *rule->shape;
    flatTensors.push_back({catalog.tensors.size(), rule, std::move(*holders)});
    catalog.tensors.push_back(std::move(tensor));
    return;
  }
  std::optional<Placement> placement =
      place(name, *rule, *holders, tensor.shape);
  if (!placement || !checkSharedFiles(name, *rule, placement->shards))
    return;
  setShards(tensor, placement->shards);
  catalog.tensors.push_back(std::move(tensor));
}

void RankFilesReader::placeFlatTensors() {
  std::vector<TensorToPlace> tensors;
  for (const FlatTensor &flat : flatTensors) {
    const Tensor &tensor = catalog.tensors[flat.index];
    tensors.push_back({tensor.name, tensor.shape, tensor.dtype});
  }
  ModelPlacement placement(layout, tensors);
  for (size_t i = 0; i != flatTensors.size(); ++i)
    if (const Expected<ShardList> &shards = placement.shardsOf(i))
      placeFlatTensor(flatTensors[i], *shards);
    else
      contradict(
          *flatTensors[i].rule,
          fmt::format("{} {} cannot be placed: {}", shownName(tensors[i].name),
                      formatShape(tensors[i].shape), shards.error().str()));
}

void RankFilesReader::placeFlatTensor(const FlatTensor &flat,
                                      const ShardList &shards) {
  Tensor &tensor = catalog.tensors[flat.index];
  Expected<void> checked =
      checkFragments(layout, tensor.name, tensor.shape, shards,
                     localShapesOf(tensor.name, flat.holders));
  if (checked) {
    if (checkSharedFiles(tensor.name, *flat.rule, shards.all()))
      setShards(tensor, shards.all());
  } else if (!blameMissingFile(tensor.name, flat.holders)) {
    contradict(*flat.rule, checked.error().str());
  }
}

void RankFilesReader::wrongStoredName(const RankFile &file, const Entry &entry,
                                      std::string message) {
  sink.report({.kind = &diag::SourceContradiction,
               .range = {layout.file, 0, 0},
               .message = fmt::format(
                   "{} in {} of rank {}: {}", shownName(entry.name),
                   shownName(file.file), file.ranks.front(), message)});
}

/// The tensor that a file's ranks store as `entry`; nothing where there is none
/// or, after a fault, where there are several.
std::optional<std::string>
RankFilesReader::tensorOf(const RankFile &file, const Entry &entry,
                          TensorsByStoredName &tensors) {
  std::optional<std::string> found;
  for (uint32_t rank : file.ranks) {
    auto tensor = tensors.tensorOf(entry.name, rank);
    if (!tensor) {
      wrongStoredName(file, entry, tensor.error().str());
      return std::nullopt;
    }
    if (!*tensor || found == **tensor)
      continue;
    if (found) {
      wrongStoredName(file, entry,
                      fmt::format("it is {} for one of the ranks that share "
                                  "the file, but {} for rank {}",
                                  shownName(*found), shownName(**tensor),
                                  rank));
      return std::nullopt;
    }
    found = std::move(**tensor);
  }
  // A rank may say of any tensor that it holds nothing.
  if (!found && !isEmpty(entry.shape))
    wrongStoredName(file, entry,
                    "by the source layout the rank holds no tensor that is "
                    "stored under this name");
  return found;
}

bool RankFilesReader::renameStored() {
  unsigned errorsBefore = sink.numErrors();
  TensorsByStoredName tensors(layout);
  RankFiles::Names names(files.files.size());
  for (size_t i = 0; i != files.files.size(); ++i) {
    const RankFile &file = files.files[i];
    if (!file.header)
      continue;
    std::map<std::string_view, const Entry *> storedAs;
    names[i].reserve(file.header->entries.size());
    for (const Entry &entry : file.header->entries) {
      names[i].push_back(tensorOf(file, entry, tensors));
      if (!names[i].back())
        continue;
      auto [other, isNew] = storedAs.try_emplace(*names[i].back(), &entry);
      if (!isNew)
        wrongStoredName(file, entry,
                        fmt::format("it is {}, which the file has as {} too",
                                    shownName(*names[i].back()),
                                    shownName(other->second->name)));
    }
  }
  if (sink.numErrors() != errorsBefore)
    return false;
  files.rename(std::move(names));
  return true;
}

Expected<void> RankFilesReader::failForMissingFiles() const {
  if (missingFiles.empty())
    return {};
  const auto &[index, missing] = *missingFiles.begin();
  const RankFile &file = files.files[index];
  std::string message = fmt::format(
      "{} does not exist, but by the source layout rank {} of {} holds {}",
      shownName(file.file), file.ranks.front(), layout.mesh.numRanks(),
      shownName(missing.firstTensor));
  if (missing.numTensors > 1)
    message += fmt::format(" and {} more tensors", missing.numTensors - 1);
  if (missingFiles.size() > 1)
    message +=
        fmt::format("; {} more files are missing", missingFiles.size() - 1);
  return fail(ErrorKind::Io, std::move(message));
}

Expected<Catalog> RankFilesReader::read(const std::string &folder) {
  catalog.root = folder;
  std::vector<const Header *> headers;
  for (const RankFile &file : files.files) {
    if (!file.header) {
      storageOfFile.emplace_back();
      continue;
    }
    storageOfFile.emplace_back(catalog.storages.size());
    catalog.storages.push_back(
        {file.file, file.header->fileBytes, file.header->fingerprint});
    headers.push_back(&*file.header);
  }
  catalog.metadata = agreedMetadata(headers);

  if (renamesTensors(layout) && !renameStored())
    return std::move(catalog);
  isUsed.assign(layout.rules.size(), false);
  std::vector<std::string_view> names = files.tensorNames();
  unsigned errorsBefore = sink.numErrors();
  for (std::string_view name : names)
    readTensor(name);
  // Where one is at fault the others of its buffer seem to be elsewhere.
  if (sink.numErrors() == errorsBefore)
    placeFlatTensors();
  if (auto complete = failForMissingFiles(); !complete)
    return failWith(std::move(complete));
  reportUnreadFiles(folder, files, layout.file, sink);
  reportUnusedRules(layout, isUsed, names, sink);
  return std::move(catalog);
}

} // namespace

Expected<Catalog> openRankFiles(const std::string &folder, const Layout &layout,
                                DiagnosticSink &sink) {
  Expected<RankFiles> files = RankFiles::read(folder, layout);
  if (!files)
    return failWith(std::move(files));
  return RankFilesReader(layout, std::move(*files), sink).read(folder);
}

} // namespace aoa::safetensors
