//===- StridedCast.h - Blocks converted between two layouts -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_RUNTIME_STRIDEDCAST_H
#define AOA_LIB_RUNTIME_STRIDEDCAST_H

#include "StridedCopy.h"
#include "aoa/Runtime/Cast.h"
#include "aoa/Runtime/Scale.h"
#include "aoa/Support/ElementOps.h"

#include <vector>

namespace aoa {

/// A cast or an operation of arithmetic, ready to run.
struct ElementStep {
  CastFn cast = nullptr;   ///< Null in arithmetic.
  ScaleFn scale = nullptr; ///< Null in a cast.
  double number = 1;

  /// Returns how many finite values became infinite or NaN.
  int64_t operator()(std::byte *dst, const std::byte *src,
                     int64_t count) const {
    return cast ? cast(dst, src, count) : scale(dst, src, count, number);
  }
};

/// What an element goes through on its way.
struct CastSteps {
  int64_t srcBytes; ///< Of one element. 1 for dtypes without whole bytes.
  int64_t dstBytes;
  std::vector<ElementStep> steps; ///< Empty: bytes move as they are.

  /// Requires operations that verifyPlan accepts.
  explicit CastSteps(const ElementOps &ops);
};

/// Two buffers of `elements` elements of up to 8 bytes.
struct CastScratch {
  std::byte *buffers[2];
  int64_t elements;
};

/// Converts an N-d block, whose strides are in bytes of either side's dtype.
/// Works in leaves that fit `scratch`: gathered, converted, scattered; where
/// source strides are 0, once, and the result is copied. Returns how many
/// elements of the target are infinite or NaN of finite values.
int64_t castStrided(std::byte *dst, const std::byte *src,
                    std::span<const ByteDim> dims, const CastSteps &cast,
                    const CastScratch &scratch);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_STRIDEDCAST_H
