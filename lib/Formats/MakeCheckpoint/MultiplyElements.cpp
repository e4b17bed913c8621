//===- MultiplyElements.cpp - Scaled shards ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "MakeCheckpoint/MultiplyElements.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace aoa {

namespace {

struct FloatFormat {
  int exponentBits, fractionBits;
  bool hasInfinity = true; ///< If not, only the highest patterns are NaN.

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t highestField() const { return (uint64_t(1) << exponentBits) - 1; }
  uint64_t one() const { return uint64_t(1) << fractionBits; }
};

FloatFormat formatOf(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return {11, 52};
  case DType::F32:
    return {8, 23};
  case DType::F16:
    return {5, 10};
  case DType::BF16:
    return {8, 7};
  case DType::F8_E5M2:
    return {5, 2};
  default:
    assert(dtype == DType::F8_E4M3 && "only floating point is scaled");
    return {4, 3, false};
  }
}

/// Returns nothing for what is no finite number.
std::optional<double> decode(uint64_t bits, const FloatFormat &format) {
  uint64_t fraction = bits & (format.one() - 1);
  uint64_t field = bits >> format.fractionBits & format.highestField();
  if (field == format.highestField() &&
      (format.hasInfinity || fraction == format.one() - 1))
    return std::nullopt;
  int exponent = 1 - format.bias() - format.fractionBits;
  if (field != 0) {
    fraction |= format.one();
    exponent += static_cast<int>(field) - 1;
  }
  double value = std::ldexp(static_cast<double>(fraction), exponent);
  bool isNegative = bits >> (format.fractionBits + format.exponentBits) & 1;
  return isNegative ? -value : value;
}

uint64_t encode(double value, const FloatFormat &format) {
  uint64_t sign = static_cast<uint64_t>(std::signbit(value))
                  << (format.fractionBits + format.exponentBits);
  uint64_t beyond = format.highestField() << format.fractionBits |
                    (format.hasInfinity ? 0 : format.one() - 1);
  double size = std::fabs(value);
  if (std::isinf(size))
    return sign | beyond;
  // The distance of the values there; never below that of the subnormal ones.
  int lowest = 1 - format.bias() - format.fractionBits;
  int quantum = size == 0
                    ? lowest
                    : std::max(lowest, std::ilogb(size) - format.fractionBits);
  // Dividing by a power of two is exact here; the mode is to nearest even.
  auto steps =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(size, -quantum)));
  // A carry into the exponent comes out right by adding.
  uint64_t bits =
      (static_cast<uint64_t>(quantum - lowest) << format.fractionBits) + steps;
  return sign | std::min(bits, beyond);
}

} // namespace

void multiplyElements(char *elements, int64_t count, DType dtype,
                      double factor) {
  FloatFormat format = formatOf(dtype);
  auto size = static_cast<size_t>(bytesPerElement(dtype));
  for (; count != 0; --count, elements += size) {
    uint64_t bits = 0;
    if (dtype == DType::F64) { // Nothing to round after the product.
      double value;
      std::memcpy(&value, elements, sizeof value);
      if (std::isnan(value))
        continue;
      value *= factor;
      std::memcpy(elements, &value, sizeof value);
      continue;
    }
    for (size_t i = size; i-- != 0;)
      bits = bits << 8 | static_cast<unsigned char>(elements[i]);
    uint64_t signBit = uint64_t(1)
                       << (format.fractionBits + format.exponentBits);
    if (std::optional<double> value = decode(bits, format))
      bits = encode(*value * factor, format);
    else if (bool isInfinite =
                 format.hasInfinity && (bits & (format.one() - 1)) == 0;
             isInfinite && factor < 0)
      bits ^= signBit;
    for (size_t i = 0; i != size; ++i)
      elements[i] = static_cast<char>(bits >> (8 * i));
  }
}

} // namespace aoa
