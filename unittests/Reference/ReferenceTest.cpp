//===- ReferenceTest.cpp - The oracle against hand-made results -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Statements.h"
#include "aoa/Catalog/LayoutJson.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace aoa;
using namespace aoa::reference;
using namespace aoa::reference::test;

namespace {

const Tensors square = {{"s0", f32({2, 2}, {0, 1, 2, 3})},
                        {"s1", f32({2, 2}, {10, 11, 12, 13})}};

TEST(Evaluate, WorkedExample) {
  // s0, s1 -> s, axis=1; s -> s, dtype='float64'; s^T -> d; d -> d0, d1, axis=1
  Tensors results =
      evaluated({statement({name("s0"), name("s1")}, {name("s")},
                           {attribute("axis", int64_t(1))}),
                 statement({name("s")}, {name("s")},
                           {attribute("dtype", ast::Text{"float64"})}),
                 statement({name("s", true)}, {name("d")}),
                 statement({name("d")}, {name("d0"), name("d1")},
                           {attribute("axis", int64_t(1))})},
                square);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results["d1"].dtype, DType::F64);
  EXPECT_EQ(results["d1"].shape, (Shape{4, 1}));
  EXPECT_EQ(valuesOf<double>(results["d1"]),
            (std::vector<double>{2, 3, 12, 13}));
  EXPECT_EQ(valuesOf<double>(results["d0"]),
            (std::vector<double>{0, 1, 10, 11}));
}

TEST(Evaluate, PermutesThreeAxes) {
  Tensors results =
      evaluated({statement({name("a")}, {name("b")},
                           {attribute("permute", ast::Text{"[2, 0, 1]"})})},
                {{"a", i32({1, 2, 3}, {1, 2, 3, 4, 5, 6})}});
  EXPECT_EQ(results["b"].shape, (Shape{3, 1, 2}));
  EXPECT_EQ(valuesOf<int32_t>(results["b"]), (I32s{1, 4, 2, 5, 3, 6}));
}

TEST(Evaluate, JoinsUnequalParts) {
  Tensors results =
      evaluated({statement({name("a"), name("b")}, {name("c")},
                           {attribute("axis", int64_t(-1))})},
                {{"a", i32({2, 1}, {1, 2})}, {"b", i32({2, 2}, {3, 4, 5, 6})}});
  EXPECT_EQ(valuesOf<int32_t>(results["c"]), (I32s{1, 3, 4, 2, 5, 6}));
}

TEST(Evaluate, TakesSinksAndUntouchedTensors) {
  Tensors results = evaluated(
      {statement({name("a")}, {name("t")}), statement({name("t")}, {name("c")}),
       statement({name("b")}, {name("_")})},
      {{"a", i32({1}, {1})}, {"b", i32({1}, {2})}, {"u", i32({1}, {3})}});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(valuesOf<int32_t>(results["c"]), (I32s{1}));
  EXPECT_EQ(valuesOf<int32_t>(results["u"]), (I32s{3}));
}

TEST(Evaluate, TakesWhatATargetLists) {
  Catalog list;
  list.tensors = {{"a", DType::I32, {1}, {}}, {"c", DType::I32, {1}, {}}};
  Tensors results =
      evaluated({statement({name("a")}, {name("c")})},
                {{"a", i32({1}, {1})}, {"u", i32({1}, {3})}}, {nullptr, &list});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(valuesOf<int32_t>(results["a"]), (I32s{1}));
  EXPECT_EQ(valuesOf<int32_t>(results["c"]), (I32s{1}));
}

// Casts there and back ------------------------------------------------------

/// All bit patterns of `dtype`, as a matrix.
WholeTensor allPatterns(DType dtype) {
  WholeTensor whole{dtype, {16, (int64_t{1} << bitsOf(dtype)) / 16}, {}};
  for (uint32_t bits = 0; bits != 1u << bitsOf(dtype); ++bits)
    for (unsigned shift = 0; shift != bitsOf(dtype); shift += 8)
      whole.bytes += static_cast<char>(bits >> shift);
  return whole;
}
ast::Statement castTo(std::string from, std::string to, DType dtype) {
  return statement({name(from)}, {name(to)},
                   {attribute("dtype", ast::Text{std::string(nameOf(dtype))})});
}

