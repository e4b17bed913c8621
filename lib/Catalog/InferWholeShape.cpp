//===- InferWholeShape.cpp - From local shapes to the whole -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The extent of a dimension is the sum of the extents of its parts, each taken
// from a rank that has it. The tensor of that shape is then placed, and every
// rank must have been given exactly what it has: a sum that the rule would have
// cut in another way shows there, as do replicas that differ.
//===----------------------------------------------------------------------===//
#include "aoa/Catalog/PlaceTensor.h"

#include "CutDimensions.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace aoa {

namespace {

class ShapeInference {
public:
  ShapeInference(const Layout &layout, const LayoutRule &rule,
                 std::string_view name, std::span<const LocalShape> entries)
      : layout(layout), rule(rule), name(name), entries(entries) {}

  Expected<Placement> run(Shape &whole) {
    if (auto checked = checkEntries(); !checked)
      return failWith(std::move(checked));
    Expected<Shape> shape = wholeShape();
    if (!shape)
      return failWith(std::move(shape));
    Expected<Placement> placement = placeTensor(layout, rule, name, *shape);
    if (!placement)
      return failWith(std::move(placement),
                      fmt::format("`{}` with shape {} from local shapes as {} "
                                  "on {}",
                                  name, formatShape(*shape),
                                  formatShape(entries[0].shape),
                                  showRank(entries[0].rank)));
    if (auto checked = compare(*placement, *shape); !checked)
      return failWith(std::move(checked));
    whole = std::move(*shape);
    return placement;
  }

private:
  std::unexpected<Error> refuse(std::string message) const {
    return fail(ErrorKind::Mismatch, std::move(message));
  }

  std::string showRank(uint32_t rank) const {
    return fmt::format("rank {} (`{}`)", rank,
                       layout.files.fileOf(rank, layout.mesh));
  }

  /// Each rank at most once, all with as many dimensions, only holders.
  Expected<void> checkEntries() {
    if (entries.empty())
      return refuse(fmt::format("no rank has `{}`", name));
    Expected<std::vector<uint32_t>> holders = ranksHolding(layout, rule, name);
    if (!holders)
      return failWith(std::move(holders));
    size_t rank = entries[0].shape.size();
    std::set<uint32_t> seen;
    for (const LocalShape &entry : entries) {
      if (!seen.insert(entry.rank).second)
        return refuse(
            fmt::format("{} has `{}` twice", showRank(entry.rank), name));
      if (!std::ranges::binary_search(*holders, entry.rank))
        return refuse(fmt::format("{} has `{}` with shape {}, but the layout "
                                  "does not place it there",
                                  showRank(entry.rank), name,
                                  formatShape(entry.shape)));
      if (entry.shape.size() != rank && !rule.hasPieces)
        return refuse(fmt::format(
            "{} has `{}` with shape {}, but {} with "
            "shape {}",
            showRank(entry.rank), name, formatShape(entry.shape),
            showRank(entries[0].rank), formatShape(entries[0].shape)));
    }
    return {};
  }

  Expected<Shape> wholeShape() const {
    bool isPadded = std::ranges::any_of(rule.cuts, [](const DimCut &cut) {
      return cut.padTo || cut.padMultiple;
    });
    if (isPadded && !rule.shape)
      return refuse(fmt::format("`{}` is padded, but its rule does not say the "
                                "unpadded `shape`",
                                name));
    if (rule.hasPieces && !rule.shape)
      return refuse(fmt::format("`{}` is placed by `pieces`, but its rule does "
                                "not say the whole `shape`",
                                name));
    if (rule.shape)
      return *rule.shape;
    Shape whole = entries[0].shape;
    for (size_t dim = 0; dim < whole.size(); ++dim) {
      Expected<int64_t> extent = wholeExtent(dim);
      if (!extent)
        return failWith(std::move(extent));
      whole[dim] = *extent;
    }
    if (!checkedNumElements(whole))
      return refuse(fmt::format("`{}` would have shape {}, which has 2^62 "
                                "elements or more",
                                name, formatShape(whole)));
    return whole;
  }

  /// The mesh axes that cut a dimension, most significant first.
  Expected<std::vector<int>> axesOf(size_t dim) const {
    for (const DimCut &cut : rule.cuts) {
      Expected<size_t> resolved = resolveDim(cut.dim, entries[0].shape);
      if (!resolved)
        return failWith(std::move(resolved), fmt::format("`{}`", name));
      if (*resolved == dim && !cut.meshAxes.empty())
        return cut.meshAxes;
    }
    return std::vector<int>();
  }

  Expected<int64_t> wholeExtent(size_t dim) const {
    Expected<std::vector<int>> axes = axesOf(dim);
    if (!axes)
      return failWith(std::move(axes));
    // Part number → the first entry that has it.
    std::map<int64_t, const LocalShape *> parts;
    std::optional<int64_t> sum = 0;
    for (const LocalShape &entry : entries) {
      std::vector<int64_t> coordinates = layout.mesh.coordinates(entry.rank);
      int64_t part = 0;
      for (int axis : *axes)
        part = part * layout.mesh.axes[static_cast<size_t>(axis)].size +
               coordinates[static_cast<size_t>(axis)];
      auto [known, isNew] = parts.try_emplace(part, &entry);
      if (isNew) {
        if (sum)
          sum = checkedAdd(*sum, entry.shape[dim]);
      } else if (known->second->shape[dim] != entry.shape[dim]) {
        return refuse(fmt::format(
            "{} has `{}` with shape {}, but {} with shape {}: both hold the "
            "same part of dimension {}",
            showRank(entry.rank), name, formatShape(entry.shape),
            showRank(known->second->rank), formatShape(known->second->shape),
            dim));
      }
    }
    if (!sum)
      return refuse(
          fmt::format("extents of dimension {} of `{}` add up to more "
                      "than 64 bits hold",
                      dim, name));
    return *sum;
  }

  Expected<void> compare(const Placement &placement, const Shape &whole) const {
    std::map<uint32_t, const LocalShape *> byRank;
    for (const LocalShape &entry : entries)
      byRank.emplace(entry.rank, &entry);
    for (const Shard &shard : placement.shards)
      for (uint32_t rank : shard.ranks) {
        auto entry = byRank.find(rank);
        bool isEmpty =
            std::ranges::find(shard.localShape, 0) != shard.localShape.end();
        if (entry == byRank.end() && !isEmpty)
          return refuse(fmt::format("{} does not have `{}`, expected shape {} "
                                    "as {}",
                                    showRank(rank), name,
                                    formatShape(shard.localShape),
                                    explain(whole)));
        if (entry != byRank.end() && entry->second->shape != shard.localShape)
          return refuse(fmt::format(
              "{} has `{}` with shape {}, expected {} as {}", showRank(rank),
              name, formatShape(entry->second->shape),
              formatShape(shard.localShape), explain(whole)));
      }
    return {};
  }

  std::string explain(const Shape &whole) const {
    return fmt::format("its part of shape {}, which {}", formatShape(whole),
                       rule.shape ? "the rule says"
                                  : "the ranks have together");
  }

  const Layout &layout;
  const LayoutRule &rule;
  std::string_view name;
  std::span<const LocalShape> entries;
};

} // namespace

Expected<Placement> inferWholeShape(const Layout &layout,
                                    const LayoutRule &rule,
                                    std::string_view name,
                                    std::span<const LocalShape> localShapes,
                                    Shape &wholeShape) {
  return ShapeInference(layout, rule, name, localShapes).run(wholeShape);
}

} // namespace aoa
