//===- ElementArithmetic.cpp - Numbers of scripts in tensors ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ElementArithmetic.h"
#include "ExactFloat.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

using namespace aoa;
using namespace aoa::reference;

//===----------------------------------------------------------------------===//
// Exact numbers
//===----------------------------------------------------------------------===//

namespace {

bool isOpaqueByte(DType dtype) {
  return dtype == DType::F8_E8M0 || dtype == DType::F8_E4M3FNUZ ||
         dtype == DType::F8_E5M2FNUZ;
}

/// The value of a byte of a dtype that is only moved; NaN is none.
std::optional<double> valueOfByte(unsigned bits, DType dtype) {
  if (dtype == DType::F8_E8M0)
    return bits == 255 ? std::nullopt
                       : std::optional(std::ldexp(1.0, int(bits) - 127));
  if (bits == 0x80)
    return std::nullopt;
  int fractionBits = dtype == DType::F8_E4M3FNUZ ? 3 : 2;
  int bias = dtype == DType::F8_E4M3FNUZ ? 8 : 16;
  int field = int(bits & 0x7f) >> fractionBits;
  int fraction = int(bits) & ((1 << fractionBits) - 1);
  int whole = field == 0 ? fraction : fraction + (1 << fractionBits);
  double value = std::ldexp(whole, std::max(field, 1) - bias - fractionBits);
  return bits & 0x80 ? -value : value;
}

std::optional<std::string> byteOf(double value, DType dtype) {
  for (unsigned bits = 0; bits != 256; ++bits)
    if (valueOfByte(bits, dtype) == value)
      return std::string(1, static_cast<char>(bits));
  return std::nullopt;
}

std::optional<std::string> integerOf(const Number &value, DType dtype) {
  int64_t whole = 0;
  if (const auto *written = std::get_if<int64_t>(&value)) {
    whole = *written;
  } else {
    double real = std::get<double>(value);
    if (real != std::floor(real) || real < -0x1p63 || real >= 0x1p63) {
      bool isLarge = dtype == DType::U64 && real == std::floor(real) &&
                     real > 0 && real < 0x1p64;
      if (!isLarge)
        return std::nullopt;
      return bytesOf(static_cast<uint64_t>(real), 8);
    }
    whole = static_cast<int64_t>(real);
  }
  if (dtype == DType::BOOL)
    return whole == 0 || whole == 1 ? std::optional(bytesOf(whole, 1))
                                    : std::nullopt;
  bool isSigned = nameOf(dtype).starts_with("I");
  unsigned width = bitsOf(dtype), valueBits = isSigned ? width - 1 : width;
  if (!isSigned && whole < 0)
    return std::nullopt;
  uint64_t magnitude = whole < 0 ? ~static_cast<uint64_t>(whole) : whole;
  if (valueBits < 64 && magnitude >> valueBits)
    return std::nullopt;
  return bytesOf(static_cast<uint64_t>(whole), width / 8);
}

Exact exactOf(const Number &value) {
  if (const auto *whole = std::get_if<int64_t>(&value)) {
    auto bits = static_cast<uint64_t>(*whole);
    return {Exact::Kind::Finite, *whole < 0, *whole < 0 ? -bits : bits};
  }
  return decode(std::bit_cast<uint64_t>(std::get<double>(value)),
                formatOf(DType::F64));
}

/// Whether two finite values are the same number.
bool equal(Exact a, Exact b) {
  for (Exact *each : {&a, &b})
    while (each->mantissa != 0 && each->mantissa % 2 == 0) {
      each->mantissa /= 2;
      ++each->exponent;
    }
  if (a.mantissa == 0 || b.mantissa == 0)
    return a.mantissa == b.mantissa;
  return a.negative == b.negative && a.mantissa == b.mantissa &&
         a.exponent == b.exponent;
}

} // namespace

