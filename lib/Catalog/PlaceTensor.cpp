//===- PlaceTensor.cpp - A layout applied to one tensor ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ranks are sorted into shards by the number of their part (one part of each
// dimension, row-major); geometry is made once per shard. Cost: ranks plus
// blocks.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/PlaceTensor.h"

#include "CutDimensions.h"
#include "Holders.h"
#include "PlacePieces.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

namespace aoa {

namespace {

using Coordinates = std::vector<std::vector<int64_t>>;

/// Refuses an `on` that leaves out ranks with a part of a dimension: nobody
/// would hold it. Of an empty tensor that is part of its shape.
Expected<void> checkNothingIsLost(const Mesh &mesh,
                                  const std::vector<DimParts> &dims,
                                  const Coordinates &coordinates) {
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    const std::vector<int> &axes = dims[dim].meshAxes;
    for (size_t part = 0; part < dims[dim].parts.size(); ++part) {
      const DimPart &of = dims[dim].parts[part];
      if (of.runs.empty())
        continue;
      auto rest = static_cast<int64_t>(part);
      for (size_t i = axes.size(); i-- > 0;) {
        const MeshAxis &axis = mesh.axes[static_cast<size_t>(axes[i])];
        int64_t coordinate = rest % axis.size;
        rest /= axis.size;
        if (!std::ranges::binary_search(
                coordinates[static_cast<size_t>(axes[i])], coordinate))
          return fail(ErrorKind::Mismatch,
                      fmt::format("part {} of dimension {}, which begins at "
                                  "{}, is held by no rank: `on` leaves out "
                                  "coordinate {} of axis `{}`",
                                  part, dim, of.runs[0].full, coordinate,
                                  axis.name));
      }
    }
  }
  return {};
}

/// Makes the shards of the parts that ranks turn out to hold.
class ShardBuilder {
public:
  ShardBuilder(const std::vector<DimParts> &dims, size_t numHolders,
               double scale)
      : dims(dims), scale(scale) {
    if (size_t keys = numKeys(dims); keys <= 1024 + 4 * numHolders)
      denseShardOfKey.resize(keys);
  }

  /// For each mesh axis, what its coordinate adds to a part's number.
  std::vector<int64_t> keyWeights(const Mesh &mesh) const {
    std::vector<int64_t> weights(mesh.axes.size(), 0);
    int64_t weight = 1;
    for (size_t dim = dims.size(); dim-- > 0;)
      for (size_t i = dims[dim].meshAxes.size(); i-- > 0;) {
        auto axis = static_cast<size_t>(dims[dim].meshAxes[i]);
        weights[axis] = weight;
        weight *= mesh.axes[axis].size;
      }
    return weights;
  }

  /// Adds a rank to the shard of part number `key`.
  Expected<void> add(uint32_t rank, int64_t key) {
    size_t &known = denseShardOfKey.empty()
                        ? shardOfKey[key]
                        : denseShardOfKey[static_cast<size_t>(key)];
    if (known == 0) {
      Expected<Shard> shard = build(key);
      if (!shard)
        return failWith(std::move(shard));
      known = 1 + insert(std::move(*shard));
    }
    shards[known - 1].ranks.push_back(rank);
    return {};
  }

  std::vector<Shard> take() { return std::move(shards); }

private:
  /// How many different parts there are: an axis cuts one dimension, so at most
  /// as many as the mesh has ranks.
  static size_t numKeys(const std::vector<DimParts> &dims) {
    size_t count = 1;
    for (const DimParts &dim : dims)
      count *= dim.parts.size();
    return count;
  }

  /// Parts without elements are alike if their shapes are.
  size_t insert(Shard shard) {
    if (shard.blocks.empty()) {
      auto [known, isNew] =
          shardWithoutBlocks.try_emplace(shard.localShape, shards.size());
      if (!isNew)
        return known->second;
    }
    shards.push_back(std::move(shard));
    return shards.size() - 1;
  }