TEST(Evaluate, ACastThatHoldsEveryValueAndTheWayBackChangeNoBit) {
  using enum DType;
  const std::pair<DType, std::vector<DType>> rows[] = {
      {BF16, {F32, F64}},
      {F16, {F32, F64}},
      {F8_E4M3, {F16, BF16, F32, F64}},
      {F8_E5M2, {F16, BF16, F32, F64}}};
  for (const auto &[narrow, wides] : rows)
    for (DType wide : wides) {
      const WholeTensor patterns = allPatterns(narrow);
      Tensors results = evaluated(
          {castTo("a", "b", wide),
           // Elements keep their history where they go.
           statement({name("b", true)}, {name("t")}),
           statement({name("t")}, {name("l"), name("r")},
                     {attribute("axis", int64_t(0))}),
           statement({name("l"), name("r")}, {name("w")},
                     {attribute("axis", int64_t(0))}),
           castTo("w", "d", F64), castTo("d", "e", wide),
           castTo("e", "n", narrow), statement({name("n", true)}, {name("c")})},
          {{"a", patterns}});
      EXPECT_EQ(results["c"].bytes, patterns.bytes)
          << nameOf(narrow) << " " << nameOf(wide);
      EXPECT_EQ(results["c"].dtype, narrow);
    }
}

TEST(Evaluate, OtherChainsMakeSignallingNaNsQuiet) {
  const WholeTensor signalling = tensor<uint16_t>(DType::BF16, {1}, {0x7f81});
  // Rounded to F16 between.
  Tensors results =
      evaluated({castTo("a", "b", DType::F32), castTo("b", "c", DType::F16),
                 castTo("c", "d", DType::F32), castTo("d", "e", DType::BF16)},
                {{"a", signalling}});
  EXPECT_EQ(valuesOf<uint16_t>(results["e"]), (std::vector<uint16_t>{0x7fc1}));
  results = evaluated({castTo("a", "b", DType::F32)}, {{"a", signalling}});
  EXPECT_EQ(valuesOf<uint32_t>(results["b"]),
            (std::vector<uint32_t>{0x7fc10000}));
  // What was widened before it came here has no way back.
  results =
      evaluated({castTo("a", "b", DType::BF16), castTo("b", "c", DType::F32)},
                {{"a", tensor<uint32_t>(DType::F32, {1}, {0x7f810000})}});
  EXPECT_EQ(valuesOf<uint32_t>(results["c"]),
            (std::vector<uint32_t>{0x7fc10000}));
}

// Casts ---------------------------------------------------------------------

template <typename To, typename From>
To castBits(From from, DType fromType, DType toType) {
  std::string bytes = castElement(
      std::string_view(reinterpret_cast<const char *>(&from), sizeof(from)),
      fromType, toType);
  To to;
  EXPECT_EQ(bytes.size(), sizeof(to));
  std::memcpy(&to, bytes.data(), sizeof(to));
  return to;
}

TEST(CastElement, RoundsToNearestEven) {
  auto bf16 = [](float value) {
    return castBits<uint16_t>(value, DType::F32, DType::BF16);
  };
  EXPECT_EQ(bf16(1.0f), 0x3f80);
  EXPECT_EQ(bf16(std::bit_cast<float>(0x3f808000u)), 0x3f80); // Tie to even.
  EXPECT_EQ(bf16(std::bit_cast<float>(0x3f818000u)), 0x3f82);
  EXPECT_EQ(bf16(std::bit_cast<float>(0x3f808001u)), 0x3f81);
  EXPECT_EQ(bf16(std::bit_cast<float>(0x7f7fffffu)), 0x7f80); // Overflow.
  EXPECT_EQ(bf16(-0.0f), 0x8000);
}

