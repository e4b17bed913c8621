//===- TargetFiles.cpp - Which files the result becomes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "TargetFiles.h"

#include "aoa/Catalog/StoredName.h"
#include "aoa/Planner/ShardFiles.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>
#include <unordered_map>

using namespace aoa;
using namespace aoa::ir;

namespace {

class TargetFiles {
public:
  TargetFiles(const Program &program, const Target &target,
              int64_t maxShardBytes)
      : program(program), target(target), maxShardBytes(maxShardBytes) {}

  Expected<PlannedFiles> plan();
  std::vector<ShardFile> filesOf(uint32_t result) const;

private:
  /// Shards that go to one file because of one rank.
  struct Share {
    uint32_t rank;
    std::string file;
    std::vector<ShardRef> shards;
    /// What the file calls them, where some have other names than the results.
    std::vector<std::string> names = {};
  };

  /// Whether the result is a directory of files that sizes divide it into.
  bool isDirectory() const {
    return !target.layout &&
           (!target.list || (!target.isMap && isWholeOnOneRank()));
  }
  bool isWholeOnOneRank() const;
  bool listNamesFiles() const;
  Expected<PlannedFiles> planDirectory() const;
  std::vector<Share> sharesOfRanks() const;
  Expected<void> nameShards(std::vector<Share> &shares) const;
  std::vector<Share> sharesOfListedFiles() const;
  std::string fileOfRank(uint32_t rank) const;
  Expected<PlannedFiles> planShares(std::vector<Share> shares) const;
  Expected<void> checkSame(const Share &first, const Share &second) const;
  Expected<OutputFile> planFile(const Share &share) const;

  const Shard &shardOf(ShardRef ref) const {
    return program.results[ref.result].shards[ref.shard];
  }
  const std::string &nameOf(ShardRef ref) const {
    return program.results[ref.result].name;
  }
  OutputTensor outputTensor(ShardRef ref) const {
    const Result &result = program.results[ref.result];
    const auto &shape = shardOf(ref).localShape;
    return {result.name, program.value(result.value).dtype,
            Shape(shape.begin(), shape.end())};
  }
  /// Empty shards are not written, but for tensors that are empty as a whole.
  bool isWritten(ShardRef ref) const {
    return !llvm::is_contained(shardOf(ref).localShape, 0) ||
           llvm::is_contained(
               program.value(program.results[ref.result].value).shape, 0);
  }
  /// Calls `visit` for all shards that are written, by result.
  void forEachShard(llvm::function_ref<void(ShardRef)> visit) const {
    for (uint32_t result = 0; result < program.results.size(); ++result)
      if (!program.results[result].isCompared)
        for (uint32_t shard = 0; shard < program.results[result].shards.size();
             ++shard)
          if (ShardRef ref{result, shard}; isWritten(ref))
            visit(ref);
  }
  /// The storage that the list names for a shard; none if it does not.
  StorageId listedStorage(ShardRef ref) const {
    const Tensor *tensor = target.list->find(nameOf(ref));
    return tensor ? tensor->placeOf(ref.shard).storage : StorageId();
  }

