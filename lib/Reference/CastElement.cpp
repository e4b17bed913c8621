//===- CastElement.cpp - Casts by arithmetic on exact values ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Also the scalings of shards: they multiply and divide the whole numbers.
//===----------------------------------------------------------------------===//
#include "ExactFloat.h"
#include "aoa/Reference/Evaluate.h"

#include <bit>
#include <cassert>

using namespace aoa;
using namespace aoa::reference;

FloatFormat reference::formatOf(DType dtype) {
  if (dtype == DType::F64)
    return {11, 52, true};
  if (dtype == DType::F32)
    return {8, 23, true};
  if (dtype == DType::F16)
    return {5, 10, true};
  if (dtype == DType::BF16)
    return {8, 7, true};
  if (dtype == DType::F8_E5M2)
    return {5, 2, true};
  assert(dtype == DType::F8_E4M3 && "the other dtypes have no casts");
  return {4, 3, false};
}

uint64_t reference::bitsFrom(std::string_view bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i != bytes.size(); ++i)
    bits |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return bits;
}

std::string reference::bytesOf(uint64_t bits, size_t size) {
  std::string bytes;
  for (size_t i = 0; i != size; ++i)
    bytes += static_cast<char>(bits >> (8 * i));
  return bytes;
}

Exact reference::decode(uint64_t bits, const FloatFormat &format) {
  bool negative = bits >> (format.bits() - 1) & 1;
  uint64_t field = bits >> format.fractionBits & format.highestField();
  uint64_t fraction = bits & format.highestFraction();
  if (field == format.highestField()) {
    if (!format.hasInfinity && fraction == format.highestFraction())
      return {Exact::Kind::NaN, negative};
    if (format.hasInfinity && fraction == 0)
      return {Exact::Kind::Infinite, negative};
    if (format.hasInfinity)
      return {Exact::Kind::NaN, negative, 0, 0,
              fraction << (64 - format.fractionBits)};
  }
  int lowest = 1 - format.bias() - format.fractionBits;
  if (field == 0)
    return {Exact::Kind::Finite, negative, fraction, lowest};
  return {Exact::Kind::Finite, negative,
          fraction | uint64_t(1) << format.fractionBits,
          lowest + static_cast<int>(field) - 1};
}

namespace {

/// Returns m · 2^-shift rounded to the nearest whole number, ties to even.
uint64_t shiftRight(uint64_t m, int shift) {
  if (shift <= 0)
    return m << -shift;
  if (shift > 63)
    return 0; // Only a float is that small, m < 2^53: less than a half.
  uint64_t whole = m >> shift, rest = m & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  return whole + (rest > half || (rest == half && whole % 2 == 1));
}

/// The pattern above all finite ones: infinity, or the NaN of a format without.
uint64_t beyond(const FloatFormat &format) {
  return format.highestField() << format.fractionBits |
         (format.hasInfinity ? 0 : format.highestFraction());
}

/// The value of an integer, or of BOOL, whose bytes other than 0 are all 1.
Exact decodeInteger(uint64_t bits, DType dtype) {
  if (classOf(dtype) == DTypeClass::Bool)
    return {Exact::Kind::Finite, false, bits != 0};
  bool isSigned = nameOf(dtype).starts_with("I");
  unsigned width = bitsOf(dtype);
  if (!isSigned || !(bits >> (width - 1) & 1))
    return {Exact::Kind::Finite, false, bits};
  if (width < 64)
    bits |= ~uint64_t(0) << width;
  return {Exact::Kind::Finite, true, -bits};
}

/// The two's complement of a whole number, wide enough for every integer.
uint64_t encodeInteger(const Exact &value) {
  return value.negative ? -value.mantissa : value.mantissa;
}

uint64_t encodeFinite(const Exact &value, const FloatFormat &format) {
  if (value.mantissa == 0)
    return 0;
  int lowest = 1 - format.bias() - format.fractionBits;
  int numBits = std::bit_width(value.mantissa);
  int unit =
      std::max(value.exponent + numBits - (format.fractionBits + 1), lowest);
  uint64_t m = shiftRight(value.mantissa, unit - value.exponent);
  if (m >> (format.fractionBits + 1)) { // Rounded up to the next power of two.
    m >>= 1;
    ++unit;
  }
  // Subnormals have no hidden bit, and field 0.
  bool isNormal = m >> format.fractionBits;
  uint64_t field = isNormal ? unit - lowest + 1 : 0;
  uint64_t bits = field << format.fractionBits | (m & format.highestFraction());
  return std::min(bits, beyond(format));
}

} // namespace