TEST(CastElement, RoundsOnlyOnce) {
  // By way of F32 this would become the tie 0x3f808000 and then 0x3f80.
  double value = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ((castBits<uint16_t>(value, DType::F64, DType::BF16)), 0x3f81);
}

TEST(CastElement, KeepsSubnormals) {
  auto f16 = [](float value) {
    return castBits<uint16_t>(value, DType::F32, DType::F16);
  };
  EXPECT_EQ(f16(std::ldexp(1.0f, -24)), 0x0001);
  EXPECT_EQ(f16(std::ldexp(1.0f, -25)), 0x0000); // Tie with zero.
  EXPECT_EQ(f16(std::ldexp(1.5f, -25)), 0x0001);
  EXPECT_EQ(f16(std::ldexp(1023.75f, -24)), 0x0400); // Up to a normal number.
  EXPECT_EQ(f16(3.5e-25f), 0x0000);
  EXPECT_EQ(f16(65519.0f), 0x7bff);
  EXPECT_EQ(f16(65520.0f), 0x7c00);
  EXPECT_EQ((castBits<float>(uint16_t(0x0001), DType::F16, DType::F32)),
            std::ldexp(1.0f, -24));
}

TEST(CastElement, AgreesWithTheMachineBetweenF32AndF64) {
  for (uint64_t i = 0; i != 20'000; ++i) {
    uint64_t bits = i * 0x9e3779b97f4a7c15u;
    double value = std::bit_cast<double>(bits);
    if (std::isnan(value))
      continue;
    EXPECT_EQ((castBits<uint32_t>(value, DType::F64, DType::F32)),
              std::bit_cast<uint32_t>(static_cast<float>(value)));
    float narrow = std::bit_cast<float>(static_cast<uint32_t>(bits >> 32));
    if (!std::isnan(narrow)) {
      EXPECT_EQ((castBits<uint64_t>(narrow, DType::F32, DType::F64)),
                std::bit_cast<uint64_t>(static_cast<double>(narrow)));
    }
  }
}

TEST(CastElement, E4M3HasNoInfinity) {
  auto e4m3 = [](float value) {
    return castBits<uint8_t>(value, DType::F32, DType::F8_E4M3);
  };
  EXPECT_EQ(e4m3(448.0f), 0x7e);
  EXPECT_EQ(e4m3(464.0f), 0x7e); // Tie to the even mantissa.
  EXPECT_EQ(e4m3(465.0f), 0x7f);
  EXPECT_EQ(e4m3(-INFINITY), 0xff);
  EXPECT_EQ(e4m3(std::ldexp(1.0f, -9)), 0x01);
  EXPECT_EQ((castBits<float>(uint8_t(0x7e), DType::F8_E4M3, DType::F32)),
            448.0f);
  EXPECT_EQ((castBits<uint32_t>(uint8_t(0xff), DType::F8_E4M3, DType::F32)),
            0xffc00000u);
  EXPECT_EQ((castBits<uint8_t>(61440.0f, DType::F32, DType::F8_E5M2)), 0x7c);
  EXPECT_EQ((castBits<uint8_t>(61439.0f, DType::F32, DType::F8_E5M2)), 0x7b);
}

TEST(CastElement, NaNStaysNaNWithItsSign) {
  EXPECT_EQ((castBits<uint16_t>(0xff800001u, DType::F32, DType::BF16)), 0xffc0);
  EXPECT_EQ((castBits<uint16_t>(0x7fe00001u, DType::F32, DType::F16)), 0x7f00);
  EXPECT_EQ((castBits<uint8_t>(0xffc00000u, DType::F32, DType::F8_E4M3)), 0xff);
}

TEST(CastElement, NarrowFormatsComeBackTheSame) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F8_E4M3, DType::F8_E5M2})
    for (uint32_t bits = 0; bits != 1u << bitsOf(dtype); ++bits) {
      std::string bytes(1, static_cast<char>(bits));
      if (bitsOf(dtype) == 16)
        bytes += static_cast<char>(bits >> 8);
      std::string wide = castElement(bytes, dtype, DType::F64);
      double value;
      std::memcpy(&value, wide.data(), sizeof(value));
      if (!std::isnan(value)) {
        EXPECT_EQ(castElement(wide, DType::F64, dtype), bytes) << bits;
      }
    }
}

