//===- CastTest.cpp - Casts against slow arithmetic -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The reference works on `long double` values with frexp and nearbyint, and
// finds the neighbours of a value by arithmetic, not on bits.
//===----------------------------------------------------------------------===//
#include "aoa/Runtime/Cast.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace aoa {
namespace {

struct Format {
  DType dtype;
  int exponentBits, fractionBits;
  bool hasInfinity;
  int bytes() const { return static_cast<int>(bytesPerElement(dtype)); }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
};

const Format formats[] = {
    {DType::F64, 11, 52, true},    {DType::F32, 8, 23, true},
    {DType::F16, 5, 10, true},     {DType::BF16, 8, 7, true},
    {DType::F8_E4M3, 4, 3, false}, {DType::F8_E5M2, 5, 2, true},
};

long double valueOf(const Format &format, uint64_t bits) {
  const bool negative = bits >> (format.exponentBits + format.fractionBits) & 1;
  const auto exponent = static_cast<int>(bits >> format.fractionBits &
                                         ((1u << format.exponentBits) - 1));
  const uint64_t fraction = bits & ((uint64_t(1) << format.fractionBits) - 1);
  const bool top = exponent == (1 << format.exponentBits) - 1;
  long double value;
  if (top && format.hasInfinity)
    value = fraction ? std::numeric_limits<long double>::quiet_NaN()
                     : std::numeric_limits<long double>::infinity();
  else if (top && fraction == 7)
    value = std::numeric_limits<long double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(static_cast<long double>(fraction),
                       1 - format.bias() - format.fractionBits);
  else
    value = std::ldexp(static_cast<long double>(
                           fraction + (uint64_t(1) << format.fractionBits)),
                       exponent - format.bias() - format.fractionBits);
  return negative ? std::copysign(value, -1.0L) : std::copysign(value, 1.0L);
}

/// Rounds `value`, not NaN, to the format; infinity where it overflows.
long double rounded(const Format &format, long double value) {
  if (value == 0 || std::isinf(value))
    return value;
  int exponent; // value = m · 2^exponent, 0.5 <= |m| < 1
  std::frexp(value, &exponent);
  const int quantum =
      std::max(exponent - 1, 1 - format.bias()) - format.fractionBits;
  const long double result =
      std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  const uint64_t largestBits =
      ((uint64_t(1) << (format.exponentBits + format.fractionBits)) - 1) -
      (format.hasInfinity ? uint64_t(1) << format.fractionBits : 1);
  if (std::fabs(result) > valueOf(format, largestBits))
    return std::copysign(std::numeric_limits<long double>::infinity(), value);
  return result;
}

void expectCast(const Format &from, const Format &to,
                const std::vector<uint64_t> &inputs) {
  const CastFn cast = findCast(from.dtype, to.dtype);
  ASSERT_NE(cast, nullptr);
  const size_t n = inputs.size();
  std::vector<std::byte> src(n * from.bytes()), dst(n * to.bytes());
  for (size_t i = 0; i < n; ++i)
    std::memcpy(&src[i * from.bytes()], &inputs[i], from.bytes());
  const int64_t overflows = cast(dst.data(), src.data(), int64_t(n));

  int64_t expectedOverflows = 0, wrong = 0;
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &dst[i * to.bytes()], to.bytes());
    const long double in = valueOf(from, inputs[i]), out = valueOf(to, bits);
    bool right = std::signbit(in) == std::signbit(out);
    if (std::isnan(in)) {
      // Quiet: the first fraction bit is set.
      right &= std::isnan(out) && (bits >> (to.fractionBits - 1) & 1);
    } else {
      const long double expected = rounded(to, in);
      if (std::isinf(expected) && !std::isinf(in))
        ++expectedOverflows;
      right &= std::isinf(expected) && !to.hasInfinity ? std::isnan(out)
                                                       : out == expected;
    }
    if (!right && ++wrong < 5)
      ADD_FAILURE() << nameOf(from.dtype) << " 0x" << std::hex << inputs[i]
                    << " became " << nameOf(to.dtype) << " 0x" << bits;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(overflows, expectedOverflows)
      << nameOf(from.dtype) << " to " << nameOf(to.dtype);
}

TEST(Cast, AllValuesOfNarrowFormats) {
  for (const Format &from : formats) {
    if (from.bytes() > 2)
      continue;
    std::vector<uint64_t> inputs(size_t(1) << (8 * from.bytes()));
    for (size_t i = 0; i < inputs.size(); ++i)
      inputs[i] = i;
    for (const Format &to : formats)
      if (to.dtype != from.dtype)
        expectCast(from, to, inputs);
  }
}

