//===- SourceRegions.cpp - Which shard an element is read from --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SourceRegions.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::affine;

static Extents extents(const Shape &shape) {
  return Extents(shape.begin(), shape.end());
}

Box aoa::fullBox(const Block &block) {
  return {extents(block.fullOffset), extents(block.shape)};
}

Box aoa::localBox(const Block &block) {
  return {extents(block.localOffset), extents(block.shape)};
}

bool aoa::isWhole(llvm::ArrayRef<Block> blocks,
                  llvm::ArrayRef<int64_t> localShape,
                  llvm::ArrayRef<int64_t> shape) {
  if (localShape != shape)
    return false;
  if (llvm::is_contained(shape, 0))
    return true;
  return blocks.size() == 1 && fullBox(blocks[0]) == wholeBox(shape) &&
         localBox(blocks[0]) == wholeBox(shape);
}

int64_t aoa::numPaddedElements(const ir::TargetShard &shard) {
  int64_t left = wholeBox(shard.localShape).numElements();
  for (const Block &block : shard.blocks)
    left -= fullBox(block).numElements();
  return left;
}

SourceRegions::SourceRegions(const Tensor &tensor) {
  if (tensor.shards.empty())
    whole.push_back(wholeShard(tensor.shape));
  all = tensor.shards.empty() ? llvm::ArrayRef(whole)
                              : llvm::ArrayRef(tensor.shards.all());

  std::vector<Box> blocks;
  std::vector<Region> regionOf;
  for (uint32_t shard = 0; shard < all.size(); ++shard)
    for (uint32_t block = 0; block < all[shard].blocks.size(); ++block) {
      blocks.push_back(fullBox(all[shard].blocks[block]));
      regionOf.push_back({shard, block});
    }
  if (blocks.size() == 1) {
    regions = std::move(regionOf);
    index.emplace(std::move(blocks));
    return;
  }

  // Of each block, what no earlier block holds. Replicas are whole blocks seen
  // before: they are left out first, or each would meet all the others.
  BoxIndex unique = [&] {
    auto less = [&](unsigned a, unsigned b) {
      return std::tie(blocks[a].offset, blocks[a].shape, a) <
             std::tie(blocks[b].offset, blocks[b].shape, b);
    };
    std::vector<unsigned> order(blocks.size());
    for (unsigned i = 0; i < order.size(); ++i)
      order[i] = i;
    llvm::sort(order, less);
    std::vector<bool> again(blocks.size(), false);
    for (size_t i = 1; i < order.size(); ++i)
      again[order[i]] = blocks[order[i]] == blocks[order[i - 1]];
    std::vector<Box> kept;
    std::vector<Region> keptRegions;
    for (unsigned i = 0; i < blocks.size(); ++i)
      if (!again[i]) {
        kept.push_back(std::move(blocks[i]));
        keptRegions.push_back(regionOf[i]);
      }
    regionOf = std::move(keptRegions);
    return BoxIndex(std::move(kept));
  }();

  std::vector<Box> disjoint;
  for (unsigned i = 0; i < unique.boxes().size(); ++i) {
    std::vector<Box> rest = {unique.boxes()[i]};
    unique.visit(unique.boxes()[i], [&](unsigned other) {
      if (other >= i)
        return;
      std::vector<Box> next;
      for (const Box &part : rest)
        llvm::append_range(next, subtract(part, unique.boxes()[other]));
      rest = std::move(next);
    });
    for (Box &part : rest) {
      disjoint.push_back(std::move(part));
      regions.push_back(regionOf[i]);
    }
  }
  index.emplace(std::move(disjoint));
}

void SourceRegions::visit(
    const Box &query,
    llvm::function_ref<void(const Region &, const Box &)> visit) const {
  index->visit(query,
               [&](unsigned i) { visit(regions[i], index->boxes()[i]); });
}

std::optional<uint32_t> SourceRegions::findWhole(const Tensor &tensor) const {
  for (uint32_t shard = 0; shard < all.size(); ++shard)
    if (isWhole(all[shard].blocks, all[shard].localShape, tensor.shape))
      return shard;
  return std::nullopt;
}