TEST(ScaleElement, AgreesWithTheMachine) {
  auto bytesOf = [](double value) {
    return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  std::vector<double> factors = {0.25,  8,       1.0 / 3, 3,      -2,     1e-30,
                                 1e300, -1e-300, 0.1,     5e-324, 1.7e308};
  for (uint64_t i = 0; i != 20'000; ++i) {
    double value = std::bit_cast<double>(i * 0x9e3779b97f4a7c15u);
    double factor = factors[i % factors.size()];
    if (i % 3 == 0)
      factor = std::bit_cast<double>(i * 0xd1342543de82ef95u + 1);
    if (i % 5 == 0 && std::isnormal(value)) // Subnormals and their neighbours.
      value = std::ldexp(value, -std::ilogb(value) - 1060);
    if (std::isnan(value) || !std::isfinite(factor) || factor == 0)
      continue;
    EXPECT_EQ(multiplyElement(bytesOf(value), DType::F64, factor),
              bytesOf(value * factor))
        << value << " * " << factor;
    EXPECT_EQ(divideElement(bytesOf(value), DType::F64, factor),
              bytesOf(value / factor))
        << value << " / " << factor;
    // Rounded to F64 first, then to the type.
    std::string narrow = castElement(bytesOf(value), DType::F64, DType::BF16);
    double wide;
    std::memcpy(&wide, castElement(narrow, DType::BF16, DType::F64).data(), 8);
    EXPECT_EQ(multiplyElement(narrow, DType::BF16, factor),
              castElement(bytesOf(wide * factor), DType::F64, DType::BF16));
    EXPECT_EQ(divideElement(narrow, DType::BF16, factor),
              castElement(bytesOf(wide / factor), DType::F64, DType::BF16));
  }
}

TEST(ScaleElement, SpecialValues) {
  auto times = [](uint16_t bits, DType dtype, double factor) {
    std::string bytes(reinterpret_cast<const char *>(&bits),
                      bytesPerElement(dtype));
    bytes = multiplyElement(bytes, dtype, factor);
    uint16_t result = 0;
    std::memcpy(&result, bytes.data(), bytes.size());
    return result;
  };
  EXPECT_EQ(times(0x7f80, DType::BF16, -2), 0xff80);
  EXPECT_EQ(times(0x8000, DType::BF16, -2), 0x0000);
  EXPECT_EQ(times(0x0000, DType::BF16, -2), 0x8000);
  EXPECT_EQ(times(0xff81, DType::BF16, -2), 0xffc1);
  EXPECT_EQ(times(0x7f, DType::F8_E4M3, 0.5), 0x7f);
  EXPECT_EQ(times(0x7e, DType::F8_E4M3, 2), 0x7f);
}

TEST(CastElement, IntegersWiden) {
  EXPECT_EQ((castBits<int64_t>(int8_t(-3), DType::I8, DType::I64)), -3);
  EXPECT_EQ((castBits<int32_t>(uint8_t(200), DType::U8, DType::I32)), 200);
  EXPECT_EQ((castBits<uint8_t>(uint8_t(2), DType::BOOL, DType::U8)), 1);
}

TEST(CastElement, IntegersBecomeFloats) {
  EXPECT_EQ((castBits<float>(int32_t(-3), DType::I32, DType::F32)), -3.0f);
  EXPECT_EQ((castBits<float>(uint8_t(2), DType::BOOL, DType::F32)), 1.0f);
  EXPECT_EQ((castBits<uint32_t>(int8_t(0), DType::I8, DType::F32)), 0u);
  EXPECT_EQ((castBits<float>(int8_t(-128), DType::I8, DType::F32)), -128.0f);
  EXPECT_EQ((castBits<uint16_t>(uint8_t(255), DType::U8, DType::BF16)), 0x437f);
  EXPECT_EQ((castBits<uint16_t>(int32_t(65519), DType::I32, DType::F16)),
            0x7bff);
  EXPECT_EQ((castBits<uint16_t>(int32_t(-65520), DType::I32, DType::F16)),
            0xfc00);
  EXPECT_EQ((castBits<uint8_t>(uint16_t(464), DType::U16, DType::F8_E4M3)),
            0x7e);
  EXPECT_EQ((castBits<uint8_t>(uint16_t(465), DType::U16, DType::F8_E4M3)),
            0x7f);
  EXPECT_EQ((castBits<double>(uint64_t(-1), DType::U64, DType::F64)),
            std::ldexp(1.0, 64));
  EXPECT_EQ((castBits<double>(INT64_MIN, DType::I64, DType::F64)),
            -std::ldexp(1.0, 63));
  // By way of F64 this would become a tie, and go down to even.
  EXPECT_EQ(
      (castBits<uint32_t>(int64_t(0x4000004000000001), DType::I64, DType::F32)),
      0x5e800001u);
}

TEST(CastElement, AgreesWithTheMachineOnIntegers) {
  for (uint64_t i = 0; i != 20'000; ++i) {
    // Magnitudes of all sizes.
    uint64_t bits = i * 0x9e3779b97f4a7c15u >> (i % 64);
    auto number = static_cast<int64_t>(i % 2 ? bits : -bits);
    EXPECT_EQ((castBits<float>(number, DType::I64, DType::F32)),
              static_cast<float>(number));
    EXPECT_EQ((castBits<double>(number, DType::I64, DType::F64)),
              static_cast<double>(number));
    EXPECT_EQ((castBits<float>(bits, DType::U64, DType::F32)),
              static_cast<float>(bits));
    EXPECT_EQ((castBits<double>(bits, DType::U64, DType::F64)),
              static_cast<double>(bits));
  }
}

// Placing -------------------------------------------------------------------

Layout layoutOf(std::vector<MeshAxis> axes, LayoutRule rule) {
  Layout layout;
  layout.mesh.axes = std::move(axes);
  rule.match = *NamePattern::parse("*");
  layout.rules.push_back(std::move(rule));
  layout.files = *FileNamePattern::parse("r{rank}", layout.mesh);
  return layout;
}

DimCut cutOf(int dim, std::vector<int> axes) {
  DimCut cut;
  cut.dim = dim;
  cut.meshAxes = std::move(axes);
  return cut;
}

std::map<std::string, I32s> placed(const Layout &layout, WholeTensor tensor) {
  std::map<std::string, I32s> values;
  auto files = placeAll({{"w", std::move(tensor)}}, {&layout, nullptr});
  EXPECT_TRUE(files) << files.error().str();
  if (files)
    for (const auto &[file, tensors] : *files)
      values[file] = valuesOf<int32_t>(tensors.at("w"));
  return values;
}

I32s upTo(int32_t count) {
  I32s values(count);
  for (int32_t i = 0; i != count; ++i)
    values[i] = i;
  return values;
}

TEST(PlaceAll, CutsColumns) {
  LayoutRule rule;
  rule.cuts = {cutOf(-1, {0})};
  EXPECT_EQ(placed(layoutOf({{"tp", 2}}, rule), i32({2, 4}, upTo(8))),
            (std::map<std::string, I32s>{{"r0", {0, 1, 4, 5}},
                                         {"r1", {2, 3, 6, 7}}}));
}

TEST(PlaceAll, CeilCutsByOneAxisAfterTheOther) {
  LayoutRule rule;
  rule.cuts = {cutOf(0, {0, 1})};
  rule.chunk = ChunkRule::Ceil;
  auto files =
      placed(layoutOf({{"x", 2}, {"y", 3}}, rule), i32({10}, upTo(10)));
  EXPECT_EQ(files, (std::map<std::string, I32s>{{"r0", {0, 1}},
                                                {"r1", {2, 3}},
                                                {"r2", {4}},
                                                {"r3", {5, 6}},
                                                {"r4", {7, 8}},
                                                {"r5", {9}}}));
}

TEST(PlaceAll, BalancedGivesTheFirstOneMore) {
  LayoutRule rule;
  rule.cuts = {cutOf(0, {0})};
  rule.chunk = ChunkRule::Balanced;
  EXPECT_EQ(placed(layoutOf({{"tp", 3}}, rule), i32({5}, upTo(5))),
            (std::map<std::string, I32s>{
                {"r0", {0, 1}}, {"r1", {2, 3}}, {"r2", {4}}}));
}

TEST(PlaceAll, EmptyShardsAreNotWritten) {
  LayoutRule rule;
  rule.cuts = {cutOf(0, {0})};
  rule.cuts[0].sizes = {{3, 0, 1}};
  EXPECT_EQ(placed(layoutOf({{"tp", 3}}, rule), i32({4}, upTo(4))),
            (std::map<std::string, I32s>{{"r0", {0, 1, 2}}, {"r2", {3}}}));
  rule.cuts[0].sizes = {{0, 0, 0}};
  EXPECT_EQ(placed(layoutOf({{"tp", 3}}, rule), i32({0}, {})),
            (std::map<std::string, I32s>{{"r0", {}}, {"r1", {}}, {"r2", {}}}));
}

TEST(PlaceAll, SegmentsAreCutByThemselves) {
  LayoutRule rule;
  rule.cuts = {cutOf(0, {0})};
  rule.cuts[0].segments = {4, 2, 2};
  EXPECT_EQ(placed(layoutOf({{"tp", 2}}, rule), i32({8}, upTo(8))),
            (std::map<std::string, I32s>{{"r0", {0, 1, 4, 6}},
                                         {"r1", {2, 3, 5, 7}}}));
}

TEST(PlaceAll, PadsBeforeItCuts) {
  LayoutRule rule;
  rule.cuts = {cutOf(0, {0})};
  rule.cuts[0].padMultiple = 4;
  rule.padValue = -7;
  EXPECT_EQ(placed(layoutOf({{"tp", 2}}, rule), i32({5}, upTo(5))),
            (std::map<std::string, I32s>{{"r0", {0, 1, 2, 3}},
                                         {"r1", {4, -7, -7, -7}}}));
}

TEST(PlaceAll, OnSaysWhoHolds) {
  LayoutRule rule;
  rule.on[0] = std::vector<int64_t>{1};
  EXPECT_EQ(placed(layoutOf({{"pp", 2}, {"tp", 2}}, rule), i32({1}, {5})),
            (std::map<std::string, I32s>{{"r2", {5}}, {"r3", {5}}}));
}

TEST(PlaceAll, OnMayBeAnExpression) {
  LayoutRule rule;
  rule.on[0] = ComputedCoordinate{*parseExpression("i // 2", {}, 0), {}};
  Layout layout = layoutOf({{"pp", 2}}, rule);
  layout.rules[0].match = *NamePattern::parse("l.{i}.w");
  auto files = placeAll({{"l.1.w", i32({1}, {1})}, {"l.2.w", i32({1}, {2})}},
                        {&layout, nullptr});
  ASSERT_TRUE(files) << files.error().str();
  EXPECT_TRUE(files->at("r0").contains("l.1.w"));
  EXPECT_TRUE(files->at("r1").contains("l.2.w"));
  EXPECT_EQ(files->at("r0").size() + files->at("r1").size(), 2u);
}

TEST(PlaceAll, RefusesDifferentShardsInOneFile) {
  LayoutRule rule;
  rule.cuts = {cutOf(0, {0})};
  Layout layout = layoutOf({{"tp", 2}}, rule);
  layout.files = *FileNamePattern::parse("all", layout.mesh);
  auto files = placeAll({{"w", i32({2}, {1, 2})}}, {&layout, nullptr});
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().str(),
            "placing `w`: ranks that share `all` hold different `w`");
}