uint64_t reference::encode(const Exact &value, const FloatFormat &format) {
  uint64_t sign = uint64_t(value.negative) << (format.bits() - 1);
  switch (value.kind) {
  case Exact::Kind::Finite:
    return sign | encodeFinite(value, format);
  case Exact::Kind::Infinite:
    return sign | beyond(format);
  case Exact::Kind::NaN:
    if (!format.hasInfinity)
      return sign | beyond(format);
    return sign | beyond(format) | uint64_t(1) << (format.fractionBits - 1) |
           value.payload >> (64 - format.fractionBits);
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Scalings
//===----------------------------------------------------------------------===//

Exact reference::narrowed(bool negative, WideMantissa wide, int exponent,
                          bool more) {
  while (wide >> 62) {
    more |= wide & 1;
    wide >>= 1;
    ++exponent;
  }
  return {Exact::Kind::Finite, negative, static_cast<uint64_t>(wide) | more,
          exponent};
}

Exact reference::product(const Exact &a, const Exact &b) {
  return narrowed(a.negative != b.negative,
                  WideMantissa(a.mantissa) * b.mantissa,
                  a.exponent + b.exponent, false);
}

namespace {

Exact quotient(const Exact &a, const Exact &b) {
  // Shifted as far as 128 bits go: at least 74 bits of the quotient.
  int up = 127 - std::bit_width(a.mantissa);
  WideMantissa dividend = WideMantissa(a.mantissa) << up;
  return narrowed(a.negative != b.negative, dividend / b.mantissa,
                  a.exponent - up - b.exponent, dividend % b.mantissa != 0);
}

template <typename Combine>
std::string scaleElement(std::string_view bytes, DType dtype, double factor,
                         Combine combine) {
  const FloatFormat f64 = formatOf(DType::F64);
  Exact value = decode(bitsFrom(bytes), formatOf(dtype));
  Exact scale = decode(std::bit_cast<uint64_t>(factor), f64);
  if (value.kind == Exact::Kind::Finite)
    value = combine(value, scale);
  else if (value.kind == Exact::Kind::Infinite)
    value.negative ^= scale.negative;
  Exact inF64 = decode(encode(value, f64), f64);
  return bytesOf(encode(inF64, formatOf(dtype)), bytesPerElement(dtype));
}

} // namespace

std::string reference::multiplyElement(std::string_view bytes, DType dtype,
                                       double factor) {
  return scaleElement(bytes, dtype, factor, product);
}

std::string reference::divideElement(std::string_view bytes, DType dtype,
                                     double factor) {
  return scaleElement(bytes, dtype, factor, quotient);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

bool reference::holdsEveryValue(DType to, DType from) {
  if (classOf(to) != DTypeClass::Float || classOf(from) != DTypeClass::Float)
    return to == from;
  // True of these formats, whose exponents lie around 0.
  FloatFormat dst = formatOf(to), src = formatOf(from);
  return dst.exponentBits >= src.exponentBits &&
         dst.fractionBits >= src.fractionBits;
}

std::string reference::castElement(std::string_view bytes, DType from,
                                   DType to) {
  assert(canConvert(from, to) && "the analysis refused this");
  if (from == to)
    return std::string(bytes);
  uint64_t bits = bitsFrom(bytes);
  size_t size = bytesPerElement(to);
  Exact value = classOf(from) == DTypeClass::Float
                    ? decode(bits, formatOf(from))
                    : decodeInteger(bits, from);
  return bytesOf(classOf(to) == DTypeClass::Float ? encode(value, formatOf(to))
                                                  : encodeInteger(value),
                 size);
}
