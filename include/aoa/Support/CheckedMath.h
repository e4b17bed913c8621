//===- CheckedMath.h - int64_t arithmetic that says no ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// All index and byte arithmetic on numbers that come from files or scripts goes
// through these: a result that does not fit is `std::nullopt`, never a wrapped
// number.
//===----------------------------------------------------------------------===//
#ifndef AOA_SUPPORT_CHECKEDMATH_H
#define AOA_SUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <optional>
#include <span>

namespace aoa {

inline std::optional<int64_t> checkedAdd(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    return std::nullopt;
  return sum;
}

inline std::optional<int64_t> checkedSub(int64_t a, int64_t b) {
  int64_t difference;
  if (__builtin_sub_overflow(a, b, &difference))
    return std::nullopt;
  return difference;
}

inline std::optional<int64_t> checkedMul(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

/// Tensors, shards and flat buffers have fewer elements than this: the sum of
/// two addresses, or of an address and an extent, fits in 64 bits then, and
/// geometry on checked tensors cannot overflow.
constexpr int64_t elementLimit = int64_t(1) << 62;

/// Returns the number of elements of a tensor of `shape` (1 for a scalar), or
/// nothing if an extent is negative or the product of the extents reaches
/// `elementLimit`. A zero extent does not hide what the others have: [2^40,
/// 2^40, 0] is refused, because a reader that skips the check there has been
/// exploited.
inline std::optional<int64_t>
checkedNumElements(std::span<const int64_t> shape) {
  int64_t product = 1;
  bool empty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    if (extent == 0) {
      empty = true;
      continue;
    }
    if (__builtin_mul_overflow(product, extent, &product) ||
        product >= elementLimit)
      return std::nullopt;
  }
  return empty ? 0 : product;
}

/// Returns ⌈a / b⌉. Requires a >= 0 and b > 0.
constexpr int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

} // namespace aoa

#endif // AOA_SUPPORT_CHECKEDMATH_H