TEST(PlaceAll, FollowsAListedShard) {
  Catalog list;
  Shard shard;
  shard.ranks = {3};
  shard.localShape = {1, 2};
  shard.blocks = {{{1, 0}, {0, 0}, {1, 2}}};
  list.tensors = {{"w", DType::I32, {2, 2}, {shard}}};
  auto files = placeAll({{"w", i32({2, 2}, upTo(4))}}, {nullptr, &list});
  ASSERT_TRUE(files) << files.error().str();
  EXPECT_EQ(valuesOf<int32_t>(files->at("rank_00003.safetensors").at("w")),
            (I32s{2, 3}));
}

TEST(PlaceAll, WritesIntoTheFilesThatAListNames) {
  Catalog list;
  list.storages = {{"x.safetensors", 0, 0}, {"y.safetensors", 0, 0}};
  Shard top, bottom;
  top.ranks = bottom.ranks = {0};
  top.localShape = bottom.localShape = {1};
  top.blocks = {{{0}, {0}, {1}}};
  bottom.blocks = {{{1}, {0}, {1}}};
  list.tensors = {
      {"w", DType::I32, {2}, {top, bottom}, {{StorageId(1)}, {StorageId(0)}}}};
  auto files = placeAll({{"w", i32({2}, {7, 8})}}, {nullptr, &list});
  ASSERT_TRUE(files) << files.error().str();
  EXPECT_EQ(valuesOf<int32_t>(files->at("x.safetensors").at("w")), (I32s{8}));
  EXPECT_EQ(valuesOf<int32_t>(files->at("y.safetensors").at("w")), (I32s{7}));
}

