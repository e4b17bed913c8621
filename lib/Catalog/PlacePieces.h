//===- PlacePieces.h - Ranks whose geometry is given ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_PLACEPIECES_H
#define AOA_LIB_CATALOG_PLACEPIECES_H

#include "aoa/Catalog/PlaceTensor.h"

namespace aoa {

/// Places a tensor of `shape` by the `pieces` of a rule; ranks that hold the
/// same in the same way share a shard. Requires that the rule has them.
Expected<Placement> placePieces(const Layout &layout, const LayoutRule &rule,
                                const Shape &shape);

} // namespace aoa

#endif // AOA_LIB_CATALOG_PLACEPIECES_H
