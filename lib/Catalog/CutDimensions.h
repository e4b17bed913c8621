//===- CutDimensions.h - A rule applied, dimension by dimension -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every dimension of a tensor is cut by itself: a shard is the product of one
// part of each dimension.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_CUTDIMENSIONS_H
#define AOA_LIB_CATALOG_CUTDIMENSIONS_H

#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Elements [full, full + extent) of a dimension, at `local` in the part.
struct DimRun {
  int64_t full;
  int64_t local;
  int64_t extent;
};

/// One part of a dimension: its runs in order, and its extent, which counts
/// padding too.
struct DimPart {
  std::vector<DimRun> runs; ///< None empty, none adjacent to the next.
  int64_t extent = 0;
};

struct DimParts {
  std::vector<int> meshAxes; ///< That cut it, most significant first.
  std::vector<DimPart> parts;
};

/// A rank list or a list of parts beyond this is refused: it would not fit into
/// memory for thousands of tensors.
constexpr int64_t maxPlacedRanks = int64_t(1) << 20;

/// Returns the index of a dimension as a rule writes it. Fails where a tensor
/// of `shape` does not have it.
Expected<size_t> resolveDim(int dim, const Shape &shape);

/// Returns the parts of each dimension of a tensor of `shape`.
Expected<std::vector<DimParts>>
cutDimensions(const Mesh &mesh, const LayoutRule &rule, const Shape &shape);

} // namespace aoa

#endif // AOA_LIB_CATALOG_CUTDIMENSIONS_H