  const Program &program;
  const Target &target;
  int64_t maxShardBytes;
};

Expected<PlannedFiles> TargetFiles::plan() {
  if (isDirectory())
    return planDirectory();
  if (target.list && listNamesFiles())
    return planShares(sharesOfListedFiles());
  std::vector<Share> shares = sharesOfRanks();
  if (target.layout && renamesTensors(*target.layout))
    if (Expected<void> named = nameShards(shares); !named)
      return failWith(std::move(named));
  return planShares(std::move(shares));
}

std::vector<ShardFile> TargetFiles::filesOf(uint32_t result) const {
  bool inDirectory = isDirectory();
  bool areListed = !inDirectory && target.list && listNamesFiles();
  std::vector<ShardFile> files;
  std::set<std::string> names;
  const ShardList &shards = program.results[result].shards;
  for (ShardRef ref{result, 0}; ref.shard < shards.size(); ++ref.shard) {
    if (!isWritten(ref))
      continue;
    const std::vector<uint32_t> &ranks = shards[ref.shard].ranks;
    if (inDirectory || areListed) {
      std::string file;
      if (areListed)
        file = target.list->storages[listedStorage(ref).index()].file;
      files.push_back(
          {ref.shard, ranks.empty() ? 0 : ranks.front(), std::move(file)});
      continue;
    }
    for (uint32_t rank : ranks)
      if (std::string file = fileOfRank(rank); names.insert(file).second)
        files.push_back({ref.shard, rank, std::move(file)});
  }
  return files;
}

bool TargetFiles::isWholeOnOneRank() const {
  std::optional<uint32_t> rank;
  for (const Result &result : program.results) {
    if (result.isCompared)
      continue;
    if (result.shards.size() != 1 || result.shards[0].ranks.size() != 1)
      return false;
    const Shard &shard = result.shards[0];
    const affine::Extents &shape = program.value(result.value).shape;
    bool isWhole =
        llvm::equal(shard.localShape, shape) && shard.scale == 1 &&
        (llvm::is_contained(shape, 0) ||
         (shard.blocks.size() == 1 &&
          llvm::ArrayRef(shard.blocks[0].shape) == llvm::ArrayRef(shape)));
    if (!isWhole || rank.value_or(shard.ranks[0]) != shard.ranks[0])
      return false;
    rank = shard.ranks[0];
  }
  return true;
}

bool TargetFiles::listNamesFiles() const {
  bool all = true;
  forEachShard([&](ShardRef ref) {
    StorageId storage = listedStorage(ref);
    all = all && !storage.isNone() &&
          llvm::StringRef(target.list->storages[storage.index()].file)
              .ends_with(".safetensors");
  });
  return all;
}

Expected<PlannedFiles> TargetFiles::planDirectory() const {
  std::vector<ShardRef> shards;
  std::vector<OutputTensor> tensors;
  forEachShard([&](ShardRef ref) {
    shards.push_back(ref);
    tensors.push_back(outputTensor(ref));
  });
  Expected<OutputFiles> output =
      planHuggingFaceOutput(tensors, program.source->metadata, maxShardBytes);
  if (!output)
    return failWith(std::move(output));

  PlannedFiles planned;
  planned.indexes = std::move(output->indexes);
  for (OutputFile &image : output->files) {
    PlannedFile file;
    for (uint32_t &tensor : image.tensors) {
      file.shards.push_back(shards[tensor]);
      tensor = file.shards.size() - 1;
    }
    file.image = std::move(image);
    planned.files.push_back(std::move(file));
  }
  return planned;
}

std::string TargetFiles::fileOfRank(uint32_t rank) const {
  if (target.layout)
    return target.layout->files.fileOf(rank, target.layout->mesh);
  std::string digits = std::to_string(rank);
  if (digits.size() < 5)
    digits.insert(0, 5 - digits.size(), '0');
  return "rank_" + digits + ".safetensors";
}

std::vector<TargetFiles::Share> TargetFiles::sharesOfRanks() const {
  std::map<uint32_t, std::vector<ShardRef>> byRank;
  forEachShard([&](ShardRef ref) {
    for (uint32_t rank : shardOf(ref).ranks)
      byRank[rank].push_back(ref);
  });
  std::vector<Share> shares;
  for (auto &[rank, shards] : byRank)
    shares.push_back({rank, fileOfRank(rank), std::move(shards)});
  return shares;
}

/// Sets the names that `stored_as` gives.
Expected<void> TargetFiles::nameShards(std::vector<Share> &shares) const {
  const Layout &layout = *target.layout;
  std::vector<std::optional<StoredNames>> namesOf(program.results.size());
  for (Share &share : shares)
    for (ShardRef ref : share.shards) {
      const std::string &name = nameOf(ref);
      std::optional<StoredNames> &names = namesOf[ref.result];
      if (!names) {
        const LayoutRule *rule = layout.findRule(name);
        assert(rule && "it was placed by one");
        names.emplace(layout, *rule, name);
      }
      Expected<std::string_view> stored = names->onRank(share.rank);
      if (!stored)
        return failWith(std::move(stored));
      share.names.emplace_back(*stored);
    }
  return {};
}

std::vector<TargetFiles::Share> TargetFiles::sharesOfListedFiles() const {
  std::map<std::string, Share> byFile;
  forEachShard([&](ShardRef ref) {
    const std::string &file =
        target.list->storages[listedStorage(ref).index()].file;
    Share &share = byFile[file];
    share.file = file;
    const std::vector<uint32_t> &ranks = shardOf(ref).ranks;
    share.rank = ranks.empty() ? 0 : ranks.front();
    share.shards.push_back(ref);
  });
  std::vector<Share> shares;
  for (auto &[file, share] : byFile)
    shares.push_back(std::move(share));
  return shares;
}

Expected<PlannedFiles>
TargetFiles::planShares(std::vector<Share> shares) const {
  std::unordered_map<std::string, size_t> firstOf;
  PlannedFiles planned;
  for (size_t i = 0; i < shares.size(); ++i) {
    auto [known, isNew] = firstOf.try_emplace(shares[i].file, i);
    if (!isNew) {
      if (Expected<void> same = checkSame(shares[known->second], shares[i]);
          !same)
        return failWith(std::move(same));
      continue;
    }
    Expected<OutputFile> image = planFile(shares[i]);
    if (!image)
      return failWith(std::move(image));
    planned.files.push_back(
        {std::move(*image), shares[i].shards, shares[i].rank});
  }
  return planned;
}

Expected<void> TargetFiles::checkSame(const Share &first,
                                      const Share &second) const {
  auto differ = [&](ShardRef ref) {
    return fail(ErrorKind::Mismatch,
                "ranks " + std::to_string(first.rank) + " and " +
                    std::to_string(second.rank) + " both write `" + first.file +
                    "`, but hold different data of `" + nameOf(ref) + "`");
  };
  for (size_t i = 0; i < std::min(first.shards.size(), second.shards.size());
       ++i) {
    ShardRef a = first.shards[i], b = second.shards[i];
    if (a.result != b.result)
      return differ(a.result < b.result ? a : b);
    if (!first.names.empty() && first.names[i] != second.names[i])
      return fail(ErrorKind::Mismatch,
                  "ranks " + std::to_string(first.rank) + " and " +
                      std::to_string(second.rank) + " both write `" +
                      first.file + "`, but store `" + nameOf(a) + "` as `" +
                      first.names[i] + "` and as `" + second.names[i] + "`");
    const Shard &left = shardOf(a), &right = shardOf(b);
    if (a.shard != b.shard &&
        (left.localShape != right.localShape || left.scale != right.scale ||
         left.blocks != right.blocks || left.strided != right.strided))
      return differ(a);
  }
  size_t common = std::min(first.shards.size(), second.shards.size());
  if (first.shards.size() != second.shards.size())
    return differ(first.shards.size() > common ? first.shards[common]
                                               : second.shards[common]);
  return {};
}

Expected<OutputFile> TargetFiles::planFile(const Share &share) const {
  std::vector<OutputTensor> tensors;
  for (size_t i = 0; i < share.shards.size(); ++i) {
    if (i > 0 && share.shards[i].result == share.shards[i - 1].result)
      return fail(ErrorKind::Mismatch, "`" + share.file +
                                           "` would hold two shards of `" +
                                           nameOf(share.shards[i]) + "`");
    tensors.push_back(outputTensor(share.shards[i]));
    if (!share.names.empty())
      tensors.back().name = share.names[i];
  }
  return planSingleFile(share.file, tensors, program.source->metadata);
}

} // namespace

Expected<PlannedFiles> aoa::planTargetFiles(const Program &program,
                                            const Target &target,
                                            int64_t maxShardBytes) {
  return TargetFiles(program, target, maxShardBytes).plan();
}

std::vector<ShardFile> aoa::filesOfShards(const Program &program,
                                          const Target &target,
                                          uint32_t result) {
  return TargetFiles(program, target, /*maxShardBytes=*/0).filesOf(result);
}
