//===- StridedView.h - A block of a flat buffer -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What `as_strided` takes: {offset : strides} over a flat buffer, in elements.
// Element i of a block of some shape lies at offset + Σ i·strides. A stride may
// be 0 (one element seen several times) and in any order; none is negative.
//
//   shape [2, 3], {4 : 1, 2}   addresses 4 6 8, 5 7 9
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_STRIDEDVIEW_H
#define AOA_AFFINE_STRIDEDVIEW_H

#include "aoa/Affine/Extents.h"
#include "llvm/Support/raw_ostream.h"

namespace aoa::affine {

struct StridedView {
  int64_t offset = 0;
  Extents strides;
  friend bool operator==(const StridedView &, const StridedView &) = default;
};

/// Returns the view of a whole row-major tensor.
StridedView wholeView(llvm::ArrayRef<int64_t> shape);

/// Prints `{4 : 1, 2}`, or `{4}` for a scalar.
void print(llvm::raw_ostream &os, int64_t offset,
           llvm::ArrayRef<int64_t> strides);

} // namespace aoa::affine

#endif // AOA_AFFINE_STRIDEDVIEW_H