std::optional<std::string> reference::elementOf(const Number &value,
                                                DType dtype) {
  if (isOpaqueByte(dtype)) {
    double real = std::holds_alternative<double>(value)
                      ? std::get<double>(value)
                      : static_cast<double>(std::get<int64_t>(value));
    return byteOf(real, dtype);
  }
  if (dtype == DType::C64) {
    auto real = elementOf(value, DType::F32);
    return real ? std::optional(*real + std::string(4, '\0')) : std::nullopt;
  }
  if (!hasWholeBytes(dtype))
    return std::nullopt;
  if (classOf(dtype) != DTypeClass::Float)
    return integerOf(value, dtype);
  Exact wanted = exactOf(value);
  uint64_t bits = encode(wanted, formatOf(dtype));
  Exact made = decode(bits, formatOf(dtype));
  if (wanted.kind != Exact::Kind::Finite || made.kind != Exact::Kind::Finite ||
      !equal(wanted, made))
    return std::nullopt;
  return bytesOf(bits, bytesPerElement(dtype));
}

std::optional<std::string> reference::nearestElementOf(const Number &value,
                                                       DType dtype) {
  if (classOf(dtype) != DTypeClass::Float)
    return elementOf(value, dtype);
  return bytesOf(encode(exactOf(value), formatOf(dtype)),
                 bytesPerElement(dtype));
}

//===----------------------------------------------------------------------===//
// Scale and plus
//===----------------------------------------------------------------------===//

namespace {

/// The sum of two finite numbers, as exact as rounding it needs. Both mantissas
/// have at most 53 bits.
Exact sum(Exact a, Exact b) {
  if (a.mantissa == 0 && b.mantissa == 0)
    return {Exact::Kind::Finite, a.negative && b.negative};
  if (a.mantissa == 0)
    return b;
  if (b.mantissa == 0)
    return a;
  auto widthOf = [](const Exact &each) {
    return static_cast<int>(std::bit_width(each.mantissa));
  };
  auto top = [&](const Exact &each) { return each.exponent + widthOf(each); };
  if (top(a) < top(b))
    std::swap(a, b);
  // The larger one has its highest bit at 119; of the smaller one only whether
  // anything is left matters below bit 0.
  int up = 120 - widthOf(a);
  int unit = a.exponent - up;
  WideMantissa large = WideMantissa(a.mantissa) << up, small = 0;
  int shift = b.exponent - unit;
  bool isMore = false;
  if (shift >= 0) {
    small = WideMantissa(b.mantissa) << shift;
  } else {
    isMore = -shift >= 64 || b.mantissa & ((uint64_t(1) << -shift) - 1);
    small = -shift >= 64 ? 0 : b.mantissa >> -shift;
  }
  bool negative = a.negative;
  if (a.negative == b.negative)
    return narrowed(negative, large + small, unit, isMore);
  if (small + isMore > large) { // Of the same size, and so exact.
    std::swap(large, small);
    negative = !negative;
  }
  WideMantissa difference = large - small - isMore;
  if (difference == 0 && !isMore)
    return {Exact::Kind::Finite, false};
  return narrowed(negative, difference, unit, isMore);
}

template <typename Combine>
std::string computed(std::string_view bytes, DType dtype, double number,
                     Combine combine) {
  const FloatFormat format = formatOf(dtype);
  const FloatFormat computes =
      formatOf(dtype == DType::F64 ? DType::F64 : DType::F32);
  Exact value = decode(bitsFrom(bytes), format);
  // The number itself is one of the dtype that computes.
  Exact other = decode(std::bit_cast<uint64_t>(number), formatOf(DType::F64));
  other = decode(encode(other, computes), computes);
  assert(other.kind == Exact::Kind::Finite && "the analysis refused this");
  Exact made = combine(value, other);
  made = decode(encode(made, computes), computes);
  return bytesOf(encode(made, format), bytesPerElement(dtype));
}

} // namespace

std::string reference::scaled(std::string_view bytes, DType dtype,
                              double factor) {
  return computed(bytes, dtype, factor, [](Exact value, const Exact &other) {
    if (value.kind == Exact::Kind::Finite)
      return product(value, other);
    if (value.kind == Exact::Kind::Infinite)
      value.negative ^= other.negative;
    return value;
  });
}

std::string reference::increased(std::string_view bytes, DType dtype,
                                 double addend) {
  return computed(
      bytes, dtype, addend, [](const Exact &value, const Exact &other) {
        return value.kind == Exact::Kind::Finite ? sum(value, other) : value;
      });
}
