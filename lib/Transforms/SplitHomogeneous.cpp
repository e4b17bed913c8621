//===- SplitHomogeneous.cpp - Shards cut where holders change ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Where the shards of a target overlap in part (key and value heads held by
// several ranks, queries by one), their pieces are cut so that all elements of
// one have the same holders. The shards hold what they held.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Holders.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Transforms/Pass.h"
#include "aoa/Transforms/ShardPieces.h"

#include <map>

using namespace aoa;
using namespace aoa::affine;

/// Returns the shards with their blocks cut; as they are where none was.
static ShardList cutWhereHoldersChange(const ShardList &shards,
                                       llvm::ArrayRef<int64_t> shape) {
  PieceSet whole = shardPieces(shards, shape);
  RankSets rankSets;
  auto holdersOf = [&](PieceSet::Tag shard) {
    return llvm::ArrayRef(shards[shard].ranks);
  };
  PieceSet cut = splitHomogeneous(whole, Side::Dst, holdersOf, rankSets).pieces;
  if (cut.size() == whole.size())
    return shards;
  std::vector<Shard> result;
  for (const Shard &shard : shards)
    result.push_back({.ranks = shard.ranks,
                      .localShape = shard.localShape,
                      .scale = shard.scale});
  Shape full(shape.begin(), shape.end());
  for (size_t i = 0; i < cut.size(); ++i) {
    Expected<void> added =
        addPiece(result[cut[i].tag], full, asStridedBlock(cut[i]));
    assert(added && "a part of a block lies where the block does");
    (void)added;
  }
  return ShardList(std::move(result));
}

void aoa::splitHomogeneous(ir::Program &program, PassContext &) {
  std::map<std::pair<const void *, Extents>, ShardList> known;
  std::vector<ShardList> kept; // Identities stay theirs.
  for (ir::Result &result : program.results) {
    if (result.shards.size() < 2)
      continue;
    const Extents &shape = program.value(result.value).shape;
    auto [entry, isNew] = known.try_emplace({result.shards.identity(), shape});
    if (isNew)
      entry->second = cutWhereHoldersChange(result.shards, shape);
    kept.push_back(result.shards);
    result.shards = entry->second;
  }
}