  Expected<Shard> build(int64_t key) {
    Shard shard;
    std::vector<const DimPart *> parts(dims.size());
    shard.localShape.resize(dims.size());
    int64_t numShardBlocks = 1; // Kept at most one above the limit.
    for (size_t dim = dims.size(); dim-- > 0;) {
      auto count = static_cast<int64_t>(dims[dim].parts.size());
      parts[dim] = &dims[dim].parts[static_cast<size_t>(key % count)];
      key /= count;
      shard.localShape[dim] = parts[dim]->extent;
      auto numRuns = static_cast<int64_t>(parts[dim]->runs.size());
      numShardBlocks = std::min(numShardBlocks * numRuns, maxBlocks + 1);
    }
    // Padding can make a part larger than any part of the tensor is.
    if (!checkedNumElements(shard.localShape))
      return fail(ErrorKind::Limit,
                  fmt::format("local shape {} has 2^62 elements or more",
                              formatShape(shard.localShape)));
    numBlocks += numShardBlocks;
    if (numBlocks > maxBlocks)
      return fail(ErrorKind::Limit,
                  fmt::format("segments give more than {} blocks", maxBlocks));
    if (numShardBlocks != 0) {
      addBlocks(parts, shard);
      shard.scale = scale;
    }
    return shard;
  }

  /// One block for each choice of one run per dimension.
  static void addBlocks(const std::vector<const DimPart *> &parts,
                        Shard &shard) {
    size_t rank = parts.size();
    std::vector<size_t> at(rank, 0);
    while (true) {
      Block block{Shape(rank), Shape(rank), Shape(rank)};
      for (size_t dim = 0; dim < rank; ++dim) {
        const DimRun &run = parts[dim]->runs[at[dim]];
        block.fullOffset[dim] = run.full;
        block.localOffset[dim] = run.local;
        block.shape[dim] = run.extent;
      }
      shard.blocks.push_back(std::move(block));
      size_t dim = rank;
      while (dim != 0 && ++at[dim - 1] == parts[dim - 1]->runs.size())
        at[--dim] = 0;
      if (dim == 0)
        return;
    }
  }

  static constexpr int64_t maxBlocks = int64_t(1) << 22;
  const std::vector<DimParts> &dims;
  double scale;
  std::vector<Shard> shards;
  /// Index of a shard plus 1, 0 if it is not made yet; dense unless few of many
  /// parts are held.
  std::unordered_map<int64_t, size_t> shardOfKey;
  std::vector<size_t> denseShardOfKey;
  std::map<Shape, size_t> shardWithoutBlocks;
  int64_t numBlocks = 0;
};

} // namespace

Expected<Placement> placeTensor(const Layout &layout, const LayoutRule &rule,
                                std::string_view name, const Shape &shape) {
  if (rule.flatten)
    return fail(ErrorKind::Unsupported,
                "`flatten` places it together with other tensors, not here");
  if (rule.shape && *rule.shape != shape)
    return fail(ErrorKind::Mismatch,
                fmt::format("shape {}, but the layout says {}",
                            formatShape(shape), formatShape(*rule.shape)));
  if (auto checked = checkPlaces(layout, rule, name); !checked)
    return failWith(std::move(checked));
  if (rule.hasPieces)
    return placePieces(layout, rule, shape);
  Expected<std::vector<DimParts>> dims =
      cutDimensions(layout.mesh, rule, shape);
  if (!dims)
    return failWith(std::move(dims));
  Expected<Coordinates> coordinates = coordinatesHolding(layout, rule, name);
  if (!coordinates)
    return failWith(std::move(coordinates));
  if (auto checked = checkNothingIsLost(layout.mesh, *dims, *coordinates);
      !checked)
    return failWith(std::move(checked));

  size_t numHolders = 1; // Within `maxPlacedRanks`, or there were none.
  for (const std::vector<int64_t> &admitted : *coordinates)
    numHolders *= admitted.size();
  ShardBuilder builder(*dims, numHolders, rule.scale);
  Expected<void> added;
  forEachHolder(layout.mesh, *coordinates, builder.keyWeights(layout.mesh),
                [&](uint32_t rank, int64_t key) {
                  if (added)
                    added = builder.add(rank, key);
                });
  if (!added)
    return failWith(std::move(added));
  return Placement{builder.take()};
}

} // namespace aoa
