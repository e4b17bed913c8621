//===- PlaceTensor.h - A layout applied to one tensor -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The geometry of a rule: which ranks hold which boxes of a tensor of a given
// shape. The same functions serve targets (place what the program made) and
// sources (what the ranks' files must contain).
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_PLACETENSOR_H
#define AOA_CATALOG_PLACETENSOR_H

#include "aoa/Catalog/Layout.h"

#include <map>

namespace aoa {

struct Placement {
  /// Distinct shards with the ranks that hold them, ordered by first rank.
  /// Shards that are empty are listed too (their blocks are empty, a zero is in
  /// their shape).
  std::vector<Shard> shards;
};

/// Places a tensor of `shape`. Fails when a dimension does not exist, an even
/// cut does not divide (both numbers), sizes or segments do not sum up to the
/// extent, the rule has `flatten` (ModelPlacement.h), a coordinate of `on` lies
/// outside the mesh, `on` leaves a part that has elements to nobody, the rule's
/// own `shape` is another one, or more than 2^20 ranks would hold it. A rule
/// with `pieces` fails when they reach outside of the tensor or a shard, give
/// an element of a shard twice or (without `pad_value`) not at all, or leave an
/// element of the tensor to nobody. Errors have no place; the caller adds
/// tensor and rule. Cost: ranks plus blocks.
Expected<Placement> placeTensor(const Layout &layout, const LayoutRule &rule,
                                std::string_view name, const Shape &shape);

/// Fails if `rule` scales a tensor whose dtype is not floating point.
Expected<void> checkScale(const LayoutRule &rule, DType dtype);
/// Fails if a shard of `name` would be scaled and is an optimizer state other
/// than a copy of the weights: its moments go with other powers of the scale
/// (StateNames.h), and an optimizer resumed from them would need another
/// learning rate and epsilon, which no tensor holds. Source: DeepSpeed's affine
/// IR, which refuses the same.
Expected<void> checkStateScale(StateConvention states, std::string_view name,
                               double scale);
/// Both of these for a tensor that `rule` places.
Expected<void> checkScale(const Layout &layout, const LayoutRule &rule,
                          std::string_view name, DType dtype);

/// The ranks that hold `name` at all, ascending.
Expected<std::vector<uint32_t>> ranksHolding(const Layout &layout,
                                             const LayoutRule &rule,
                                             std::string_view name);

/// Extents of the parts of a dimension of `extent` cut in `numParts` by `chunk`
/// (not `sizes`). `axisSizes` are the sizes of the mesh axes, most significant
/// first: `ceil` cuts by the first and then each part by the next, as PyTorch's
/// DTensor does; the others by their product. Fails when `even` does not
/// divide.
Expected<Shape> chunkExtents(int64_t extent, std::span<const int64_t> axisSizes,
                             ChunkRule chunk);

/// How a tensor is cut along its dimensions: what macros ask about a name.
struct PartitionInfo {
  struct Dim {
    int64_t numParts = 1;
    /// Extents of the parts in order; empty where the shape is not known yet
    /// (then the parts are equal or the layout refuses them later).
    Shape sizes;
    bool segmented = false; ///< Cut segment by segment, in more than one.
  };
  std::vector<Dim> dims;
  int64_t numDistinctOffsets = 1; ///< What upstream calls the degree.
  /// Several shards that are not one interval of each dimension: strided ones,
  /// or boxes that overlap. `dims` do not say then who holds what.
  bool irregular = false;
  SourceRange range; ///< Of the layout rule that says so.
};

/// Returns the partition that `rule` gives a tensor with `rank` dimensions,
/// from the rule alone. With `flatten`: of the local shards.
PartitionInfo partitionOf(const Layout &layout, const LayoutRule &rule,
                          unsigned rank);

/// Returns the partition of a tensor whose shards are known.
PartitionInfo partitionOf(const Tensor &tensor);

/// Partitions of many tensors. Those that share a list of shards and have one
/// shape are looked at once.
class Partitions {
public:
  /// Requires that the lists of the tensors asked about live on.
  const PartitionInfo &of(const Tensor &tensor);

private:
  std::map<std::pair<const void *, Shape>, PartitionInfo> known;
};

/// What one rank holds of a tensor.
struct LocalShape {
  uint32_t rank;
  Shape shape;
};
/// Works out a tensor's whole shape from the local shapes of the ranks that
/// hold it (ranks without an entry hold an empty shard), and places it. A
/// rule's own `shape` decides where it has one, and must where it pads or has
/// `pieces`. Fails
/// with the tensor's contradiction: rank, file, both shapes.
Expected<Placement> inferWholeShape(const Layout &layout,
                                    const LayoutRule &rule,
                                    std::string_view name,
                                    std::span<const LocalShape> localShapes,
                                    Shape &wholeShape);

} // namespace aoa

#endif // AOA_CATALOG_PLACETENSOR_H
