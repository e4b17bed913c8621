//===- TensorPlacer.h - Equal cuts placed once ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Rules without `flatten`, tensor by tensor; ModelPlacement does the rest.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_TENSORPLACER_H
#define AOA_LIB_CATALOG_TENSORPLACER_H

#include "aoa/Catalog/PlaceTensor.h"

#include <map>
#include <tuple>

namespace aoa {

/// Places many tensors by one layout. Those that a rule cuts alike, of one
/// shape and with the same values of the expressions in `on`, are placed once
/// and share one list.
class TensorPlacer {
public:
  /// Requires that `layout` outlives the placer.
  explicit TensorPlacer(const Layout &layout) : layout(layout) {}

  /// Returns the shards of `placeTensor`, or its error. Cost, where the same
  /// cut was placed before: the expressions in `on` and a look-up.
  Expected<ShardList> place(const LayoutRule &rule, std::string_view name,
                            const Shape &shape);

private:
  /// Rule, shape, and what its expressions say, in order of the axes.
  using Key = std::tuple<const LayoutRule *, Shape, std::vector<int64_t>>;
  const Layout &layout;
  std::map<Key, ShardList> known;
};

} // namespace aoa

#endif // AOA_LIB_CATALOG_TENSORPLACER_H
