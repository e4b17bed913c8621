//===- AffineMap.cpp - A target as an affine map ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/AffineMap.h"

#include "ShardPieces.h"
#include "aoa/Affine/Digits.h"
#include "aoa/Affine/Fold.h"
#include "aoa/Affine/Holders.h"
#include "aoa/Catalog/AffineMapJson.h"
#include "aoa/Catalog/StridedBlocks.h"

using namespace aoa;
using namespace aoa::affine;

namespace {
/// Makes the shards of one tensor as they shall be printed.
class MapShards {
public:
  MapShards(const ShardList &shards, llvm::ArrayRef<int64_t> shape)
      : shards(shards), shape(shape), full(shape.begin(), shape.end()) {
    for (const Shard &shard : shards)
      made.push_back({.ranks = shard.ranks,
                      .localShape = shard.localShape,
                      .scale = shard.scale});
  }

  std::vector<Shard> fold();
  Expected<std::vector<Shard>> cutInBoxes();

private:
  /// Adds a box of the tensor's digits as a block, if it is a box of the shard.
  bool addBox(Shard &shard, const Digits &digits, const DigitBox &box);

  const ShardList &shards;
  llvm::ArrayRef<int64_t> shape;
  Shape full;
  std::vector<Shard> made;
};

std::vector<Shard> MapShards::fold() {
  // Pieces of one shard fold only with those of the same holders.
  PieceSet pieces = shardPieces(shards, shape);
  RankSets rankSets;
  HomogeneousSet set = splitHomogeneous(
      pieces, Side::Dst,
      [&](PieceSet::Tag shard) { return llvm::ArrayRef(shards[shard].ranks); },
      rankSets);
  std::vector<uint32_t> shardOf;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> tags;
  for (size_t i = 0; i < set.pieces.size(); ++i) {
    PieceSet::Entry &entry = set.pieces.entries()[i];
    uint32_t shard = entry.tag;
    auto [tag, isNew] = tags.try_emplace(
        {shard, static_cast<uint32_t>(set.holders[i].index())}, tags.size());
    if (isNew)
      shardOf.push_back(shard);
    entry.tag = tag->second;
  }
  affine::fold(set.pieces);
  for (size_t i = 0; i < set.pieces.size(); ++i)
    made[shardOf[set.pieces[i].tag]].strided.push_back(
        asStridedBlock(set.pieces[i]));
  return std::move(made);
}

bool MapShards::addBox(Shard &shard, const Digits &digits,
                       const DigitBox &box) {
  if (shard.localShape.size() != shape.size() || !box.repeats.empty())
    return false;
  StridedBlock block;
  Extents fullStrides = rowMajorStrides(shape);
  Extents localStrides = rowMajorStrides(shard.localShape);
  block.shardOffset = box.otherOffset;
  for (size_t dim = 0, digit = 0; dim < shape.size(); ++dim) {
    bool hasDigit = shape[dim] > 1;
    block.shape.push_back(hasDigit ? box.extent[digit] : 1);
    block.fullStrides.push_back(fullStrides[dim]);
    if (hasDigit)
      block.fullOffset += box.low[digit] * digits.stride(digit);
    block.shardStrides.push_back(hasDigit && box.extent[digit] > 1
                                     ? box.otherStrides[digit]
                                     : localStrides[dim]);
    digit += hasDigit;
  }
  std::optional<Block> asBox = asBlock(block, full, shard.localShape);
  if (asBox)
    shard.blocks.push_back(std::move(*asBox));
  return asBox.has_value();
}

Expected<std::vector<Shard>> MapShards::cutInBoxes() {
  Digits digits = Digits::ofShape(shape);
  PieceSet pieces = shardPieces(shards, shape);
  for (size_t i = 0; i < pieces.size(); ++i) {
    Shard &shard = made[pieces[i].tag];
    bool isBox = true;
    forEachDigitBox(pieces[i], Side::Dst, digits, [&](const DigitBox &box) {
      isBox = isBox && addBox(shard, digits, box);
    });
    if (!isBox)
      return fail(ErrorKind::Unsupported,
                  "rank " + std::to_string(shard.ranks.front()) +
                      " holds from element " +
                      formatShape(indexOf(pieces[i].dstOffset, shape)) +
                      " on a piece that is no box of its shard " +
                      formatShape(shard.localShape) +
                      "; without --boxes a "
                      "map can say it");
  }
  return std::move(made);
}
} // namespace

Expected<std::string> aoa::printAffineMap(const ir::Program &program,
                                          AffineMapForm form) {
  std::vector<Tensor> tensors;
  for (const ir::Result &result : program.results) {
    if (result.leftToCaller)
      continue;
    const ir::Value &value = program.value(result.value);
    MapShards shards(result.shards, value.shape);
    Expected<std::vector<Shard>> made =
        form == AffineMapForm::Boxes ? shards.cutInBoxes() : shards.fold();
    if (!made)
      return failWith(std::move(made), "`" + result.name + "`");
    tensors.push_back({.name = result.name,
                       .dtype = value.dtype,
                       .shape = Shape(value.shape.begin(), value.shape.end()),
                       .shards = ShardList(std::move(*made))});
  }
  return printAffineMap(tensors);
}
