//===- Scale.h - Elements multiplied or divided -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each element becomes the F64 of itself (exact), is multiplied with the factor
// or divided by it in double precision, and rounded once, to nearest even, to
// its own type. Subnormals are kept, NaN stays NaN with its sign and payload
// and becomes quiet, overflow is as in casts: infinity, NaN for E4M3. Exact
// where the factor is a power of two and the result is in the type's normal
// range.
//
//   BF16 1.0 · 1/3 = 0.333984375, the nearest BF16
//===----------------------------------------------------------------------===//
#ifndef AOA_RUNTIME_SCALE_H
#define AOA_RUNTIME_SCALE_H

#include "aoa/Support/DType.h"

#include <cstddef>

namespace aoa {

/// Scales `count` elements; `dst` and `src` may be unaligned and must not
/// overlap. Requires a factor that is finite and not 0. Returns how many finite
/// values became infinite or NaN.
using ScaleFn = int64_t (*)(std::byte *dst, const std::byte *src, int64_t count,
                            double factor);

/// Return the kernels for `dtype`, or null unless it is a float type.
ScaleFn findMultiply(DType dtype);
ScaleFn findDivide(DType dtype);

} // namespace aoa

#endif // AOA_RUNTIME_SCALE_H
