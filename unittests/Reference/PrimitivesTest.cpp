//===- PrimitivesTest.cpp - Every primitive of the oracle -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers written by hand. An element of a source tensor is its index in
// decimal digits where that helps to read.
//===----------------------------------------------------------------------===//
#include "Statements.h"

#include <bit>

using namespace aoa;
using namespace aoa::reference;
using namespace aoa::reference::test;

namespace {

using Attributes = std::vector<ast::Attribute>;
using F32s = std::vector<float>;

ast::Value number(int64_t value) { return {value, {}}; }
ast::Attribute list(std::string key, std::vector<int64_t> values) {
  ast::List entries;
  for (int64_t value : values)
    entries.push_back(number(value));
  return attribute(std::move(key), std::move(entries));
}
ast::Attribute pairs(std::string key,
                     std::vector<std::pair<int64_t, int64_t>> values) {
  ast::List entries;
  for (auto [a, b] : values)
    entries.push_back({ast::List{number(a), number(b)}, {}});
  return attribute(std::move(key), std::move(entries));
}
ast::Attribute whole(std::string key, int64_t value) {
  return attribute(std::move(key), value);
}
ast::Attribute word(std::string key, std::string value) {
  return attribute(std::move(key), ast::Word{std::move(value)});
}
ast::Attribute text(std::string key, std::string value) {
  return attribute(std::move(key), ast::Text{std::move(value)});
}

/// What `a -> b` with attributes makes of a tensor.
WholeTensor one(const WholeTensor &a, Attributes attributes) {
  return evaluated({statement({name("a")}, {name("b")}, std::move(attributes))},
                   {{"a", a}})["b"];
}
Expected<Tensors> attempted(std::vector<ast::Statement> statements,
                            const Tensors &source, Target target = {}) {
  ast::Script script;
  script.statements = std::move(statements);
  return evaluate(script, source, target);
}
void expect(const WholeTensor &found, const Shape &shape, const I32s &values) {
  EXPECT_EQ(found.shape, shape);
  EXPECT_EQ(valuesOf<int32_t>(found), values);
}

const WholeTensor twoByThree = i32({2, 3}, {0, 1, 2, 10, 11, 12});

TEST(Primitives, MergesGroupByGroup) {
  Tensors results =
      evaluated({statement({name("q"), name("k")}, {name("f")},
                           {whole("axis", 0), whole("groups", 2)})},
                {{"q", i32({4}, {1, 2, 3, 4})}, {"k", i32({2}, {8, 9})}});
  expect(results["f"], {6}, {1, 2, 8, 3, 4, 9});
}

TEST(Primitives, SplitsGroupByGroupWithSizes) {
  Tensors results =
      evaluated({statement({name("f")}, {name("q"), name("_"), name("v")},
                           {whole("axis", -1), whole("groups", 2),
                            list("sizes", {2, 1, 0})})},
                {{"f", i32({1, 6}, {1, 2, 8, 3, 4, 9})}});
  ASSERT_EQ(results.size(), 2u);
  expect(results["q"], {1, 4}, {1, 2, 3, 4});
  expect(results["v"], {1, 0}, {});
}

TEST(Primitives, StacksAndUnstacks) {
  Tensors results = evaluated(
      {statement({name("a"), name("a")}, {name("s")}, {whole("stack", -1)}),
       statement({name("s")}, {name("x"), name("_")}, {whole("unstack", 2)})},
      {{"a", twoByThree}});
  expect(results["x"], {2, 3}, {0, 1, 2, 10, 11, 12});
  Tensors stacked = evaluated(
      {statement({name("a"), name("b")}, {name("s")}, {whole("stack", 1)})},
      {{"a", i32({2}, {1, 2})}, {"b", i32({2}, {3, 4})}});
  expect(stacked["s"], {2, 2}, {1, 3, 2, 4});
  EXPECT_EQ(one(twoByThree, {whole("stack", 0)}).shape, (Shape{1, 2, 3}));
  EXPECT_EQ(one(i32({1, 2}, {1, 2}), {whole("unstack", 0)}).shape, (Shape{2}));
}

TEST(Primitives, TiesEqualTensorsOnly) {
  auto tied = [](int32_t last, const char *how) {
    return attempted(
        {statement({name("a"), name("b")}, {name("c")}, {word("tie", how)})},
        {{"a", i32({2}, {1, 2})}, {"b", i32({2}, {1, last})}});
  };
  EXPECT_TRUE(tied(2, "verify"));
  EXPECT_FALSE(tied(3, "verify"));
  EXPECT_EQ(tied(3, "verify").error().kind(), ErrorKind::Mismatch);
  expect(tied(3, "first")->at("c"), {2}, {1, 2});
}

TEST(Primitives, CopyKeepsTheSourceAsAResult) {
  ast::Statement copy = statement({name("a")}, {name("b"), name("c")});
  copy.copies = true;
  Tensors results = evaluated({copy}, {{"a", i32({1}, {7})}});
  ASSERT_EQ(results.size(), 3u);
  expect(results["a"], {1}, {7});
  expect(results["c"], {1}, {7});
}

TEST(Primitives, Reshapes) {
  expect(one(twoByThree, {list("reshape", {3, -1})}), {3, 2},
         {0, 1, 2, 10, 11, 12});
  EXPECT_FALSE(attempted(
      {statement({name("a")}, {name("b")}, {list("reshape", {4, -1})})},
      {{"a", twoByThree}}));
}

TEST(Primitives, RearrangesRotaryOrder) {
  // Heads of 2 pairs: even and odd rows apart become rows in turn.
  WholeTensor a = i32({8, 1}, {0, 1, 2, 3, 4, 5, 6, 7});
  expect(one(a, {text("rearrange", "(h p d) c -> (h d p) c"), whole("h", 2),
                 whole("p", 2)}),
         {8, 1}, {0, 2, 1, 3, 4, 6, 5, 7});
}

TEST(Primitives, RearrangesWithDotsAndOnes) {
  expect(one(twoByThree, {text("rearrange", "a ... -> ... 1 a")}), {3, 1, 2},
         {0, 10, 1, 11, 2, 12});
  expect(one(i32({1, 2}, {5, 6}),
             {text("rearrange", "1 (x y) -> y x ()"), whole("x", 2)}),
         {1, 2, 1}, {5, 6});
}

TEST(Primitives, SlicesBoxes) {
  expect(one(twoByThree, {text("slice", "1:, :2")}), {1, 2}, {10, 11});
  expect(one(twoByThree, {text("slice", "0:1")}), {1, 3}, {0, 1, 2});
  EXPECT_FALSE(
      attempted({statement({name("a")}, {name("b")}, {text("slice", "1:1")})},
                {{"a", twoByThree}}));
}

TEST(Primitives, PadsWithAValueOrTheLastRow) {
  expect(one(i32({1, 2}, {1, 2}),
             {pairs("pad", {{1, 0}, {0, 1}}), whole("value", 9)}),
         {2, 3}, {9, 9, 9, 1, 2, 9});
  expect(
      one(twoByThree, {pairs("pad", {{0, 2}, {0, 0}}), word("value", "last")}),
      {4, 3}, {0, 1, 2, 10, 11, 12, 10, 11, 12, 10, 11, 12});
  EXPECT_FALSE(attempted(
      {statement({name("a")}, {name("b")},
                 {pairs("pad", {{0, 1}, {0, 0}}), attribute("value", 0.5)})},
      {{"a", twoByThree}}));
}

TEST(Primitives, RepeatsBlocksAndTakesThemBack) {
  WholeTensor a = i32({4}, {1, 2, 3, 4});
  WholeTensor repeated =
      one(a, {whole("repeat", 2), whole("axis", 0), whole("block", 2)});
  expect(repeated, {8}, {1, 2, 1, 2, 3, 4, 3, 4});
  Attributes back = {whole("dedup", 2), whole("axis", -1), whole("block", 2)};
  expect(one(repeated, back), {4}, {1, 2, 3, 4});
  repeated.bytes[4 * 6] = 5;
  auto differs =
      attempted({statement({name("a")}, {name("b")}, back)}, {{"a", repeated}});
  ASSERT_FALSE(differs);
  EXPECT_EQ(differs.error().kind(), ErrorKind::Mismatch);
}

TEST(Primitives, AttributesBelongToTheNearestOperationThatTakesThem) {
  // The axis behind `block` is the merge's: `repeat` has one already.
  Tensors results = evaluated(
      {statement({name("a"), name("a")}, {name("b")},
                 {whole("repeat", 2), whole("axis", 1), whole("block", 1),
                  whole("axis", 0), whole("repeat", 3), whole("block", 2),
                  whole("axis", 0)})},
      {{"a", i32({1, 2}, {1, 2})}});
  EXPECT_EQ(results["b"].shape, (Shape{6, 4}));
  EXPECT_EQ(valuesOf<int32_t>(results["b"]),
            (I32s{1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2,
                  1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2}));
}

TEST(Primitives, OperationsActLeftToRight) {
  expect(one(twoByThree, {list("permute", {}), text("slice", "0:2"),
                          list("reshape", {4}), pairs("pad", {{1, 0}})}),
         {5}, {0, 0, 10, 1, 11});
}

TEST(Primitives, FillsWithAValue) {
  Tensors results =
      evaluated({statement({name("_")}, {name("b")},
                           {list("shape", {2}), word("dtype", "BF16"),
                            attribute("value", 1.5)}),
                 statement({name("_")}, {name("c")},
                           {word("dtype", "int64"), list("shape", {})})},
                {});
  EXPECT_EQ(valuesOf<uint16_t>(results["b"]),
            (std::vector<uint16_t>{0x3fc0, 0x3fc0}));
  EXPECT_EQ(valuesOf<int64_t>(results["c"]), (std::vector<int64_t>{0}));
}

TEST(Primitives, ScalesAndAddsInF32) {
  EXPECT_EQ(valuesOf<float>(one(f32({2}, {3, -4}), {attribute("scale", 0.25)})),
            (F32s{0.75, -1}));
  // 1 + 2^-8 is not exact in BF16: to even. 3 + 2^-7 · 1.5 is.
  WholeTensor bf16 = tensor<uint16_t>(DType::BF16, {2}, {0x3f80, 0x4040});
  EXPECT_EQ(valuesOf<uint16_t>(one(bf16, {attribute("plus", 0.00390625)})),
            (std::vector<uint16_t>{0x3f80, 0x4040}));
  // 2^-8 + 2^-9 lies above the middle.
  EXPECT_EQ(valuesOf<uint16_t>(one(bf16, {attribute("plus", 0.005859375)})),
            (std::vector<uint16_t>{0x3f81, 0x4040}));
}

TEST(Primitives, ArithmeticAgreesWithTheMachine) {
  const uint32_t patterns[] = {0,          0x80000000, 1,          0x807fffff,
                               0x00800000, 0x3f800001, 0xbf7fffff, 0x7f7fffff,
                               0x7f800000, 0xff800000, 0x33800000, 0xb3800001,
                               0x4b000001, 0xcb7fffff, 0x3eaaaaab, 0x7f000000};
  const double numbers[] = {
      0.1,      -1.0,         1.0,     3.0,      -0.3333333432674408,
      1e38,     1e-40,        1.5e-45, 16777217, -5.960464477539063e-08,
      0x1p-126, -0x1.000002p0};
  F32s values;
  for (uint32_t bits : patterns)
    values.push_back(std::bit_cast<float>(bits));
  WholeTensor a = f32({std::ssize(values)}, values);
  std::vector<double> doubles(values.begin(), values.end());
  doubles.push_back(0x1.fffffffffffffp1023);
  doubles.push_back(-0x1p-1074);
  doubles.push_back(0x1.0000000000001p-1022);
  WholeTensor wide = tensor(DType::F64, {std::ssize(doubles)}, doubles);
  for (double each : numbers) {
    F32s products, sums;
    for (float value : values) {
      products.push_back(value * static_cast<float>(each));
      sums.push_back(value + static_cast<float>(each));
    }
    EXPECT_EQ(one(a, {attribute("scale", each)}).bytes, f32({}, products).bytes)
        << each;
    EXPECT_EQ(one(a, {attribute("plus", each)}).bytes, f32({}, sums).bytes)
        << each;
    std::vector<double> products64, sums64;
    for (double value : doubles) {
      products64.push_back(value * each);
      sums64.push_back(value + each);
    }
    EXPECT_EQ(one(wide, {attribute("scale", each)}).bytes,
              tensor(DType::F64, {}, products64).bytes)
        << each;
    EXPECT_EQ(one(wide, {attribute("plus", each)}).bytes,
              tensor(DType::F64, {}, sums64).bytes)
        << each;
  }
}

TEST(Primitives, EmptyTensorsAndScalars) {
  EXPECT_EQ(one(i32({0, 2}, {}),
                {list("permute", {}), pairs("pad", {{1, 0}, {0, 1}})})
                .bytes,
            std::string(12, '\0'));
  EXPECT_EQ(one(i32({}, {4}), {list("reshape", {1, 1})}).shape, (Shape{1, 1}));
}

TEST(Primitives, UpstreamsReshapeGoesBothWays) {
  auto reshaped = [](Shape from, std::optional<Shape> wanted) {
    ast::Script script;
    script.dialect = ast::Dialect::Paddle;
    script.statements = {
        statement({name("a")}, {name("b")}, {text("reshape", "[2, 1, 3]")})};
    Catalog list;
    if (wanted)
      list.tensors = {{"b", DType::I32, *wanted, {}}};
    return evaluate(script, {{"a", i32(std::move(from), {0, 1, 2, 3, 4, 5})}},
                    {nullptr, wanted ? &list : nullptr});
  };
  EXPECT_EQ(reshaped({2, 3}, {})->at("b").shape, (Shape{2, 1, 3}));
  EXPECT_EQ(reshaped({2, 1, 3}, Shape{2, 3})->at("b").shape, (Shape{2, 3}));
  EXPECT_EQ(reshaped({2, 3}, Shape{2, 3})->at("b").shape, (Shape{2, 3}));
  EXPECT_FALSE(reshaped({3, 2}, {}));
}

// Results ----------------------------------------------------------------

TEST(Results, WantedDTypeAndNames) {
  ResultOptions options;
  options.dtype = DType::BF16;
  options.exclude.push_back(*NamePattern::parse("d*"));
  Target target;
  target.results = &options;
  Tensors results =
      evaluated({statement({name("a")}, {name("b")}),
                 statement({name("c")}, {name("t")}, {word("dtype", "F32")}),
                 statement({name("t")}, {name("e")})},
                {{"a", f32({1}, {1})},
                 {"c", f32({1}, {1})},
                 {"d", f32({1}, {1})},
                 {"i", i32({1}, {1})}},
                target);
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results["b"].dtype, DType::BF16);
  EXPECT_EQ(results["e"].dtype, DType::F32);
  EXPECT_EQ(results["i"].dtype, DType::I32);
}

