//===- Scale.h - Elements multiplied, divided, added to ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two kinds of arithmetic (Support/ElementOps.h says what they are for):
// - Multiply and Divide: each element becomes the F64 of itself (exact), is
//   multiplied with the number or divided by it in double precision, and
//   rounded once, to nearest even, to its own type.
// - Scale and Plus: element and number become F32, the exact product or sum is
//   rounded to F32 and then to the element's type; for F64 all is F64.
// Subnormals are kept, NaN stays NaN with its sign and payload
// and becomes quiet, overflow is as in casts: infinity, NaN for E4M3. Exact
// where the factor is a power of two and the result is in the type's normal
// range.
//
//   BF16 1.0 · 1/3 = 0.333984375, the nearest BF16
//   F16 1.0 plus 2^-11 + 2^-25: F32 makes 1 + 2^-11 of it, and F16, by the even
//   neighbour, 1
//===----------------------------------------------------------------------===//
#ifndef AOA_RUNTIME_SCALE_H
#define AOA_RUNTIME_SCALE_H

#include "aoa/Support/DType.h"

#include <cstddef>

namespace aoa {

/// Computes `count` elements; `dst` and `src` may be unaligned and must not
/// overlap. Requires a number as ElementOp says. Returns how many finite values
/// became infinite or NaN.
using ScaleFn = int64_t (*)(std::byte *dst, const std::byte *src, int64_t count,
                            double number);

/// Return the kernels for `dtype`, or null unless it is a float type.
ScaleFn findMultiply(DType dtype);
ScaleFn findDivide(DType dtype);
ScaleFn findScale(DType dtype);
ScaleFn findPlus(DType dtype);

} // namespace aoa

#endif // AOA_RUNTIME_SCALE_H
