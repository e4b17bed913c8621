//===- ExactValue.cpp - One number as an element of a tensor ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Support/ExactValue.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace aoa;

namespace {

std::string littleEndian(uint64_t bits, unsigned numBytes) {
  std::string bytes;
  for (unsigned i = 0; i < numBytes; ++i)
    bytes += static_cast<char>(bits >> (8 * i) & 0xff);
  return bytes;
}

template <typename Int> std::optional<std::string> encodeInteger(double value) {
  // Both bounds are exact: the upper one is a power of two, not max().
  constexpr int numBits = std::numeric_limits<Int>::digits;
  double low =
      std::numeric_limits<Int>::is_signed ? -std::ldexp(1, numBits) : 0;
  if (!(value >= low && value < std::ldexp(1, numBits)) ||
      value != std::trunc(value))
    return std::nullopt;
  return littleEndian(static_cast<uint64_t>(static_cast<Int>(value)),
                      sizeof(Int));
}

/// A binary floating-point format: sign, exponent, mantissa.
struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  int bias;
  double largest;
  bool hasNegativeZero = true;
};

std::optional<std::string> encodeFloat(double value, FloatFormat format) {
  if (!std::isfinite(value) || std::fabs(value) > format.largest)
    return std::nullopt;
  int numBits = 1 + format.exponentBits + format.mantissaBits;
  bool negative = std::signbit(value);
  if (value == 0) {
    if (negative && !format.hasNegativeZero)
      return std::nullopt;
    return littleEndian(uint64_t{negative} << (numBits - 1), numBits / 8);
  }
  // |value| = mantissa · 2^(exponent - mantissaBits), in [1, 2) if normal.
  int exponent = std::ilogb(value);
  bool subnormal = exponent < 1 - format.bias;
  if (subnormal)
    exponent = 1 - format.bias;
  double mantissa =
      std::ldexp(std::fabs(value), format.mantissaBits - exponent);
  if (mantissa != std::trunc(mantissa))
    return std::nullopt;
  auto bits = static_cast<uint64_t>(mantissa);
  if (!subnormal)
    bits += static_cast<uint64_t>(exponent + format.bias - 1)
            << format.mantissaBits;
  bits |= uint64_t{negative} << (numBits - 1);
  return littleEndian(bits, numBits / 8);
}

std::optional<std::string> encodeF32(double value) {
  return encodeFloat(value,
                     {8, 23, 127, double{std::numeric_limits<float>::max()}});
}

} // namespace

std::optional<std::string> aoa::encodeExactly(double value, DType dtype) {
  switch (dtype) {
  case DType::BOOL:
    if (value != 0 && value != 1)
      return std::nullopt;
    return littleEndian(value == 1, 1);
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
    return std::nullopt;
  case DType::U8:
    return encodeInteger<uint8_t>(value);
  case DType::I8:
    return encodeInteger<int8_t>(value);
  case DType::F8_E5M2:
    return encodeFloat(value, {5, 2, 15, 57344});
  case DType::F8_E4M3:
    return encodeFloat(value, {4, 3, 7, 448});
  case DType::F8_E8M0: {
    int exponent = 0;
    if (!std::isfinite(value) || std::frexp(value, &exponent) != 0.5 ||
        exponent < -126 || exponent > 128)
      return std::nullopt;
    return littleEndian(static_cast<uint64_t>(exponent + 126), 1);
  }
  case DType::F8_E4M3FNUZ:
    return encodeFloat(value, {4, 3, 8, 240, false});
  case DType::F8_E5M2FNUZ:
    return encodeFloat(value, {5, 2, 16, 57344, false});
  case DType::I16:
    return encodeInteger<int16_t>(value);
  case DType::U16:
    return encodeInteger<uint16_t>(value);
  case DType::F16:
    return encodeFloat(value, {5, 10, 15, 65504});
  case DType::BF16:
    return encodeFloat(value, {8, 7, 127, 0x1.FEp127});
  case DType::I32:
    return encodeInteger<int32_t>(value);
  case DType::U32:
    return encodeInteger<uint32_t>(value);
  case DType::F32:
    return encodeF32(value);
  case DType::C64:
    if (std::optional<std::string> real = encodeF32(value))
      return *real + std::string(4, '\0');
    return std::nullopt;
  case DType::F64:
    if (!std::isfinite(value))
      return std::nullopt;
    return littleEndian(std::bit_cast<uint64_t>(value), 8);
  case DType::I64:
    return encodeInteger<int64_t>(value);
  case DType::U64:
    return encodeInteger<uint64_t>(value);
  }
  return std::nullopt;
}
