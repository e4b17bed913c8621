//===- ModelPlacement.h - A layout applied to all tensors -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Who holds what of each tensor of a model. A rule with `flatten` places a
// tensor by those that come before it in a buffer, so only all of them together
// can be placed. With tensors a [2, 2] and b [3] and
//
//   mesh { "dp": 2 }   { "match": "*", "flatten": { "over": "dp", "align": 2 }
//   }
//
// the buffer is a a a a b b b and one element of padding: rank 0 has all of a,
// rank 1 all of b, each as a vector.
//
// Tensors that are cut alike share one list of shards. Cost: the distinct cuts,
// and for each tensor its rule; for those in shared buffers also the ranks at
// coordinate 0 of the axis, and their fragments.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_MODELPLACEMENT_H
#define AOA_CATALOG_MODELPLACEMENT_H

#include "aoa/Catalog/PlaceTensor.h"

namespace aoa {

struct TensorToPlace {
  std::string_view name;
  Shape shape;
  /// Elements of less than a byte cannot be flattened.
  std::optional<DType> dtype = std::nullopt;
};

class ModelPlacement {
public:
  /// Places all tensors. The order in which they are given does not matter.
  /// Requires that `layout` outlives this.
  ModelPlacement(const Layout &layout, std::span<const TensorToPlace> tensors);

  /// The rule that decides about a tensor; null where none fits.
  const LayoutRule *ruleOf(size_t tensor) const { return answers[tensor].rule; }

  /// The shards of a tensor; an error where it has no rule or `placeTensor`
  /// refuses it. A tensor that is refused is taken out of its buffer, so that
  /// the others get no errors of its making. Shards that are empty are listed
  /// too, but fragments of flat buffers only where the tensor is empty.
  const Expected<ShardList> &shardsOf(size_t tensor) const {
    return answers[tensor].shards;
  }

  /// By rule of the layout, whether it decided about a tensor.
  const std::vector<bool> &usedRules() const { return isUsed; }

private:
  struct Answer {
    const LayoutRule *rule = nullptr;
    Expected<ShardList> shards;
  };
  std::vector<Answer> answers;
  std::vector<bool> isUsed;

  friend class ModelPlacer;
};

/// Compares what ranks store of a tensor of shape `whole` with its fragments in
/// flat buffers, `shards`: each rank must have the vector that it shall have,
/// and no other anything. Fails with the contradiction: rank, file, both
/// shapes.
Expected<void> checkFragments(const Layout &layout, std::string_view name,
                              const Shape &whole, const ShardList &shards,
                              std::span<const LocalShape> localShapes);

} // namespace aoa

#endif // AOA_CATALOG_MODELPLACEMENT_H