TEST(PlaceAll, AListOfWholeTensorsIsLikeFull) {
  Catalog list;
  list.tensors = {{"v", DType::I32, {1}, {}}, {"w", DType::I32, {1}, {}}};
  auto files =
      placeAll({{"v", i32({1}, {1})}, {"w", i32({1}, {2})}}, {nullptr, &list});
  ASSERT_TRUE(files) << files.error().str();
  EXPECT_EQ(files->at("").size(), 2u);
}

// Files ---------------------------------------------------------------------

class Folder : public testing::Test {
protected:
  Folder()
      : path(testing::TempDir() + "aoa_reference_" +
             testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  ~Folder() override { std::filesystem::remove_all(path); }
  void write(const std::string &file, std::string header, std::string data) {
    uint64_t size = header.size();
    std::ofstream out(path + "/" + file, std::ios::binary);
    out.write(reinterpret_cast<const char *>(&size), 8);
    out << header << data;
  }
  std::vector<std::string>
  differences(const std::map<std::string, Tensors> &expected) {
    auto list = compareWithFiles(expected, path);
    EXPECT_TRUE(list) << list.error().str();
    return list ? *list : std::vector<std::string>{"error"};
  }
  std::string path;
};

const std::string header =
    R"({"w":{"dtype":"I32","shape":[2,1],"data_offsets":[0,8]}})";

TEST_F(Folder, SameBytesAreNoDifference) {
  write("model.safetensors", header, i32({2}, {1, 2}).bytes);
  EXPECT_EQ(differences({{"", {{"w", i32({2, 1}, {1, 2})}}}}),
            std::vector<std::string>());
  EXPECT_EQ(differences({{"model.safetensors", {{"w", i32({2, 1}, {1, 2})}}}}),
            std::vector<std::string>());
}

TEST_F(Folder, NamesTheFirstElementThatDiffers) {
  write("r0", "", "");
  write("a.safetensors", header, i32({2}, {1, 2}).bytes);
  EXPECT_EQ(differences({{"a.safetensors", {{"w", i32({2, 1}, {1, 258})}}}}),
            std::vector<std::string>{"`a.safetensors`: `w` element [1, 0] is "
                                     "0x00000002, expected 0x00000102"});
}

TEST_F(Folder, NamesWhatIsMissingAndWhatIsTooMuch) {
  write("a.safetensors", header, i32({2}, {1, 2}).bytes);
  EXPECT_EQ(differences({{"a.safetensors", {{"v", i32({1}, {1})}}},
                         {"b.safetensors", {{"v", i32({1}, {1})}}}}),
            (std::vector<std::string>{"`a.safetensors`: `v` is missing",
                                      "`a.safetensors`: `w` is not expected",
                                      "file `b.safetensors` is missing"}));
  EXPECT_EQ(differences({{"", {{"w", i32({2}, {1, 2})}}}}),
            std::vector<std::string>{"`w` is I32 [2, 1], expected I32 [2]"});
}

TEST_F(Folder, RefusesBrokenFiles) {
  write("a.safetensors",
        R"({"w":{"dtype":"I32","shape":[4],)"
        R"("data_offsets":[0,16]}})",
        "12345678");
  auto list = compareWithFiles({{"", {}}}, path);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().str(), "reading `a.safetensors`: tensor `w`: offsets "
                                "do not fit the shape or the file");
}

