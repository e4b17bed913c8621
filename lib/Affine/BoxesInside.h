//===- BoxesInside.h - Whether boxes lie inside others ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Disjoint boxes fill a region when their volumes add up to its own: so parts
// of the region that are full, or that nothing needs to lie in, are done at
// once, and the search goes on along the border only.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXESINSIDE_H
#define AOA_LIB_AFFINE_BOXESINSIDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace aoa::affine {

struct OutsidePoint {
  llvm::SmallVector<int64_t, 4> point;
  uint32_t box; ///< That holds it.
};

/// Returns a point of `boxes` outside of the union of `space`, if any. Both are
/// low and high bound of each axis, box by box, all inside of `region`.
/// Requires disjoint boxes in `space`. Cost: O(n log n) where the border is
/// short.
std::optional<OutsidePoint> findOutside(unsigned numAxes,
                                        llvm::ArrayRef<int64_t> boxes,
                                        llvm::ArrayRef<int64_t> space,
                                        llvm::ArrayRef<int64_t> region);

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXESINSIDE_H