// Optimizer states ---------------------------------------------------------

const Tensors withStates = {
    {"a", tensor<uint16_t>(DType::BF16, {1, 2}, {0x3f80, 0x4000})},
    {"a.fp32", f32({1, 2}, {1.25, 2})},
    {"a.exp_avg", f32({1, 2}, {3, 4})},
    {"a.step", f32({}, {7})},
    {"b", tensor<uint16_t>(DType::BF16, {1, 2}, {0x4040, 0x4080})},
    {"b.fp32", f32({1, 2}, {3.25, 4})},
    {"b.exp_avg", f32({1, 2}, {5, 6})},
    {"b.step", f32({}, {7})}};

Target deepSpeed() {
  Target target;
  target.states = StateConvention::DeepSpeed;
  return target;
}

TEST(States, FollowTheirTensorsWithoutCasts) {
  Tensors results =
      evaluated({statement({name("a", true), name("b", true)}, {name("c")},
                           {whole("axis", 0), word("dtype", "F16")})},
                withStates, deepSpeed());
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results["c"].dtype, DType::F16);
  EXPECT_EQ(results["c.exp_avg"].shape, (Shape{4, 1}));
  EXPECT_EQ(valuesOf<float>(results["c.exp_avg"]), (F32s{3, 4, 5, 6}));
  EXPECT_EQ(valuesOf<float>(results["c.fp32"]), (F32s{1.25, 2, 3.25, 4}));
  EXPECT_EQ(results["c.step"].shape, Shape{});
}

