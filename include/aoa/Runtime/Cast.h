//===- Cast.h - Element types converted, bit for bit ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Among F64 F32 F16 BF16 F8_E4M3 F8_E5M2: one rounding to nearest even, from
// the source's exact value (F64 → BF16 is not by way of F32), subnormals kept,
// NaN stays NaN with its sign and the leading bits of its payload and becomes
// quiet (E4M3 has one NaN, 0x7f, from and to which no payload goes), overflow
// as in PyTorch: infinity; NaN for E4M3, which has no infinity. Integers and
// BOOL widen, or become floats with one rounding to nearest even; a BOOL byte
// other than 0 is 1. Written with integer arithmetic, so every machine gives
// the same bits.
//===----------------------------------------------------------------------===//
#ifndef AOA_RUNTIME_CAST_H
#define AOA_RUNTIME_CAST_H

#include "aoa/Support/DType.h"

#include <cstddef>

namespace aoa {

/// Converts `count` elements; `dst` and `src` may be unaligned and must not
/// overlap. Returns how many finite values became infinite or NaN.
using CastFn = int64_t (*)(std::byte *dst, const std::byte *src, int64_t count);

/// Returns the kernel for `from` → `to`, or null unless canConvert(from, to).
CastFn findCast(DType from, DType to);

} // namespace aoa

#endif // AOA_RUNTIME_CAST_H