TEST_F(Folder, ReadsShardsOfASource) {
  write("a", "", i32({4}, {1, 2, 3, 4}).bytes);
  Catalog catalog;
  catalog.root = path;
  catalog.storages = {{"a", 24, 0}};
  Shard right, left;
  right.localShape = left.localShape = {2, 1};
  right.blocks = {{{0, 1}, {0, 0}, {2, 1}}};
  left.blocks = {{{0, 0}, {0, 0}, {2, 1}}};
  catalog.tensors = {{"w",
                      DType::I32,
                      {2, 2},
                      {right, left},
                      {{StorageId(0), 8}, {StorageId(0), 16}}}};
  auto tensors = readSource(catalog);
  ASSERT_TRUE(tensors) << tensors.error().str();
  EXPECT_EQ(valuesOf<int32_t>(tensors->at("w")), (I32s{3, 1, 4, 2}));

  catalog.tensors[0].shards = {right};
  auto holed = readSource(catalog);
  ASSERT_FALSE(holed);
  EXPECT_EQ(holed.error().str(),
            "reading `w`: no shard holds element 0 of `w`");
}

TEST_F(Folder, ReadsStridedAndScaledShards) {
  std::vector<float> stored = {1, 3, 5, 2, 4, 6};
  std::string bytes(reinterpret_cast<const char *>(stored.data()), 24);
  write("a", "", bytes);
  Catalog catalog;
  catalog.root = path;
  catalog.storages = {{"a", 32, 0}};
  Shard turned;
  turned.ranks = {0};
  turned.localShape = {2, 3};
  turned.strided = {{{3, 2}, 0, {2, 1}, 0, {1, 3}}};
  turned.scale = -2;
  catalog.tensors = {{"w", DType::F32, {3, 2}, {turned}, {{StorageId(0), 8}}}};
  auto tensors = readSource(catalog);
  ASSERT_TRUE(tensors) << tensors.error().str();
  EXPECT_EQ(valuesOf<float>(tensors->at("w")),
            (std::vector<float>{-0.5, -1, -1.5, -2, -2.5, -3}));
  // Written, they are what they were.
  auto files = placeAll(*tensors, {nullptr, &catalog});
  ASSERT_TRUE(files) << files.error().str();
  EXPECT_EQ(files->at("rank_00000.safetensors").at("w").bytes, bytes);
}

TEST(PlaceAll, FollowsPiecesOfALayout) {
  DiagnosticList list;
  Layout layout = *parseLayout(R"({"schema": "aoa.layout/1", "mesh": {"tp": 3},
    "rules": [{"match": "*", "pad_value": 9, "pieces": {
      "0": {"shape": [2, 2], "pieces": [
        {"shape": [3], "full": [1, [1]], "shard": [0, [1]]}]},
      "2": {"shape": [1], "pieces": [
        {"shape": [1], "full": [0, [1]], "shard": [0, [1]]}]}}}]})",
                               FileId(0), list);
  auto files = placeAll({{"w", i32({2, 2}, {1, 2, 3, 4})}}, {&layout, nullptr});
  ASSERT_TRUE(files) << files.error().str();
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ(valuesOf<int32_t>(files->at("rank_00000.safetensors").at("w")),
            (I32s{2, 3, 4, 9}));
  EXPECT_EQ(valuesOf<int32_t>(files->at("rank_00002.safetensors").at("w")),
            (I32s{1}));
}

} // namespace
