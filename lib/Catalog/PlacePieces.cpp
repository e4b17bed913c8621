//===- PlacePieces.cpp - Ranks whose geometry is given ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "PlacePieces.h"

#include "ContentHash.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Support/CheckedMath.h"

#include <unordered_map>

#include <fmt/format.h>

namespace aoa {

namespace {

class PiecePlacer {
public:
  PiecePlacer(const Layout &layout, const LayoutRule &rule, const Shape &shape)
      : layout(layout), rule(rule), shape(shape) {}

  Expected<Placement> run() {
    for (const auto &[rank, given] : rule.pieces) {
      if (rank >= layout.mesh.numRanks())
        return fail(ErrorKind::Mismatch,
                    fmt::format("`pieces` of rank {}, but the mesh has {} "
                                "ranks",
                                rank, layout.mesh.numRanks()));
      Expected<Shard> shard = shardOf(given);
      if (!shard)
        return failWith(std::move(shard), fmt::format("rank {}", rank));
      if (auto added = add(rank, std::move(*shard)); !added)
        return failWith(std::move(added), fmt::format("rank {}", rank));
    }
    if (auto covered = checkCovered(); !covered)
      return failWith(std::move(covered));
    return Placement{std::move(shards)};
  }

private:
  Expected<Shard> shardOf(const RankPieces &given) const {
    Shard shard;
    shard.localShape = given.localShape;
    for (size_t i = 0; i < given.pieces.size(); ++i)
      if (auto added = addPiece(shard, shape, given.pieces[i]); !added)
        return failWith(std::move(added), fmt::format("piece {}", i));
    if (!shard.isEmpty())
      shard.scale = given.scale == 1 ? rule.scale : given.scale;
    return shard;
  }

  /// Adds a rank to the shard that is equal, but for the ranks, or else a new
  /// one.
  Expected<void> add(uint32_t rank, Shard shard) {
    ContentHash hash;
    hash.add(shard);
    auto [begin, end] = byHash.equal_range(hash.value());
    for (auto known = begin; known != end; ++known) {
      Shard &other = shards[known->second];
      if (other.localShape == shard.localShape &&
          other.blocks == shard.blocks && other.strided == shard.strided &&
          other.scale == shard.scale) {
        other.ranks.push_back(rank);
        return {};
      }
    }
    if (auto once = checkGivenOnce(shard, shape, rule.hasPadValue); !once)
      return once;
    shard.ranks = {rank};
    byHash.emplace(hash.value(), shards.size());
    shards.push_back(std::move(shard));
    return {};
  }

  /// Whether the ranks hold every element between them.
  Expected<void> checkCovered() const {
    std::vector<FlatView> views;
    for (const Shard &shard : shards)
      for (const StridedBlock &piece : piecesOf(shard, shape))
        views.push_back(fullViewOf(piece));
    std::optional<int64_t> hole;
    auto done = forEachFlatRegion(
        views, checkedNumElements(shape).value_or(0),
        [&](int64_t address, std::span<const uint32_t> holders) {
          if (holders.empty())
            hole = address;
          return !hole;
        });
    if (!done || !hole)
      return done;
    return fail(ErrorKind::Mismatch,
                fmt::format("element {} of shape {} is in no piece of any rank",
                            formatIndexOf(*hole, shape), formatShape(shape)));
  }

  const Layout &layout;
  const LayoutRule &rule;
  const Shape &shape;
  std::vector<Shard> shards;
  std::unordered_multimap<uint64_t, size_t> byHash; ///< Ranks not counted.
};

} // namespace

Expected<Placement> placePieces(const Layout &layout, const LayoutRule &rule,
                                const Shape &shape) {
  return PiecePlacer(layout, rule, shape).run();
}

/// What a rule multiplies with on some rank, if it does.
static double scaleOf(const LayoutRule &rule) {
  for (const auto &[rank, pieces] : rule.pieces)
    if (pieces.scale != 1)
      return pieces.scale;
  return rule.scale;
}

Expected<void> checkScale(const Layout &layout, const LayoutRule &rule,
                          std::string_view name, DType dtype) {
  if (auto scaled = checkStateScale(layout.states, name, scaleOf(rule));
      !scaled)
    return scaled;
  return checkScale(rule, dtype);
}

Expected<void> checkStateScale(StateConvention states, std::string_view name,
                               double scale) {
  if (scale == 1)
    return {};
  std::optional<StateName> state = stateName(states, name);
  if (!state || state->scalePower == 1)
    return {};
  return fail(
      ErrorKind::Unsupported,
      fmt::format("scale {} of the {} of `{}`: it goes with the power {} of "
                  "the scale, and resuming from it would take another learning "
                  "rate and epsilon, which no tensor holds",
                  scale, state->what, state->tensor, state->scalePower));
}

Expected<void> checkScale(const LayoutRule &rule, DType dtype) {
  const double scale = scaleOf(rule);
  if (scale == 1 || classOf(dtype) == DTypeClass::Float)
    return {};
  return fail(ErrorKind::Mismatch,
              fmt::format("scale {} of a tensor of {}, expected a floating "
                          "point dtype",
                          scale, nameOf(dtype)));
}

} // namespace aoa
