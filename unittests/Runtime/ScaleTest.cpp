//===- ScaleTest.cpp - Scalings against tables ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Narrow types: every bit pattern, and the nearest of all values found by a
// search. F32 and F64: the machine's own rounding. Scale and Plus: exact
// arithmetic on whole numbers, rounded to F32 and then to the type.
//===----------------------------------------------------------------------===//
#include "aoa/Runtime/Scale.h"
#include "PlanBuilder.h"
#include "aoa/Runtime/Cast.h"

#include <bit>
#include <cmath>
#include <limits>

namespace aoa {
namespace {

const double factors[] = {0.25, 8, 1.0 / 3, 3, -2, 1e-30};

template <typename To, typename From>
To converted(DType from, DType to, From value) {
  To result;
  findCast(from, to)(reinterpret_cast<std::byte *>(&result),
                     reinterpret_cast<const std::byte *>(&value), 1);
  return result;
}

/// What every pattern of a type of `Bits` without sign is worth.
template <typename Bits> struct Table {
  explicit Table(DType dtype) {
    constexpr uint32_t numMagnitudes = 1u << (8 * sizeof(Bits) - 1);
    for (uint32_t bits = 0; bits < numMagnitudes; ++bits) {
      const auto value = converted<double>(dtype, DType::F64, Bits(bits));
      if (!std::isfinite(value))
        break;
      values.push_back(value);
    }
    // Up to half of the way to where the next value would be, what is too large
    // is rounded down.
    const size_t last = values.size() - 1;
    values.push_back(2 * values[last] - values[last - 1]);
  }

  /// The magnitude that is nearest to `value`, the even one of two.
  Bits nearest(double value) const {
    const auto above = std::ranges::upper_bound(values, value);
    if (above == values.end())
      return Bits(values.size() - 1);
    const auto high = Bits(above - values.begin());
    const auto low = Bits(high - 1);
    const double middle = (values[low] + values[high]) / 2;
    if (value == middle)
      return low % 2 == 0 ? low : high;
    return value < middle ? low : high;
  }

  std::vector<double> values; ///< Ascending; the last is none.
};

template <typename Bits> void checkAllPatterns(DType dtype) {
  const Table<Bits> table(dtype);
  constexpr uint32_t signBit = 1u << (8 * sizeof(Bits) - 1);
  const auto infinite = Bits(table.values.size() - 1); // Or E4M3's NaN.
  std::vector<Bits> all(2 * signBit), found(all.size());
  for (uint32_t bits = 0; bits < all.size(); ++bits)
    all[bits] = Bits(bits);
  for (double factor : factors)
    for (bool isDivision : {false, true}) {
      const ScaleFn scale =
          isDivision ? findDivide(dtype) : findMultiply(dtype);
      const int64_t overflows =
          scale(reinterpret_cast<std::byte *>(found.data()),
                reinterpret_cast<const std::byte *>(all.data()),
                int64_t(all.size()), factor);
      int64_t expectedOverflows = 0;
      for (uint32_t bits = 0; bits < all.size(); ++bits) {
        const auto value = converted<double>(dtype, DType::F64, Bits(bits));
        const uint32_t sign = bits & signBit;
        Bits expected;
        if (std::isnan(value)) {
          expected = converted<Bits>(
              DType::F64, dtype, converted<uint64_t>(dtype, DType::F64, bits));
        } else {
          const double exact = isDivision ? value / factor : value * factor;
          const Bits magnitude = table.nearest(std::fabs(exact));
          expectedOverflows += std::isfinite(value) && magnitude == infinite;
          expected = Bits(magnitude | (factor < 0 ? sign ^ signBit : sign));
        }
        ASSERT_EQ(found[bits], expected)
            << nameOf(dtype) << " " << bits << (isDivision ? " / " : " * ")
            << factor;
      }
      EXPECT_EQ(overflows, expectedOverflows) << nameOf(dtype) << factor;
    }
}

TEST(Scale, AllPatternsOfNarrowTypes) {
  checkAllPatterns<uint16_t>(DType::BF16);
  checkAllPatterns<uint16_t>(DType::F16);
  checkAllPatterns<uint8_t>(DType::F8_E5M2);
  checkAllPatterns<uint8_t>(DType::F8_E4M3);
}

template <typename Float>
Float scaled(ScaleFn scale, Float value, double factor, int64_t &overflows) {
  Float result;
  overflows = scale(reinterpret_cast<std::byte *>(&result),
                    reinterpret_cast<const std::byte *>(&value), 1, factor);
  return result;
}

TEST(Scale, WideTypesRoundAsTheMachineDoes) {
  std::mt19937_64 random(31);
  std::vector<double> some(std::begin(factors), std::end(factors));
  some.insert(some.end(), {1e300, -1e-300, 5e-324});
  for (int repeat = 0; repeat < 20'000; ++repeat)
    for (double factor : some) {
      const uint64_t bits = random();
      const auto wide = std::bit_cast<double>(bits);
      const auto narrow = std::bit_cast<float>(uint32_t(bits));
      int64_t overflows;
      if (!std::isnan(wide)) {
        EXPECT_EQ(scaled(findMultiply(DType::F64), wide, factor, overflows),
                  wide * factor);
        EXPECT_EQ(overflows,
                  std::isfinite(wide) && !std::isfinite(wide * factor));
        EXPECT_EQ(scaled(findDivide(DType::F64), wide, factor, overflows),
                  wide / factor);
        EXPECT_EQ(overflows,
                  std::isfinite(wide) && !std::isfinite(wide / factor));
      }
      if (!std::isnan(narrow)) {
        const auto product = static_cast<float>(narrow * factor);
        EXPECT_EQ(scaled(findMultiply(DType::F32), narrow, factor, overflows),
                  product);
        EXPECT_EQ(overflows, std::isfinite(narrow) && !std::isfinite(product));
        EXPECT_EQ(scaled(findDivide(DType::F32), narrow, factor, overflows),
                  static_cast<float>(narrow / factor));
      }
    }
}

//===----------------------------------------------------------------------===//
// Scale and Plus, in whole numbers
//===----------------------------------------------------------------------===//

__extension__ using Wide = unsigned __int128;

/// ± significand · 2^exponent.
struct Exact {
  bool isNegative;
  Wide significand;
  int exponent;
};

Exact exactOf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t fraction = bits & 0x7fffff, exponent = bits >> 23 & 0xff;
  if (exponent == 0)
    return {value < 0, fraction, -149};
  return {value < 0, fraction | 0x800000, int(exponent) - 150};
}

int bitWidth(Wide value) {
  const auto high = uint64_t(value >> 64);
  return high ? 64 + std::bit_width(high) : std::bit_width(uint64_t(value));
}

/// The F32 that is nearest, the even one of two. Requires a value other than 0.
float nearestF32(Exact exact) {
  const int last =
      std::max(exact.exponent + bitWidth(exact.significand) - 24, -149);
  const int drop = last - exact.exponent;
  Wide whole = 0, rest = exact.significand;
  if (drop <= 0)
    return std::ldexp(exact.isNegative ? -float(uint64_t(rest))
                                       : float(uint64_t(rest)),
                      exact.exponent);
  if (drop < 128) {
    whole = exact.significand >> drop;
    rest = exact.significand - (whole << drop);
  }
  const Wide half = drop <= 128 ? Wide(1) << (drop - 1) : ~Wide(0);
  whole += rest > half || (rest == half && whole % 2 == 1);
  const float magnitude = std::ldexp(float(uint64_t(whole)), last);
  return exact.isNegative ? -magnitude : magnitude;
}

float exactProduct(float a, float b) {
  const Exact left = exactOf(a), right = exactOf(b);
  return nearestF32({left.isNegative != right.isNegative,
                     left.significand * right.significand,
                     left.exponent + right.exponent});
}

float exactSum(float a, float b) {
  Exact left = exactOf(a), right = exactOf(b);
  if (left.exponent < right.exponent)
    std::swap(left, right);
  // What is further away than this only tells on which side of a half it is.
  constexpr int reach = 100;
  const int apart = std::min(left.exponent - right.exponent, reach);
  left.significand <<= apart;
  left.exponent -= apart;
  right.exponent = left.exponent;
  if (apart == reach && right.significand != 0)
    right.significand = 1;
  if (left.isNegative == right.isNegative)
    return nearestF32(
        {left.isNegative, left.significand + right.significand, left.exponent});
  if (left.significand < right.significand)
    std::swap(left, right);
  return nearestF32(
      {left.isNegative, left.significand - right.significand, left.exponent});
}

/// What F32 makes of an element and a number of a script.
float computedInF32(bool isSum, float value, float number) {
  if (std::isinf(value))
    return isSum ? value : value * (number < 0 ? -1.0f : 1.0f);
  // Zeros have signs, which whole numbers do not.
  if (isSum ? value == -number : value == 0)
    return isSum ? value + number : value * number;
  return isSum ? exactSum(value, number) : exactProduct(value, number);
}

const double numbers[] = {0.25, 1.0 / 3, -2,    1e-30,  1.0,
                          1e30, 3e38,    1e-44, 1.0001, 0x1.000002p0};

template <typename Bits> void checkArithmetic(DType dtype) {
  const Table<Bits> table(dtype);
  constexpr uint32_t signBit = 1u << (8 * sizeof(Bits) - 1);
  const auto infinite = Bits(table.values.size() - 1);
  std::vector<Bits> all(2 * signBit), found(all.size());
  for (uint32_t bits = 0; bits < all.size(); ++bits)
    all[bits] = Bits(bits);
  for (double number : numbers)
    for (bool isSum : {false, true}) {
      const ScaleFn compute = isSum ? findPlus(dtype) : findScale(dtype);
      const int64_t overflows =
          compute(reinterpret_cast<std::byte *>(found.data()),
                  reinterpret_cast<const std::byte *>(all.data()),
                  int64_t(all.size()), number);
      int64_t expectedOverflows = 0;
      for (uint32_t bits = 0; bits < all.size(); ++bits) {
        const auto value = converted<float>(dtype, DType::F32, Bits(bits));
        Bits expected;
        if (std::isnan(value)) {
          expected = converted<Bits>(
              DType::F64, dtype, converted<uint64_t>(dtype, DType::F64, bits));
        } else {
          const float result = computedInF32(isSum, value, float(number));
          const Bits magnitude = table.nearest(std::fabs(result));
          expectedOverflows += std::isfinite(value) && magnitude == infinite;
          expected = Bits(magnitude | (std::signbit(result) ? signBit : 0));
        }
        ASSERT_EQ(found[bits], expected) << nameOf(dtype) << " " << bits
                                         << (isSum ? " + " : " * ") << number;
      }
      EXPECT_EQ(overflows, expectedOverflows) << nameOf(dtype) << number;
    }
}

TEST(Scale, ScriptsComputeInF32) {
  checkArithmetic<uint16_t>(DType::BF16);
  checkArithmetic<uint16_t>(DType::F16);
  checkArithmetic<uint8_t>(DType::F8_E5M2);
  checkArithmetic<uint8_t>(DType::F8_E4M3);
}

TEST(Scale, F32RoundsTheExactResultOnce) {
  std::mt19937_64 random(32);
  for (int repeat = 0; repeat < 200'000; ++repeat) {
    const uint64_t bits = random();
    const auto value = std::bit_cast<float>(uint32_t(bits));
    auto number = std::bit_cast<float>(uint32_t(bits >> 32));
    // Mostly near each other: sums that cancel, and halves.
    if (repeat % 4 != 0)
      number = std::bit_cast<float>(uint32_t(bits) ^
                                    uint32_t(bits >> 32 & 0x83ffffff));
    if (std::isnan(value) || !std::isfinite(number) || number == 0)
      continue;
    int64_t overflows;
    for (bool isSum : {false, true}) {
      const float expected = computedInF32(isSum, value, number);
      const float found =
          scaled(isSum ? findPlus(DType::F32) : findScale(DType::F32), value,
                 number, overflows);
      EXPECT_EQ(std::bit_cast<uint32_t>(found),
                std::bit_cast<uint32_t>(expected))
          << value << (isSum ? " + " : " * ") << number;
      EXPECT_EQ(overflows, std::isfinite(value) && std::isinf(expected));
    }
  }
}

TEST(Scale, NumbersOfScriptsRoundToF32First) {
  int64_t overflows;
  // 1 + 2^-24 + 2^-60 is above the half of 1 and its neighbour; F32 makes 2^-24
  // of the sum's second part, and then 1 is the even one.
  EXPECT_EQ(scaled(findPlus(DType::F32), 1.0f, 0x1.000000001p-24, overflows),
            1.0f);
  EXPECT_EQ(scaled(findPlus(DType::F64), 1.0, 0x1.000000001p-24, overflows),
            1 + 0x1.000000001p-24);
  EXPECT_EQ(scaled(findScale(DType::F64), 3.0, 0.1, overflows), 3.0 * 0.1);
  EXPECT_EQ(scaled(findScale(DType::F64), 3.0, 1e308, overflows), INFINITY);
  EXPECT_EQ(overflows, 1);
}

TEST(Scale, NaNBecomesQuiet) {
  const uint64_t signalling = 0xfff0000000000001;
  uint64_t found = 0;
  EXPECT_EQ(findMultiply(DType::F64)(
                reinterpret_cast<std::byte *>(&found),
                reinterpret_cast<const std::byte *>(&signalling), 1, -2),
            0);
  EXPECT_EQ(found, 0xfff8000000000001);
}

TEST(Scale, OnlyFloats) {
  for (DType dtype :
       {DType::I32, DType::BOOL, DType::F4, DType::F8_E8M0, DType::C64}) {
    EXPECT_EQ(findMultiply(dtype), nullptr);
    EXPECT_EQ(findDivide(dtype), nullptr);
    EXPECT_EQ(findScale(dtype), nullptr);
    EXPECT_EQ(findPlus(dtype), nullptr);
  }
}

TEST(Scale, ARunScalesAndVerifies) {
  TestFolder folder;
  TransferPlan plan;
  plan.sourceRoot = folder / "src";
  const float values[] = {8, 1e38f, -3, 0.5f};
  writeFile(folder / "src/s",
            {reinterpret_cast<const char *>(values), sizeof(values)});
  plan.sources = {{"s", sizeof(values), 0}};
  ElementOps ops{DType::F32, {}};
  ops.divide(0.25);
  ops.cast(DType::BF16);
  plan.elementOps = {ops};
  TargetRegion region{"w", DType::BF16, {4}, 0, 8, "", 0, {}};
  setTransfers(plan, region, {{0, 0, 0, 0, {{4, 1, 1}}}});
  plan.targets = {{"t", 8, "", {region}}};
  RunOptions options;
  options.output = folder / "out";
  Expected<RunReport> report = execute(plan, options);
  ASSERT_TRUE(report) << report.error().str();
  EXPECT_EQ(report->overflows, 1);
  // 32, infinity, -12, 2.
  const uint16_t expected[] = {0x4200, 0x7f80, 0xc140, 0x4000};
  EXPECT_EQ(readFile(folder / "out/t"),
            std::string(reinterpret_cast<const char *>(expected), 8));
  Expected<std::vector<Difference>> differences = verifyOutput(plan, options);
  ASSERT_TRUE(differences) << differences.error().str();
  EXPECT_TRUE(differences->empty());
  // Verifying scales too: the right bytes for another factor are wrong here.
  plan.elementOps[0].steps[0].number = 0.5;
  differences = verifyOutput(plan, options);
  ASSERT_TRUE(differences) << differences.error().str();
  ASSERT_EQ(differences->size(), 1u);
  EXPECT_EQ(differences->front().found, "32");
  EXPECT_EQ(differences->front().expected, "16");
}

} // namespace
} // namespace aoa
