//===- BuildEnds.cpp - Sources, layouts and their shards --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ProgramBuilder.h"

#include "aoa/IRText/IRTextDiagnostics.h"
#include "aoa/Support/CheckedMath.h"

namespace aoa::irtext {

void ProgramBuilder::source(AoirParser::SourceContext &node) {
  if (!expectOutside(node))
    return;
  if (sawGraph) {
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a source behind the graph, expected before it");
    return;
  }
  std::string name = reader.name(*node.name());
  auto type = reader.type(*node.type());
  if (!type)
    return;
  auto [entry, isNew] =
      tensorIndex.try_emplace(name, parsed.source->tensors.size());
  if (!isNew) {
    reader.fault(diag::IRName, reader.rangeOf(*node.name()),
                 "a second source `" + name + "`");
    return;
  }
  tensor = Tensor{std::move(name), type->dtype, type->shape};
  if (!node.LBRACE())
    return closeSource();
  open(Section::Source, node);
  shardDType = type->dtype;
  shardsOfShape = std::move(type->shape);
}

void ProgramBuilder::closeSource() {
  tensor.shards = lists.intern(std::exchange(shards, {}));
  parsed.source->tensors.push_back(std::move(tensor));
}

void ProgramBuilder::layout(AoirParser::LayoutContext &node) {
  if (!expectOutside(node))
    return;
  auto index = findResult(*node.name());
  auto pad = node.number() ? reader.number(*node.number()) : 0;
  if (!index || !pad)
    return;
  if (hasLayout[*index]) {
    reader.fault(diag::IRName, reader.rangeOf(*node.name()),
                 "a second layout of this result");
    return;
  }
  hasLayout[*index] = true;
  atHand = *index;
  resultAtHand().padValue = *pad;
  const ir::Value &value = program().value(resultAtHand().value);
  shardDType = value.dtype;
  shardsOfShape.assign(value.shape.begin(), value.shape.end());
  open(Section::Layout, node);
}

void ProgramBuilder::shard(AoirParser::ShardContext &node) {
  bool ofTransfer = section == Section::Transfer;
  bool canStand =
      section == Section::Source || section == Section::Layout || ofTransfer;
  if (!canStand || inShard) {
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a shard stands outside of a source, a layout and a transfer");
    return;
  }
  auto index = reader.integer(*node.INT());
  auto ranks = reader.ranks(node);
  auto shape = reader.extents(*node.extents());
  auto scale = node.number() ? reader.factor(*node.number()) : 1;
  if (!index || !ranks || !shape || !scale)
    return;
  auto expected = static_cast<int64_t>(
      ofTransfer ? transfers[atHand]->shards.size() : shards.size());
  if (*index != expected) {
    reader.fault(diag::IRShard, reader.rangeOf(node),
                 "shard " + std::to_string(*index) + ", expected shard " +
                     std::to_string(expected));
    return;
  }
  if (ofTransfer)
    return transferShard(node, std::move(*ranks), std::move(*shape));
  if (!checkedSizeBytes(shardDType, *shape)) {
    reader.fault(diag::IRShard, reader.rangeOf(*node.extents()),
                 "a shard of " + std::string(nameOf(shardDType)) + " " +
                     formatShape(*shape) +
                     " has no number of bytes that 64 bits hold");
    return;
  }
  shards.push_back(Shard{.ranks = std::move(*ranks),
                         .localShape = std::move(*shape),
                         .scale = *scale});
  inShard = true;
}

/// Whether a box lies in a tensor.
static bool isWithin(const Shape &offset, const Shape &box,
                     const Shape &tensor) {
  for (size_t i = 0; i != tensor.size(); ++i) {
    std::optional<int64_t> end = checkedAdd(offset[i], box[i]);
    if (!end || *end > tensor[i])
      return false;
  }
  return true;
}

void ProgramBuilder::box(AoirParser::BoxContext &node) {
  if ((section != Section::Source && section != Section::Layout) || !inShard) {
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a box stands outside of the shards of sources and layouts");
    return;
  }
  auto shape = reader.extents(*node.extents(0));
  auto full = reader.extents(*node.extents(1));
  auto local = reader.extents(*node.extents(2));
  if (!shape || !full || !local)
    return;
  Shard &shard = shards.back();
  size_t rank = shardsOfShape.size();
  auto refuse = [&](std::string message) {
    reader.fault(diag::IRShard, reader.rangeOf(node), std::move(message));
  };
  if (shape->size() != rank || full->size() != rank || local->size() != rank ||
      shard.localShape.size() != rank)
    return refuse("the box, its offsets and the shard are not all of the "
                  "tensor's " +
                  std::to_string(rank) + " dimensions");
  if (llvm::is_contained(*shape, 0))
    return refuse("the box is empty, expected none");
  if (!isWithin(*full, *shape, shardsOfShape))
    return refuse("the box reaches outside of the tensor " +
                  formatShape(shardsOfShape));
  if (!isWithin(*local, *shape, shard.localShape))
    return refuse("the box reaches outside of the shard " +
                  formatShape(shard.localShape));
  shard.blocks.push_back(
      {std::move(*full), std::move(*local), std::move(*shape)});
}

/// The greatest address of a checked view that is not empty.
static int64_t lastAddress(llvm::ArrayRef<int64_t> shape,
                           const affine::StridedView &view) {
  int64_t last = view.offset;
  for (size_t i = 0; i != shape.size(); ++i)
    last += (shape[i] - 1) * view.strides[i];
  return last;
}

void ProgramBuilder::block(AoirParser::BlockContext &node) {
  if ((section != Section::Source && section != Section::Layout) || !inShard) {
    reader.fault(diag::IRStructure, reader.rangeOf(node),
                 "a block stands outside of the shards of sources and layouts");
    return;
  }
  auto shape = reader.extents(*node.extents());
  auto full = reader.view(*node.view(0));
  auto local = reader.view(*node.view(1));
  if (!shape || !full || !local)
    return;
  auto refuse = [&](std::string message) {
    reader.fault(diag::IRShard, reader.rangeOf(node), std::move(message));
  };
  affine::Piece piece{affine::Extents(shape->begin(), shape->end()),
                      std::move(*full), std::move(*local)};
  if (auto sound = affine::checkPiece(piece); !sound)
    return refuse(sound.error().str());
  if (piece.isEmpty())
    return refuse("the block is empty, expected none");
  Shard &shard = shards.back();
  for (auto [view, space, what] :
       {std::tuple(&piece.src, &shardsOfShape, "tensor"),
        std::tuple(&piece.dst, &shard.localShape, "shard")}) {
    int64_t last = lastAddress(piece.shape, *view);
    if (last >= *checkedNumElements(*space))
      return refuse("the block holds element " + std::to_string(last) +
                    " of the " + what + " " + formatShape(*space) +
                    ", which has fewer");
  }
  auto asShape = [](const affine::Extents &numbers) {
    return Shape(numbers.begin(), numbers.end());
  };
  shard.strided.push_back({std::move(*shape), piece.src.offset,
                           asShape(piece.src.strides), piece.dst.offset,
                           asShape(piece.dst.strides)});
}

} // namespace aoa::irtext
