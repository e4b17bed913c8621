//===- MadeFiles.cpp - Which files a made checkpoint has --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "MakeCheckpoint/MadeFiles.h"

#include "ShownName.h"
#include "aoa/Catalog/ModelPlacement.h"
#include "aoa/Catalog/StoredName.h"

#include <algorithm>
#include <fmt/format.h>

namespace aoa {

namespace {

bool isEmpty(const Shape &shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

bool isWhole(const Shard &shard, const Tensor &tensor) {
  return shard.localShape == tensor.shape && shard.strided.empty() &&
         shard.blocks == wholeShard(tensor.shape).blocks;
}

Expected<MadeFiles> planWholeFiles(const Catalog &catalog,
                                   int64_t maxShardBytes) {
  std::vector<OutputTensor> tensors;
  for (const Tensor &tensor : catalog.tensors)
    tensors.push_back({tensor.name, tensor.dtype, tensor.shape});
  Expected<OutputFiles> output =
      planHuggingFaceOutput(tensors, {}, maxShardBytes);
  if (!output)
    return failWith(std::move(output));
  MadeFiles made;
  made.indexes = std::move(output->indexes);
  for (OutputFile &file : output->files) {
    std::vector<MadePart> parts;
    for (uint32_t tensor : file.tensors)
      parts.push_back({tensor, wholeShard(catalog.tensors[tensor].shape),
                       catalog.tensors[tensor].name});
    made.files.push_back({std::move(file), std::move(parts)});
  }
  return made;
}

/// Places the tensors of a catalog into the files of a layout's ranks.
class RankFilePlanner {
public:
  RankFilePlanner(const Catalog &catalog, const Layout &layout)
      : catalog(catalog), layout(layout) {
    for (int64_t rank = 0; rank != layout.mesh.numRanks(); ++rank)
      ranksOfFile[layout.files.fileOf(rank, layout.mesh)].push_back(
          static_cast<uint32_t>(rank));
  }

  Expected<MadeFiles> plan() {
    std::vector<TensorToPlace> tensorsToPlace;
    for (const Tensor &tensor : catalog.tensors)
      tensorsToPlace.push_back({tensor.name, tensor.shape, tensor.dtype});
    ModelPlacement placement(layout, tensorsToPlace);
    for (uint32_t tensor = 0; tensor != catalog.tensors.size(); ++tensor)
      if (auto placed = place(tensor, placement); !placed)
        return failWith(
            std::move(placed),
            fmt::format("placing {}", shownName(catalog.tensors[tensor].name)));
    MadeFiles made;
    for (auto &[name, parts] : partsOfFile) {
      if (auto checked = sortByStoredName(name, parts); !checked)
        return failWith(std::move(checked));
      std::vector<OutputTensor> tensors;
      for (const MadePart &part : parts)
        tensors.push_back({part.name, catalog.tensors[part.tensor].dtype,
                           part.shard.localShape});
      Expected<OutputFile> file = planSingleFile(name, tensors, {});
      if (!file)
        return failWith(std::move(file));
      made.files.push_back({std::move(*file), std::move(parts)});
    }
    return made;
  }

private:
  Expected<void> sortByStoredName(const std::string &file,
                                  std::vector<MadePart> &parts) const {
    std::ranges::sort(parts, {}, &MadePart::name);
    auto twice = std::ranges::adjacent_find(parts, {}, &MadePart::name);
    if (twice == parts.end())
      return {};
    return fail(
        ErrorKind::Mismatch,
        fmt::format("{} and {} would both be stored as {} in {}",
                    shownName(catalog.tensors[twice->tensor].name),
                    shownName(catalog.tensors[(twice + 1)->tensor].name),
                    shownName(twice->name), shownName(file)));
  }

  Expected<void> place(uint32_t index, const ModelPlacement &placement) {
    const Tensor &tensor = catalog.tensors[index];
    const LayoutRule *rule = placement.ruleOf(index);
    if (!rule)
      return fail(ErrorKind::Format, "no rule of the layout matches it");
    if (rule->dtype && *rule->dtype != tensor.dtype)
      return fail(ErrorKind::Format,
                  fmt::format("it is {}, but {} says {}", nameOf(tensor.dtype),
                              rule->path, nameOf(*rule->dtype)));
    if (rule->shape && *rule->shape != tensor.shape)
      return fail(ErrorKind::Format,
                  fmt::format("it is {}, but {} says {}",
                              formatShape(tensor.shape), rule->path,
                              formatShape(*rule->shape)));
    if (auto scaled = checkScale(layout, *rule, tensor.name, tensor.dtype);
        !scaled)
      return scaled;
    if (rule->padValue != 0)
      return fail(ErrorKind::Unsupported,
                  "only padding with zeros can be made");
    const Expected<ShardList> &shards = placement.shardsOf(index);
    if (!shards)
      return std::unexpected(shards.error());

    std::map<uint32_t, const Shard *> shardOfRank;
    for (const Shard &shard : *shards)
      if (!isEmpty(shard.localShape) || isEmpty(tensor.shape)) {
        if (!hasWholeBytes(tensor.dtype) && !isWhole(shard, tensor))
          return fail(
              ErrorKind::Unsupported,
              fmt::format("{} can be made whole only", nameOf(tensor.dtype)));
        for (uint32_t rank : shard.ranks)
          shardOfRank[rank] = &shard;
      }
    StoredNames names(layout, *rule, tensor.name);
    for (const auto &[file, ranks] : ranksOfFile) {
      auto shardOf = [&](uint32_t rank) {
        auto found = shardOfRank.find(rank);
        return found == shardOfRank.end() ? nullptr : found->second;
      };
      const Shard *shard = shardOf(ranks.front());
      for (uint32_t rank : ranks)
        if (shardOf(rank) != shard)
          return fail(ErrorKind::Format,
                      fmt::format("ranks {} and {} share the file {}, but hold "
                                  "different parts",
                                  ranks.front(), rank, shownName(file)));
      if (!shard)
        continue;
      Expected<std::string_view> name = names.onRank(ranks.front());
      for (uint32_t rank : ranks)
        if (name && names.decider())
          if (auto other = names.onRank(rank); !other || *other != *name)
            return fail(ErrorKind::Format,
                        fmt::format("ranks {} and {} share the file {}, but "
                                    "store it under different names",
                                    ranks.front(), rank, shownName(file)));
      if (!name)
        return failWith(std::move(name));
      partsOfFile[file].push_back({index, *shard, std::string(*name)});
    }
    return {};
  }

  const Catalog &catalog;
  const Layout &layout;
  std::map<std::string, std::vector<uint32_t>> ranksOfFile;
  std::map<std::string, std::vector<MadePart>> partsOfFile;
};

} // namespace

Expected<MadeFiles> planMadeFiles(const Catalog &catalog,
                                  const MakeCheckpointOptions &options) {
  constexpr int64_t maxRanks = int64_t(1) << 20;
  if (!options.layout)
    return planWholeFiles(catalog, options.maxShardBytes);
  if (options.layout->mesh.numRanks() > maxRanks)
    return fail(ErrorKind::Limit,
                fmt::format("the layout has {} ranks, more than the {} that "
                            "can be made",
                            options.layout->mesh.numRanks(), maxRanks));
  return RankFilePlanner(catalog, *options.layout).plan();
}

} // namespace aoa