/// All exponents, with fractions that are random, near halves of the narrower
/// formats, and at both ends.
TEST(Cast, WideFormats) {
  std::mt19937_64 random(1);
  for (const Format &from : formats) {
    if (from.bytes() < 4)
      continue;
    const uint64_t mask = (uint64_t(1) << from.fractionBits) - 1;
    std::vector<uint64_t> fractions = {0, 1, mask, mask - 1, mask / 2 + 1};
    for (int dropped = 0; dropped <= from.fractionBits; ++dropped)
      for (int repeat = 0; repeat < 3; ++repeat) {
        const uint64_t half = dropped ? uint64_t(1) << (dropped - 1) : 0;
        const uint64_t kept =
            dropped < 64 ? (random() & mask) >> dropped << dropped : 0;
        for (uint64_t near :
             {kept | half, (kept | half) + 1, (kept | half) - 1})
          fractions.push_back(near & mask);
      }
    for (int i = 0; i < 20; ++i)
      fractions.push_back(random() & mask);
    std::vector<uint64_t> inputs;
    for (uint64_t exponent = 0; exponent < uint64_t(1) << from.exponentBits;
         ++exponent)
      for (uint64_t fraction : fractions) {
        const uint64_t magnitude = exponent << from.fractionBits | fraction;
        inputs.push_back(magnitude);
        inputs.push_back(magnitude | uint64_t(1) << (from.bytes() * 8 - 1));
      }
    // A count that is no multiple of a block.
    inputs.push_back(1);
    for (const Format &to : formats)
      if (to.dtype != from.dtype)
        expectCast(from, to, inputs);
  }
}

uint64_t castOne(DType from, DType to, uint64_t bits, int64_t *overflows) {
  uint64_t out = 0;
  const int64_t count =
      findCast(from, to)(reinterpret_cast<std::byte *>(&out),
                         reinterpret_cast<std::byte *>(&bits), 1);
  if (overflows)
    *overflows = count;
  return out;
}

TEST(Cast, AsPyTorch) {
  struct {
    DType from, to;
    uint64_t in, out;
    int64_t overflows;
  } const cases[] = {
      {DType::F32, DType::F8_E4M3, 0x43e00000, 0x7e, 0}, // 448
      {DType::F32, DType::F8_E4M3, 0x43e80000, 0x7e, 0}, // 464, a tie
      {DType::F32, DType::F8_E4M3, 0x43e80001, 0x7f, 1},
      {DType::F32, DType::F8_E4M3, 0xff800000, 0xff, 0}, // -inf
      {DType::F32, DType::F8_E5M2, 0x47700000, 0x7c, 1}, // 61440
      {DType::F32, DType::F8_E5M2, 0x476fffff, 0x7b, 0},
      {DType::F32, DType::F16, 0x477ff000, 0x7c00, 1}, // 65520
      {DType::F32, DType::F16, 0x477fefff, 0x7bff, 0},
      {DType::F32, DType::F16, 0x33000000, 0x0000, 0}, // 2^-25, a tie
      {DType::F32, DType::F16, 0x33000001, 0x0001, 0},
      {DType::F32, DType::BF16, 0x00018000, 0x0002, 0}, // subnormal
      {DType::F32, DType::BF16, 0x7f800001, 0x7fc0, 0}, // signalling NaN
      {DType::F32, DType::BF16, 0xff812345, 0xffc1, 0},
      {DType::F16, DType::F32, 0x8001, 0xb3800000, 0},
      // By way of F32 this would be rounded twice, to 0x3f80.
      {DType::F64, DType::BF16, 0x3ff0100000000001, 0x3f81, 0},
  };
  for (const auto &c : cases) {
    int64_t overflows;
    EXPECT_EQ(castOne(c.from, c.to, c.in, &overflows), c.out)
        << nameOf(c.from) << " to " << nameOf(c.to) << " 0x" << std::hex
        << c.in;
    EXPECT_EQ(overflows, c.overflows) << std::hex << c.in;
  }
}

TEST(Cast, Integers) {
  EXPECT_EQ(castOne(DType::I8, DType::I64, 0x80, nullptr), uint64_t(-128));
  EXPECT_EQ(castOne(DType::U8, DType::I16, 0xff, nullptr), 255u);
  EXPECT_EQ(castOne(DType::U32, DType::I64, 0xffffffff, nullptr), 0xffffffffu);
  EXPECT_EQ(castOne(DType::BOOL, DType::I32, 2, nullptr), 1u);
  EXPECT_EQ(castOne(DType::BOOL, DType::BOOL, 2, nullptr), 2u);
  EXPECT_EQ(castOne(DType::C64, DType::C64, 0x123456789abcdef0, nullptr),
            0x123456789abcdef0u);
}

