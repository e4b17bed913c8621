//===- FloatBits.h - Floating-point formats as integers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every format here has at most F64's exponents and fraction bits, so widening
// to F64 is exact and any cast is: widen, then round once. Only integers are
// used: rounding modes and flush-to-zero of the process do not matter.
//
// NaN keeps its sign and the leading bits of its payload and becomes quiet, as
// IEEE hardware does it. E4M3 has one NaN, 0x7f with either sign.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_FLOATBITS_H
#define AOA_LIB_RUNTIME_FLOATBITS_H

#include "aoa/Support/DType.h"

#include <bit>
#include <cstdint>

namespace aoa {

template <DType> struct FloatFormat;

template <typename BitsType, int EXPONENT_BITS, int FRACTION_BITS,
          bool HAS_INFINITY = true>
struct FloatFormatOf {
  using Bits = BitsType;
  static constexpr int exponentBits = EXPONENT_BITS;
  static constexpr int fractionBits = FRACTION_BITS;
  static constexpr bool hasInfinity = HAS_INFINITY;
  static constexpr int bias = (1 << (exponentBits - 1)) - 1;
  static constexpr uint64_t signBit = uint64_t(1)
                                      << (exponentBits + fractionBits);
  static constexpr uint64_t fractionMask = (uint64_t(1) << fractionBits) - 1;
  static constexpr uint64_t exponentMask = (uint64_t(1) << exponentBits) - 1;
  /// First magnitude that is no finite value: infinity, or E4M3's NaN.
  static constexpr uint64_t firstNotFinite =
      hasInfinity ? exponentMask << fractionBits : signBit - 1;
};

template <> struct FloatFormat<DType::F64> : FloatFormatOf<uint64_t, 11, 52> {};
template <> struct FloatFormat<DType::F32> : FloatFormatOf<uint32_t, 8, 23> {};
template <> struct FloatFormat<DType::F16> : FloatFormatOf<uint16_t, 5, 10> {};
template <> struct FloatFormat<DType::BF16> : FloatFormatOf<uint16_t, 8, 7> {};
template <>
struct FloatFormat<DType::F8_E5M2> : FloatFormatOf<uint8_t, 5, 2> {};
template <>
struct FloatFormat<DType::F8_E4M3> : FloatFormatOf<uint8_t, 4, 3, false> {};

using F64Format = FloatFormat<DType::F64>;

/// Returns the bits of the F64 that is exactly `bits`.
template <typename Format> uint64_t widenToF64(typename Format::Bits bits) {
  if constexpr (Format::fractionBits == F64Format::fractionBits) {
    return bits;
  } else {
    constexpr int shift = F64Format::fractionBits - Format::fractionBits;
    const uint64_t sign = bits & Format::signBit ? F64Format::signBit : 0;
    const uint64_t magnitude = bits & (Format::signBit - 1);
    const uint64_t fraction = bits & Format::fractionMask;
    if (magnitude >= Format::firstNotFinite) {
      constexpr uint64_t infinity = F64Format::firstNotFinite;
      if constexpr (Format::hasInfinity)
        if (magnitude == Format::firstNotFinite)
          return sign | infinity;
      const uint64_t payload = Format::hasInfinity ? fraction << shift : 0;
      constexpr uint64_t quiet = uint64_t(1) << (F64Format::fractionBits - 1);
      return sign | infinity | quiet | payload;
    }
    if (magnitude == 0)
      return sign;
    constexpr uint64_t rebias = uint64_t(F64Format::bias - Format::bias)
                                << F64Format::fractionBits;
    if (magnitude > Format::fractionMask)
      return sign | ((magnitude << shift) + rebias);
    // Subnormal: shift the leading bit to where the hidden one belongs, which
    // adds one to the exponent field.
    const int up = std::countl_zero(fraction) - (63 - Format::fractionBits);
    return sign | (((fraction << (up + shift)) + rebias) -
                   (uint64_t(up) << F64Format::fractionBits));
  }
}

/// Rounds the F64 `bits` to the nearest value of `Format`, ties to even, and
/// adds 1 to `overflows` if a finite value became infinite or NaN.
template <typename Format>
typename Format::Bits roundFromF64(uint64_t bits, int64_t &overflows) {
  using Bits = typename Format::Bits;
  if constexpr (Format::fractionBits == F64Format::fractionBits) {
    return bits;
  } else {
    constexpr int shift = F64Format::fractionBits - Format::fractionBits;
    const uint64_t sign = bits & F64Format::signBit ? Format::signBit : 0;
    const uint64_t magnitude = bits & (F64Format::signBit - 1);
    const uint64_t fraction = bits & F64Format::fractionMask;
    if (magnitude > F64Format::firstNotFinite) {
      if constexpr (Format::hasInfinity) {
        constexpr uint64_t quiet = uint64_t(1) << (Format::fractionBits - 1);
        return Bits(sign | Format::firstNotFinite | quiet |
                    (fraction >> shift));
      } else {
        return Bits(sign | Format::firstNotFinite);
      }
    }
    if (magnitude == F64Format::firstNotFinite)
      return Bits(sign | Format::firstNotFinite);

    constexpr uint64_t rebias = uint64_t(F64Format::bias - Format::bias)
                                << F64Format::fractionBits;
    uint64_t value = magnitude;
    int drop = shift;
    if (const int64_t exponent = int64_t(magnitude >> F64Format::fractionBits) -
                                 (F64Format::bias - Format::bias);
        exponent >= 1) {
      value -= rebias;
    } else {
      // The result is subnormal: the hidden bit becomes a fraction bit. From 54
      // dropped bits on everything is less than half of the smallest value.
      const bool isSubnormal = magnitude <= F64Format::fractionMask;
      value = fraction | (isSubnormal ? 0 : uint64_t(1) << 52);
      const int64_t below = 1 - (exponent + isSubnormal);
      drop = int(shift + (below < 64 ? below : 64));
      if (drop > 54)
        return Bits(sign);
    }
    const uint64_t half = uint64_t(1) << (drop - 1);
    const uint64_t isOdd = value >> drop & 1;
    const uint64_t rounded = (value + (half - 1) + isOdd) >> drop;
    if (rounded >= Format::firstNotFinite) {
      ++overflows;
      return Bits(sign | Format::firstNotFinite);
    }
    return Bits(sign | rounded);
  }
}

/// Rounds a whole number to the nearest value of `Format`, ties to even, and
/// adds 1 to `overflows` if it became infinite or NaN. Not by way of F64, which
/// does not hold all numbers of 64 bits.
template <typename Format>
typename Format::Bits roundInteger(bool isNegative, uint64_t magnitude,
                                   int64_t &overflows) {
  using Bits = typename Format::Bits;
  if (magnitude == 0)
    return 0;
  // 1.f · 2^exponent is normal in every format, or too large for it.
  const int exponent = 63 - std::countl_zero(magnitude);
  const int drop = exponent - Format::fractionBits;
  uint64_t significand;
  if (drop <= 0) {
    significand = magnitude << -drop;
  } else {
    const uint64_t half = uint64_t(1) << (drop - 1);
    const uint64_t rest = magnitude & (2 * half - 1);
    significand = magnitude >> drop;
    significand += rest > half || (rest == half && significand % 2 == 1);
  }
  // The hidden bit, and a carry out of the fraction, add one to the exponent.
  const uint64_t sign = isNegative ? Format::signBit : 0;
  const uint64_t rounded =
      (uint64_t(exponent + Format::bias - 1) << Format::fractionBits) +
      significand;
  if (rounded >= Format::firstNotFinite) {
    ++overflows;
    return Bits(sign | Format::firstNotFinite);
  }
  return Bits(sign | rounded);
}

} // namespace aoa

#endif // AOA_LIB_RUNTIME_FLOATBITS_H
