//===- ComposeTest.cpp - Pieces by element ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Random programs between random shards: what the composed pieces do, element
// by element, is what the operations say, element by element.
//===----------------------------------------------------------------------===//

#include "ElementCheck.h"
#include "aoa/Transforms/Pass.h"

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

/// Cuts a tensor at random planes. The blocks have no place in a shard yet.
std::vector<Block> cutAtRandom(Rng &rng, const Shape &shape, unsigned cuts) {
  std::vector<Block> parts = wholeShard(shape).blocks;
  for (; cuts > 0; --cuts) {
    if (shape.empty())
      break;
    Block &part = parts[rng() % parts.size()];
    unsigned axis = rng() % shape.size();
    if (part.shape[axis] < 2)
      continue;
    int64_t at = draw(rng, 1, part.shape[axis] - 1);
    Block high = part;
    high.fullOffset[axis] += at;
    high.shape[axis] -= at;
    part.shape[axis] = at;
    parts.push_back(high);
  }
  std::shuffle(parts.begin(), parts.end(), rng);
  return parts;
}

/// Puts blocks into one shard, one behind the other along axis 0 with gaps.
Shard makeShard(Rng &rng, uint32_t rank, std::vector<Block> blocks,
                bool padded) {
  Shard shard;
  shard.ranks = {rank};
  size_t numDims = blocks[0].shape.size();
  shard.localShape = Shape(numDims, 0);
  for (Block &block : blocks) {
    block.localOffset.assign(numDims, 0);
    if (numDims > 0) {
      int64_t gap = padded ? draw(rng, 0, 1) : 0;
      block.localOffset[0] = shard.localShape[0] + gap;
      shard.localShape[0] = block.localOffset[0] + block.shape[0];
    }
    for (size_t i = 1; i < numDims; ++i)
      shard.localShape[i] = std::max(shard.localShape[i], block.shape[i]);
  }
  shard.blocks = std::move(blocks);
  return shard;
}

std::vector<Shard> randomShards(Rng &rng, const Shape &shape,
                                bool overlapping) {
  if (numElements(shape) == 0)
    return {wholeShard(shape)};
  std::vector<Block> blocks = cutAtRandom(rng, shape, draw(rng, 0, 5));
  std::vector<Shard> shards;
  for (size_t at = 0; at < blocks.size();) {
    size_t count = std::min<size_t>(draw(rng, 1, 3), blocks.size() - at);
    auto first = blocks.begin() + at;
    shards.push_back(makeShard(rng, shards.size(), {first, first + count},
                               !overlapping || rng() % 2));
    at += count;
  }
  if (overlapping) {
    for (const Block &block : cutAtRandom(rng, shape, draw(rng, 0, 4)))
      if (rng() % 2)
        shards.push_back(makeShard(rng, shards.size(), {block}, false));
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
        Tensor tensor{result.name,
                      value.dtype,
                      Shape(value.shape.begin(), value.shape.end()),
                      {}};
        if (rng() % 4)
          tensor.shards = randomShards(rng, tensor.shape, false);
        list.tensors.push_back(std::move(tensor));
      }
      target.list = &list;
    }

    ast::Script script;
    DiagnosticList sink;
    PassContext context{target, script, sink};
    placeResults(program, context);
    lowerToPieces(program, context);
    checkCoverage(program, context);
    composeLayouts(program, context);
    checkTransfers(program, context);
    for (const Diagnostic &diagnostic : sink.list)
      ADD_FAILURE() << round << ": " << diagnostic.message;
    expectRightElements(builder);
    foldPieces(program, context);
    expectRightElements(builder);
    if (HasFailure())
      return;
  }
}
} // namespace
