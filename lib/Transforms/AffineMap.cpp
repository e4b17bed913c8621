//===- AffineMap.cpp - A target as an affine map ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/AffineMap.h"

#include "aoa/Affine/Digits.h"
#include "aoa/Affine/Fold.h"
#include "aoa/Affine/Holders.h"
#include "aoa/Catalog/AffineMapJson.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Transforms/ShardPieces.h"

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
  /// Returns the pieces as boxes of the tensor.
  PieceSet asDigitBoxes(const PieceSet &pieces, const Digits &digits) const;
  /// Cuts boxes at each other's bounds until such that meet are equal: replicas
  /// with other bounds in another rank are none to DeepSpeed's planner.
  PieceSet cutAlike(PieceSet boxes, const Digits &digits) const;
  /// Adds a box of the tensor as a block, if it is a box of the shard.
  bool addBox(const PieceRef &box);

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

PieceSet MapShards::asDigitBoxes(const PieceSet &pieces,
                                 const Digits &digits) const {
  PieceSet boxes;
  for (size_t i = 0; i < pieces.size(); ++i)
    forEachDigitBox(pieces[i], Side::Dst, digits, [&](const DigitBox &box) {
      Piece piece;
      piece.dst.offset = 0;
      piece.src.offset = box.otherOffset;
      for (unsigned digit = 0; digit < digits.size(); ++digit) {
        piece.shape.push_back(box.extent[digit]);
        piece.dst.strides.push_back(digits.stride(digit));
        piece.dst.offset += box.low[digit] * digits.stride(digit);
        piece.src.strides.push_back(box.otherStrides[digit]);
      }
      // What is seen more than once is no box: the strides say so.
      for (auto [extent, stride] : llvm::zip(box.repeats, box.repeatStrides)) {
        piece.shape.push_back(extent);
        piece.dst.strides.push_back(0);
        piece.src.strides.push_back(stride);
      }
      boxes.add(piece, pieces[i].tag);
    });
  return boxes;
}

PieceSet MapShards::cutAlike(PieceSet boxes, const Digits &digits) const {
  // Where all elements of every box are in the same boxes, boxes that meet are
  // equal. Each box is a holder of its own.
  for (;;) {
    std::vector<PieceSet::Tag> shardOf;
    std::vector<uint32_t> numbers;
    for (PieceSet::Entry &entry : boxes.entries()) {
      numbers.push_back(shardOf.size());
      shardOf.push_back(std::exchange(entry.tag, numbers.back()));
    }
    RankSets sets;
    PieceSet cut =
        splitHomogeneous(
            boxes, Side::Dst,
            [&](PieceSet::Tag box) { return llvm::ArrayRef(numbers[box]); },
            sets)
            .pieces;
    bool isDone = cut.size() == boxes.size();
    for (PieceSet::Entry &entry : cut.entries())
      entry.tag = shardOf[entry.tag];
    if (isDone)
      return cut;
    boxes = asDigitBoxes(cut, digits);
  }
}

bool MapShards::addBox(const PieceRef &box) {
  Shard &shard = made[box.tag];
  if (shard.localShape.size() != shape.size())
    return false;
  StridedBlock block = asStridedBlock(box);
  std::optional<Block> asBox = asBlock(block, full, shard.localShape);
  if (asBox)
    shard.blocks.push_back(std::move(*asBox));
  return asBox.has_value();
}

Expected<std::vector<Shard>> MapShards::cutInBoxes() {
  Digits digits = Digits::ofShape(shape);
  PieceSet boxes =
      cutAlike(asDigitBoxes(shardPieces(shards, shape), digits), digits);
  for (size_t i = 0; i < boxes.size(); ++i)
    if (!addBox(boxes[i])) {
      const Shard &shard = made[boxes[i].tag];
      return fail(ErrorKind::Unsupported,
                  "rank " + std::to_string(shard.ranks.front()) +
                      " holds from element " +
                      formatShape(indexOf(boxes[i].dstOffset, shape)) +
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
    if (result.leftToCaller || result.isCompared)
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
