//===- ComposeTest.cpp ------------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Random programs between random shards: what the composed pieces do, element
// by element, is what the operations say, element by element.
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "aoa/Transforms/Lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::test;

namespace {
using Rng = std::mt19937;

unsigned draw(Rng &rng, unsigned low, unsigned high) {
  return low + rng() % (high - low + 1);
}

std::vector<Box> cutAtRandom(Rng &rng, const Shape &shape, unsigned cuts) {
  std::vector<Box> parts = {wholeBox(shape)};
  for (; cuts > 0; --cuts) {
    Box &part = parts[rng() % parts.size()];
    if (part.rank() == 0)
      break;
    unsigned axis = rng() % part.rank();
    if (part.shape[axis] < 2)
      continue;
    int64_t at = draw(rng, 1, part.shape[axis] - 1);
    Box high = part;
    high.offset[axis] += at;
    high.shape[axis] -= at;
    part.shape[axis] = at;
    parts.push_back(high);
  }
  std::shuffle(parts.begin(), parts.end(), rng);
  return parts;
}

Shape shapeOf(const Extents &extents) {
  return Shape(extents.begin(), extents.end());
}

/// Puts boxes into one shard, one behind the other along axis 0 with gaps.
Shard makeShard(Rng &rng, uint32_t rank, llvm::ArrayRef<Box> boxes,
                bool padded) {
  Shard shard;
  shard.ranks = {rank};
  shard.localShape = Shape(boxes[0].rank(), 0);
  for (const Box &box : boxes) {
    Block block{shapeOf(box.offset), Shape(box.rank(), 0), shapeOf(box.shape)};
    if (box.rank() > 0) {
      int64_t gap = padded ? draw(rng, 0, 1) : 0;
      block.localOffset[0] = shard.localShape[0] + gap;
      shard.localShape[0] = block.localOffset[0] + box.shape[0];
    }
    for (unsigned i = 1; i < box.rank(); ++i)
      shard.localShape[i] = std::max(shard.localShape[i], box.shape[i]);
    shard.blocks.push_back(std::move(block));
  }
  return shard;
}

std::vector<Shard> randomShards(Rng &rng, const Shape &shape,
                                bool overlapping) {
  if (numElements(shape) == 0)
    return {wholeShard(shape)};
  std::vector<Box> boxes = cutAtRandom(rng, shape, draw(rng, 0, 5));
  std::vector<Shard> shards;
  for (size_t at = 0; at < boxes.size();) {
    size_t count = std::min<size_t>(draw(rng, 1, 3), boxes.size() - at);
    shards.push_back(makeShard(rng, shards.size(),
                               llvm::ArrayRef(boxes).slice(at, count),
                               !overlapping || rng() % 2));
    at += count;
  }
  if (overlapping) {
    for (const Box &box : cutAtRandom(rng, shape, draw(rng, 0, 4)))
      if (rng() % 2)
        shards.push_back(makeShard(rng, shards.size(), box, false));
    Shard replica = shards[rng() % shards.size()];
    replica.ranks = {static_cast<uint32_t>(shards.size())};
    shards.push_back(replica);
    std::shuffle(shards.begin(), shards.end(), rng);
  }
  return shards;
}

Catalog randomSource(Rng &rng) {
  Catalog catalog;
  for (unsigned i = 0, count = draw(rng, 1, 3); i < count; ++i) {
    Shape shape;
    for (unsigned rank = draw(rng, 0, 3); rank > 0; --rank)
      shape.push_back(rng() % 20 == 0 ? 0 : draw(rng, 1, 8));
    Tensor tensor{"s" + std::to_string(i), DType::F32, shape, {}};
    if (rng() % 4)
      tensor.shards = randomShards(rng, shape, true);
    catalog.tensors.push_back(std::move(tensor));
  }
  return catalog;
}

void randomOps(Rng &rng, ProgramBuilder &builder) {
  std::vector<ir::ValueId> live;
  for (size_t i = 0; i < builder.program.source->tensors.size(); ++i)
    live.push_back(builder.source(i));
  for (int step = draw(rng, 0, 9); step > 0; --step) {
    size_t which = rng() % live.size();
    ir::ValueId value = live[which];
    Extents shape = builder.program.value(value).shape;
    unsigned rank = shape.size();
    switch (rng() % 5) {
    case 0:
      live[which] = builder.rename(value);
      break;
    case 1: {
      llvm::SmallVector<unsigned, 4> perm(rank);
      std::iota(perm.begin(), perm.end(), 0);
      std::shuffle(perm.begin(), perm.end(), rng);
      live[which] = builder.transpose(value, perm);
      break;
    }
    case 2: {
      if (rank == 0)
        break;
      unsigned axis = rng() % rank, parts = draw(rng, 2, 4);
      if (shape[axis] % parts != 0)
        break;
      auto made = builder.split(value, axis, parts);
      if (rng() % 2)
        std::shuffle(made.begin(), made.end(), rng);
      if (rng() % 2) {
        live[which] = builder.merge(made, rng() % rank);
      } else {
        live[which] = made[0];
        live.insert(live.end(), made.begin() + 1, made.end());
      }
      break;
    }
    case 3: {
      if (rank == 0)
        break;
      unsigned axis = rng() % rank;
      llvm::SmallVector<ir::ValueId, 4> parts;
      for (ir::ValueId other : live) {
        Extents with = builder.program.value(other).shape;
        if (with.size() != rank || builder.program.value(other).dtype !=
                                       builder.program.value(value).dtype)
          continue;
        with[axis] = shape[axis];
        if (with == shape && parts.size() < 4)
          parts.push_back(other);
      }
      if (parts.empty())
        parts = {value, value};
      for (ir::ValueId part : parts)
        std::erase(live, part);
      live.push_back(builder.merge(parts, axis));
      break;
    }
    case 4:
      live[which] = builder.cast(value, rng() % 2 ? DType::F64 : DType::BF16);
      break;
    }
  }
}

/// Where each element of a shard lies in the full tensor; -1 for padding.
std::vector<int64_t> fullElements(llvm::ArrayRef<Block> blocks,
                                  llvm::ArrayRef<int64_t> localShape,
                                  llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> full(numElements(localShape), -1);
  for (const Block &block : blocks)
    for (int64_t i = 0; i < numElements(block.shape); ++i) {
      Extents at = unravel(i, block.shape), local = at;
      for (unsigned axis = 0; axis < at.size(); ++axis) {
        local[axis] += block.localOffset[axis];
        at[axis] += block.fullOffset[axis];
      }
      full[ravel(local, localShape)] = ravel(at, shape);
    }
  return full;
}

void forEach(const Piece &piece, unsigned dim, int64_t src, int64_t dst,
             llvm::function_ref<void(int64_t, int64_t)> visit) {
  if (dim == piece.shape.size())
    return visit(src, dst);
  for (int64_t i = 0; i < piece.shape[dim]; ++i)
    forEach(piece, dim + 1, src + i * piece.src.strides[dim],
            dst + i * piece.dst.strides[dim], visit);
}

/// Expects every element of every target shard to come from where the
/// operations say.
void expectRightElements(const ProgramBuilder &builder) {
  const ir::Program &program = builder.program;
  for (const ir::Result &result : program.results) {
    const ir::Value &value = program.value(result.value);
    for (const ir::TargetShard &shard : result.shards) {
      std::vector<int64_t> full =
          fullElements(shard.blocks, shard.localShape, value.shape);
      std::vector<Origin> found(full.size(), Origin(SIZE_MAX, -1));
      for (const ir::StoragePiece &storage : shard.pieces) {
        const Tensor &tensor = program.sourceTensor(storage.source);
        Shard implicit = wholeShard(tensor.shape);
        const Shard &from = tensor.shards.empty()
                                ? implicit
                                : tensor.shards[storage.sourceShard];
        std::vector<int64_t> fromFull =
            fullElements(from.blocks, from.localShape, tensor.shape);
        forEach(storage.piece, 0, storage.piece.src.offset,
                storage.piece.dst.offset, [&](int64_t src, int64_t dst) {
                  ASSERT_LT(src, static_cast<int64_t>(fromFull.size()));
                  ASSERT_LT(dst, static_cast<int64_t>(found.size()));
                  ASSERT_EQ(found[dst].first, SIZE_MAX) << "written twice";
                  found[dst] = {&tensor - program.source->tensors.data(),
                                fromFull[src]};
                });
        if (!storage.casts.isNone()) {
          EXPECT_EQ(program.castChains[storage.casts.index()].back(),
                    value.dtype);
        } else {
          EXPECT_EQ(tensor.dtype, value.dtype);
        }
      }
      for (size_t i = 0; i < full.size(); ++i) {
        Origin expected = full[i] < 0
                              ? Origin(SIZE_MAX, -1)
                              : builder.origins[result.value.index()][full[i]];
        ASSERT_EQ(found[i], expected) << result.name << " element " << i;
      }
    }
  }
}

TEST(Compose, RandomProgramsMoveEveryElementToItsPlace) {
  Rng rng(11);
  for (int round = 0; round < 1500; ++round) {
    Catalog source = randomSource(rng);
    ProgramBuilder builder(source);
    randomOps(rng, builder);
    ir::Program &program = builder.finish();
    ASSERT_EQ(ir::verify(program), std::nullopt);

    Catalog list;
    Target target;
    if (round % 3 != 0) {
      for (const ir::Result &result : program.results) {
        const ir::Value &value = program.value(result.value);
        Tensor tensor{result.name, value.dtype, shapeOf(value.shape), {}};
        if (rng() % 4)
          tensor.shards = randomShards(rng, tensor.shape, false);
        list.tensors.push_back(std::move(tensor));
      }
      target.list = &list;
    }

    ast::Script script;
    DiagnosticList sink;
    lowerToPieces(program);
    checkCoverage(program, script, sink);
    composeLayouts(program, target, script, sink);
    checkTransfers(program, script, sink);
    for (const Diagnostic &diagnostic : sink.list)
      ADD_FAILURE() << round << ": " << diagnostic.message;
    expectRightElements(builder);
    foldPieces(program);
    expectRightElements(builder);
    if (HasFailure())
      return;
  }
}
} // namespace
