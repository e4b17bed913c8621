//===- Extents.h - Shapes, strides and indexes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AFFINE_EXTENTS_H
#define AOA_AFFINE_EXTENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace aoa::affine {

/// One number a dimension: a shape, strides, an offset or an index.
using Extents = llvm::SmallVector<int64_t, 4>;

/// Returns the strides of a row-major tensor, in elements. Extents of 0 count
/// as 1. Requires a shape whose product fits in int64_t.
Extents rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Returns the index of element `address` of a row-major tensor.
Extents indexOf(int64_t address, llvm::ArrayRef<int64_t> shape);

} // namespace aoa::affine

#endif // AOA_AFFINE_EXTENTS_H
