//===- PlaceAll.cpp - Who holds which element -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the files of all ranks hold: by the rules of a layout (PlaceByRule.h),
// in flat buffers (PlaceFlat.h), or as the shards of a list say.
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "PlaceByRule.h"
#include "PlaceFlat.h"
#include "StridedElements.h"
#include "aoa/Reference/Evaluate.h"
#include "aoa/Support/CheckedMath.h"

#include <bit>
#include <cstring>
#include <numeric>

using namespace aoa;
using namespace aoa::reference;

using Files = std::map<std::string, Tensors>;

static std::unexpected<Error> mismatch(const std::string &what) {
  return fail(ErrorKind::Mismatch, what);
}

namespace {

bool isEmpty(const Shape &shape) {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

/// Adds a shard to a rank's file, where a replica may stand already.
Expected<bool> put(Files &files, const std::string &file,
                   const std::string &name, WholeTensor shard) {
  auto [it, isNew] = files[file].try_emplace(name, shard);
  if (!isNew &&
      (it->second.dtype != shard.dtype || it->second.shape != shard.shape ||
       it->second.bytes != shard.bytes))
    return mismatch("ranks that share `" + file + "` hold different `" + name +
                    "`");
  return true;
}

Expected<bool> placeByRule(Files &files, const Layout &layout,
                           const LayoutRule &rule, const std::string &name,
                           const WholeTensor &tensor) {
  for (int64_t rank = 0; rank != layout.mesh.numRanks(); ++rank) {
    auto shard = localShard(layout, rule, name, tensor, rank);
    if (!shard)
      return failWith(std::move(shard));
    if (!*shard || (isEmpty((*shard)->shape) && !isEmpty(tensor.shape)))
      continue;
    auto stored = nameInFile(layout, rule, name, rank);
    if (!stored)
      return failWith(std::move(stored));
    if (auto done = put(files, layout.files.fileOf(rank, layout.mesh), *stored,
                        std::move(**shard));
        !done)
      return done;
  }
  return true;
}

Expected<bool> placeByLayout(Files &files, const Layout &layout,
                             const Tensors &results) {
  std::vector<FlatTensor> flat;
  for (const auto &[name, tensor] : results) {
    const LayoutRule *rule = layout.findRule(name);
    if (!rule)
      return mismatch("no rule fits `" + name + "`");
    if (rule->flatten) {
      if (!hasWholeBytes(tensor.dtype))
        return mismatch("`" + name +
                        "` has elements of less than a byte and "
                        "is flattened");
      flat.push_back({rule, name, &tensor});
      continue;
    }
    if (auto done = placeByRule(files, layout, *rule, name, tensor); !done)
      return failWith(std::move(done), "placing `" + name + "`");
  }
  return placeFlat(
      layout, std::move(flat),
      [&](const FlatTensor &of, int64_t rank) {
        return localShard(layout, *of.rule, of.name, *of.tensor, rank);
      },
      [&](int64_t rank, const std::string &name,
          WholeTensor fragment) -> Expected<bool> {
        auto stored = nameInFile(layout, *layout.findRule(name), name, rank);
        if (!stored)
          return failWith(std::move(stored));
        return put(files, layout.files.fileOf(rank, layout.mesh), *stored,
                   std::move(fragment));
      });
}

Expected<WholeTensor> shardOfBlocks(const WholeTensor &tensor,
                                    const Shard &shard) {
  bool isWhole = shard.localShape == tensor.shape &&
                 shard.blocks == wholeShard(tensor.shape).blocks &&
                 shard.strided.empty() && shard.scale == 1;
  if (isWhole)
    return tensor;
  if (!hasWholeBytes(tensor.dtype))
    return mismatch("elements of less than a byte are cut");
  WholeTensor local{tensor.dtype, shard.localShape, {}};
  local.bytes.resize(
      checkedSizeBytes(tensor.dtype, shard.localShape).value_or(0));
  for (const Block &block : shard.blocks)
    forEachIndex(block.shape, [&](const Index &index) {
      Index from = index, to = index;
      for (size_t dim = 0; dim != index.size(); ++dim) {
        from[dim] += block.fullOffset[dim];
        to[dim] += block.localOffset[dim];
      }
      copyElement(tensor, placeOf(from, tensor.shape), local,
                  placeOf(to, shard.localShape), shard.scale);
    });
  for (const StridedBlock &block : shard.strided)
    forEachIndex(block.shape, [&](const Index &index) {
      copyElement(
          tensor, addressOf(index, block.fullOffset, block.fullStrides), local,
          addressOf(index, block.shardOffset, block.shardStrides), shard.scale);
    });
  return local;
}

/// The shards of a list that are written, with their tensor.
struct ListedShard {
  const std::string *name;
  const WholeTensor *tensor;
  Shard shard;
  StorageId storage;
};

Expected<std::vector<ListedShard>> shardsOfList(const Tensors &results,
                                                const Catalog &list) {
  std::vector<ListedShard> all;
  for (const auto &[name, tensor] : results) {
    const Tensor *listed = list.find(name);
    if (!listed)
      return mismatch("`" + name + "` is not listed");
    if (listed->shards.empty()) {
      ListedShard whole{&name, &tensor, {}, {}};
      whole.shard = wholeShard(tensor.shape);
      all.push_back(std::move(whole));
    }
    for (size_t i = 0; i != listed->shards.size(); ++i)
      if (const Shard &shard = listed->shards[i];
          !isEmpty(shard.localShape) || isEmpty(tensor.shape))
        all.push_back({&name, &tensor, shard, listed->placeOf(i).storage});
  }
  return all;
}

std::string fileOfRank(uint32_t rank) {
  std::string number = std::to_string(rank);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
  return "rank_" + number + ".safetensors";
}

/// A list that has everything whole on one rank is written like a full target;
/// one that says its files is written into those, any other rank by rank.
Expected<Files> placeByList(const Tensors &results, const Catalog &list) {
  auto shards = shardsOfList(results, list);
  if (!shards)
    return failWith(std::move(shards));
  bool onOneRank = true, namesFiles = true;
  for (const auto &[name, tensor, shard, storage] : *shards) {
    onOneRank &= shard.localShape == tensor->shape && shard.ranks.size() == 1 &&
                 shard.blocks == wholeShard(tensor->shape).blocks &&
                 shard.strided.empty() && shard.scale == 1 &&
                 shard.ranks == shards->front().shard.ranks;
    namesFiles &= !storage.isNone() &&
                  list.storages[storage.index()].file.ends_with(".safetensors");
  }
  onOneRank &= shards->size() == results.size();
  Files files;
  for (const auto &[name, tensor, shard, storage] : *shards) {
    auto local = shardOfBlocks(*tensor, shard);
    if (!local)
      return failWith(std::move(local), "placing `" + *name + "`");
    std::vector<std::string> into;
    if (onOneRank)
      into = {""};
    else if (namesFiles)
      into = {list.storages[storage.index()].file};
    else
      for (uint32_t rank : shard.ranks)
        into.push_back(fileOfRank(rank));
    for (const std::string &file : into)
      if (auto done = put(files, file, *name, *local); !done)
        return failWith(std::move(done), "placing `" + *name + "`");
  }
  return files;
}

} // namespace

Expected<Files> reference::placeAll(const Tensors &results,
                                    const Target &target) {
  Files files;
  if (!target.layout && !target.list) {
    files[""] = results;
    return files;
  }
  if (target.list)
    return placeByList(results, *target.list);
  if (auto done = placeByLayout(files, *target.layout, results); !done)
    return failWith(std::move(done));
  return files;
}
