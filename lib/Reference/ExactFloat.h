//===- ExactFloat.h - Floats as exact numbers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A finite float is (-1)^s · m · 2^e with whole m, an integer one with e = 0.
// Rounding looks for the whole number nearest to m · 2^(e - q), where 2^q is
// the distance of the target's values there. One routine for all formats, told
// apart by numbers only.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_REFERENCE_EXACTFLOAT_H
#define AOA_LIB_REFERENCE_EXACTFLOAT_H

#include "aoa/Support/DType.h"

#include <string>
#include <string_view>

namespace aoa::reference {

struct FloatFormat {
  int exponentBits, fractionBits;
  bool hasInfinity; ///< If not, only the highest pattern is no number.

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int bits() const { return 1 + exponentBits + fractionBits; }
  uint64_t highestField() const { return (uint64_t(1) << exponentBits) - 1; }
  uint64_t highestFraction() const { return (uint64_t(1) << fractionBits) - 1; }
};

/// Requires one of the dtypes that have casts.
FloatFormat formatOf(DType dtype);

struct Exact {
  enum class Kind { Finite, Infinite, NaN } kind;
  bool negative;
  uint64_t mantissa = 0; ///< Finite.
  int exponent = 0;      ///< Finite.
  uint64_t payload = 0;  ///< NaN: leading fraction bits, left-aligned in 64.
};

/// The value of a bit pattern, and the pattern of the nearest value.
Exact decode(uint64_t bits, const FloatFormat &format);
uint64_t encode(const Exact &value, const FloatFormat &format);

/// The bits of one element in little endian order.
uint64_t bitsFrom(std::string_view bytes);
std::string bytesOf(uint64_t bits, size_t size);

__extension__ using WideMantissa = unsigned __int128;
/// Returns about `wide` · 2^exponent with a mantissa that `encode` rounds: what
/// does not fit, and `more` behind it, only matters by not being 0. Far more
/// bits than a double's.
Exact narrowed(bool negative, WideMantissa wide, int exponent, bool more);

/// The product of two finite numbers, as exact as rounding it needs.
Exact product(const Exact &a, const Exact &b);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_EXACTFLOAT_H
