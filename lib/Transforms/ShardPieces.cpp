//===- ShardPieces.cpp - Shards as pieces of their tensor -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/ShardPieces.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::affine;

namespace {
class ShardPieceMaker {
public:
  explicit ShardPieceMaker(llvm::ArrayRef<int64_t> shape)
      : shape(shape), fullStrides(rowMajorStrides(shape)) {}

  void add(const Shard &shard, PieceSet::Tag tag) {
    if (shard.localShape != lastLocalShape) {
      lastLocalShape = shard.localShape;
      localStrides = rowMajorStrides(shard.localShape);
    }
    for (const Block &block : shard.blocks) {
      Piece piece{Extents(block.shape.begin(), block.shape.end()),
                  {addressOf(block.localOffset, localStrides), localStrides},
                  {addressOf(block.fullOffset, fullStrides), fullStrides}};
      pieces.add(foldDims(piece), tag);
    }
    for (const StridedBlock &block : shard.strided) {
      Piece piece{Extents(block.shape.begin(), block.shape.end()),
                  {block.shardOffset, extents(block.shardStrides)},
                  {block.fullOffset, extents(block.fullStrides)}};
      pieces.add(foldDims(piece), tag);
    }
  }

  PieceSet pieces;

private:
  static Extents extents(const Shape &numbers) {
    return Extents(numbers.begin(), numbers.end());
  }
  static int64_t addressOf(const Shape &offset, const Extents &strides) {
    int64_t address = 0;
    for (size_t i = 0; i < offset.size(); ++i)
      address += offset[i] * strides[i];
    return address;
  }

  llvm::ArrayRef<int64_t> shape;
  Extents fullStrides;
  Shape lastLocalShape;
  Extents localStrides; ///< Of lastLocalShape.
};
} // namespace

PieceSet aoa::shardPieces(const ShardList &shards,
                          llvm::ArrayRef<int64_t> shape) {
  ShardPieceMaker maker(shape);
  maker.pieces.reserve(shards.size());
  for (size_t i = 0; i < shards.size(); ++i)
    maker.add(shards[i], i);
  return std::move(maker.pieces);
}

PieceSet aoa::shardPieces(const Shard &shard, llvm::ArrayRef<int64_t> shape) {
  ShardPieceMaker maker(shape);
  maker.add(shard, 0);
  return std::move(maker.pieces);
}

StridedBlock aoa::asStridedBlock(const PieceRef &piece) {
  auto shapeOf = [](llvm::ArrayRef<int64_t> numbers) {
    return Shape(numbers.begin(), numbers.end());
  };
  return {shapeOf(piece.shape), piece.dstOffset, shapeOf(piece.dstStrides),
          piece.srcOffset, shapeOf(piece.srcStrides)};
}

ShardList aoa::shardsOf(const ir::StoredValue &stored) {
  if (!stored.shards.empty())
    return stored.shards;
  return ShardList(
      {wholeShard(Shape(stored.shape.begin(), stored.shape.end()))});
}

bool aoa::isWhole(const Shard &shard, llvm::ArrayRef<int64_t> shape) {
  if (shard.localShape.size() != shape.size() ||
      !std::equal(shape.begin(), shape.end(), shard.localShape.begin()))
    return false;
  if (llvm::is_contained(shape, 0))
    return true;
  PieceSet pieces = shardPieces(shard, shape);
  return pieces.size() == 1 &&
         pieces[0].piece() == foldDims(identityPiece(shape));
}

int64_t aoa::numPaddedElements(const Shard &shard) {
  auto count = [](llvm::ArrayRef<int64_t> shape) {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  };
  int64_t left = count(shard.localShape);
  for (const Block &block : shard.blocks)
    left -= count(block.shape);
  for (const StridedBlock &block : shard.strided)
    left -= count(block.shape);
  return left;
}
