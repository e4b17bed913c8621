//===- Holders.h - The ranks that hold a tensor -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_HOLDERS_H
#define AOA_LIB_CATALOG_HOLDERS_H

#include "aoa/Catalog/Layout.h"

#include <algorithm>

namespace aoa {

/// For each mesh axis the coordinates that the rule of `name` and the entries
/// of `place` admit, ascending; the holders are their product. Fails for a
/// coordinate outside the mesh and where there would be too many holders.
Expected<std::vector<std::vector<int64_t>>>
coordinatesHolding(const Layout &layout, const LayoutRule &rule,
                   std::string_view name);

/// Returns numbers that are the same for two tensors of a rule only if the same
/// ranks hold them.
Expected<std::vector<int64_t>>
holdersKey(const Layout &layout, const LayoutRule &rule, std::string_view name);

/// Fails where an entry of `place` says who holds `name` though its rule leaves
/// no choice: `pieces` name the ranks, `flatten` cuts over all of its axis.
Expected<void> checkPlaces(const Layout &layout, const LayoutRule &rule,
                           std::string_view name);

/// Whether the rank at `coordinates` is one of those that hold `name`.
Expected<bool> isHolder(const Layout &layout, const LayoutRule &rule,
                        std::string_view name,
                        const std::vector<int64_t> &coordinates);

/// The coordinate that `computed` gives for captures. Not checked against the
/// mesh.
Expected<int64_t> evaluateCoordinate(const ComputedCoordinate &computed,
                                     const Captures &captures);

/// Calls `visit(rank, key)` for each holder, ranks ascending. `key` is the sum
/// of coordinate times `keyWeights` over the axes.
template <typename Visit>
void forEachHolder(const Mesh &mesh,
                   const std::vector<std::vector<int64_t>> &coordinates,
                   const std::vector<int64_t> &keyWeights, Visit visit) {
  size_t numAxes = mesh.axes.size();
  std::vector<int64_t> strides(numAxes, 1);
  for (size_t i = numAxes; i-- > 1;)
    strides[i - 1] = strides[i] * mesh.axes[i].size;
  std::vector<size_t> at(numAxes, 0);
  while (true) {
    int64_t rank = 0, key = 0;
    for (size_t i = 0; i < numAxes; ++i) {
      rank += coordinates[i][at[i]] * strides[i];
      key += coordinates[i][at[i]] * keyWeights[i];
    }
    visit(static_cast<uint32_t>(rank), key);
    size_t axis = numAxes;
    while (axis != 0 && ++at[axis - 1] == coordinates[axis - 1].size())
      at[--axis] = 0;
    if (axis == 0)
      return;
  }
}

} // namespace aoa

#endif // AOA_LIB_CATALOG_HOLDERS_H