TEST(States, CountersMustAgree) {
  Tensors source = withStates;
  source["b.step"] = f32({}, {8});
  EXPECT_FALSE(attempted({statement({name("a"), name("b")}, {name("c")})},
                         source, deepSpeed()));
}

TEST(States, FreshOnesAreZerosAndModelValues) {
  Tensors results =
      evaluated({statement({name("a")}, {name("c")},
                           {pairs("pad", {{0, 0}, {1, 0}}), whole("value", 9),
                            word("states", "fresh")}),
                 statement({name("b")}, {name("d")},
                           {whole("repeat", 2), whole("axis", 1),
                            whole("block", 1), word("states", "fresh")})},
                withStates, deepSpeed());
  EXPECT_EQ(valuesOf<float>(results["c.exp_avg"]), (F32s{0, 3, 4}));
  EXPECT_EQ(valuesOf<float>(results["c.fp32"]), (F32s{9, 1.25, 2}));
  EXPECT_EQ(valuesOf<float>(results["d.exp_avg"]), (F32s{5, 0, 6, 0}));
  EXPECT_EQ(valuesOf<float>(results["d.fp32"]), (F32s{3.25, 3, 4, 4}));
}

TEST(States, RemovedWithTheirTensor) {
  Tensors results =
      evaluated({statement({name("a")}, {name("_")})}, withStates, deepSpeed());
  EXPECT_EQ(results.size(), 4u);
  EXPECT_TRUE(results.contains("b.exp_avg"));
}

} // namespace
