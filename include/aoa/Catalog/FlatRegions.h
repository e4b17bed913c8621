//===- FlatRegions.h - Who holds which addresses ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Strided views of one row-major buffer, cut into regions that the same views
// hold throughout:
//
//   buffer of 8; view 0 {[4], 0, [1]}; view 1 {[2], 3, [3]}
//   held by 0: {0, 1, 2}; by 0 and 1: {3}; by none: {4, 5, 7}; by 1: {6}
//
// Exact for any strides, without looking at elements. Addresses are read as
// digits of a mixed radix, whose units are strides that divide each other; a
// view is a few boxes of digits, and boxes are split at each other's bounds
// until every region is inside or outside of each. A stride that divides no
// other costs a box for each of its steps. Cost: for views that are disjoint or
// equal about views times the logarithm of their number, times digits.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_FLATREGIONS_H
#define AOA_CATALOG_FLATREGIONS_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/Error.h"

#include <functional>
#include <span>

namespace aoa {

/// A strided view of a flat buffer, in elements. No extent is zero.
struct FlatView {
  Shape shape;
  int64_t offset = 0;
  Shape strides; ///< None negative.
};

FlatView fullViewOf(const StridedBlock &block);
FlatView shardViewOf(const StridedBlock &block);
/// Returns `block` as strided views of row-major buffers of the shapes.
StridedBlock stridedOf(const Block &block, const Shape &fullShape,
                       const Shape &localShape);

/// Returns the last address of the view if it is not below `numElements`.
/// `INT64_MAX` stands for all that is beyond 64 bits.
std::optional<int64_t> addressOutside(const FlatView &view,
                                      int64_t numElements);

/// Calls `visit(address, holders)` for regions that together are the buffer:
/// `address` is the lowest of a region, `holders` the views that hold it,
/// ascending, one that holds it twice twice. Where a view holds addresses twice
/// one of those is visited on its own, before the rest. Ends when `visit`
/// returns false. Requires views inside the buffer. Fails when the views are
/// cut in more ways than can be looked at.
Expected<void> forEachFlatRegion(
    std::span<const FlatView> views, int64_t numElements,
    const std::function<bool(int64_t, std::span<const uint32_t>)> &visit);

/// Returns `[1, 2]`, the index of a flat address in a row-major tensor.
std::string formatIndexOf(int64_t address, const Shape &shape);

} // namespace aoa

#endif // AOA_CATALOG_FLATREGIONS_H