/// The value of an integer or BOOL; `long double` holds all of 64 bits.
long double integerValue(DType dtype, uint64_t bits) {
  if (dtype == DType::BOOL)
    return bits != 0;
  const unsigned unused = 64 - bitsOf(dtype);
  if (nameOf(dtype).starts_with("U"))
    return bits;
  return static_cast<int64_t>(bits << unused) >> unused;
}

/// All values of narrow dtypes. Of wide ones, for each position of the leading
/// bit: the ties of every format, their neighbours, both ends, and random ones.
std::vector<uint64_t> integersOf(DType dtype) {
  std::vector<uint64_t> inputs;
  const unsigned width = bitsOf(dtype);
  if (width <= 16) {
    for (uint64_t bits = 0; bits < uint64_t(1) << width; ++bits)
      inputs.push_back(bits);
    return inputs;
  }
  std::mt19937_64 random(1);
  const uint64_t mask = ~uint64_t(0) >> (64 - width);
  for (unsigned lead = 0; lead < width; ++lead) {
    const uint64_t top = uint64_t(1) << lead;
    std::vector<uint64_t> magnitudes = {0, top, 2 * top - 1, 2 * top - 2,
                                        top | (random() & (top - 1))};
    for (unsigned dropped = 1; dropped <= lead; ++dropped) {
      const uint64_t half = uint64_t(1) << (dropped - 1);
      const uint64_t kept = random() & (top - 1) & ~(2 * half - 1);
      for (uint64_t tie : {top | half, top | kept | half, 2 * top - half})
        for (uint64_t near : {tie - 1, tie, tie + 1})
          magnitudes.push_back(near);
    }
    for (uint64_t magnitude : magnitudes) {
      inputs.push_back(magnitude & mask);
      inputs.push_back(-magnitude & mask);
    }
  }
  return inputs;
}

void expectIntegers(DType from, const Format &to) {
  const std::vector<uint64_t> inputs = integersOf(from);
  const int64_t size = bytesPerElement(from), n = int64_t(inputs.size());
  std::vector<std::byte> src(n * size), dst(n * to.bytes());
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(&src[i * size], &inputs[i], size);
  const CastFn cast = findCast(from, to.dtype);
  ASSERT_NE(cast, nullptr);
  const int64_t overflows = cast(dst.data(), src.data(), n);

  int64_t expectedOverflows = 0, wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &dst[i * to.bytes()], to.bytes());
    const long double expected = rounded(to, integerValue(from, inputs[i]));
    const long double out = valueOf(to, bits);
    expectedOverflows += std::isinf(expected);
    const bool right =
        std::signbit(expected) == std::signbit(out) &&
        (std::isinf(expected) && !to.hasInfinity ? std::isnan(out)
                                                 : out == expected);
    if (!right && ++wrong < 5)
      ADD_FAILURE() << nameOf(from) << " 0x" << std::hex << inputs[i]
                    << " became " << nameOf(to.dtype) << " 0x" << bits;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(overflows, expectedOverflows)
      << nameOf(from) << " to " << nameOf(to.dtype);
}

TEST(Cast, IntegersToFloatsRoundOnce) {
  for (DType from : {DType::BOOL, DType::U8, DType::I8, DType::I16, DType::U16,
                     DType::I32, DType::U32, DType::I64, DType::U64})
    for (const Format &to : formats)
      expectIntegers(from, to);
  // By way of F64 these would be ties, and go down to even.
  EXPECT_EQ(castOne(DType::I64, DType::F32, 0x4000004000000001, nullptr),
            0x5e800001u);
  EXPECT_EQ(castOne(DType::U64, DType::BF16, 0x8080000000000001, nullptr),
            0x5f01u);
}

TEST(Cast, ExistsExactlyWhereThereAreConversions) {
  const DType all[] = {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS) DType::NAME,
#include "aoa/Support/DType.def"
  };
  for (DType from : all)
    for (DType to : all)
      EXPECT_EQ(findCast(from, to) != nullptr,
                canConvert(from, to) && hasWholeBytes(from))
          << nameOf(from) << " " << nameOf(to);
}

} // namespace
} // namespace aoa
