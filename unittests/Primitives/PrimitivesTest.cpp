//===- PrimitivesTest.cpp - Shape and dtype rules ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"

#include <gtest/gtest.h>

#include <limits>

using namespace aoa;
using namespace aoa::primitives;
using Dims = std::vector<int64_t>;

static const Dims two = {2, 3}, four = {4, 3}, wide = {2, 5}, line = {6};

TEST(Rename, KeepsShapeAndDType) {
  EXPECT_EQ(rename({"a", DType::BF16, two}), (TensorType{DType::BF16, {2, 3}}));
}

TEST(Merge, SumsTheAxis) {
  Operand parts[] = {{"a", DType::F32, two}, {"b", DType::F32, four}};
  EXPECT_EQ(merge(parts, 0), (TensorType{DType::F32, {6, 3}}));
}

TEST(Merge, NamesTheAxisThatDiffers) {
  Operand parts[] = {{"a", DType::F32, two}, {"b", DType::F32, wide}};
  auto merged = merge(parts, 0);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().message,
            "`b` has shape [2, 5], `a` has [2, 3]: axis 1 differs in a merge "
            "along axis 0");
  EXPECT_EQ(merged.error().operand, 1);
  EXPECT_EQ(merge(parts, 1), (TensorType{DType::F32, {2, 8}}));
}

TEST(Merge, RefusesDifferentRanks) {
  Operand parts[] = {{"a", DType::F32, two}, {"b", DType::F32, line}};
  EXPECT_EQ(merge(parts, 0).error().message,
            "`b` has shape [6], `a` has [2, 3]: numbers of axes differ in a "
            "merge");
}

TEST(Merge, NeverImpliesACast) {
  Operand parts[] = {{"a", DType::F32, two}, {"b", DType::BF16, two}};
  EXPECT_EQ(merge(parts, 0).error().message,
            "`b` is BF16, expected F32 as `a` is; a cast is never implied");
}

TEST(Merge, RefusesSumsThatOverflow) {
  Dims huge = {int64_t(1) << 62, 1};
  Operand parts[] = {{"a", DType::I8, huge}, {"b", DType::I8, huge}};
  EXPECT_EQ(merge(parts, 0).error().message,
            "the merged extent does not fit in 63 bits");
  EXPECT_EQ(merge(parts, 1).error().message,
            "the merged shape [4611686018427387904, 2] has a size that does "
            "not fit in 63 bits");
}

TEST(Merge, MovesSubByteTensorsWhole) {
  Operand parts[] = {{"a", DType::F4, two}, {"b", DType::F4, two}};
  EXPECT_EQ(merge(parts, 0).error().message,
            "`a` is F4, which is moved as a whole tensor only");
  EXPECT_TRUE(merge(llvm::ArrayRef(parts).take_front(), 0));
}

TEST(Merge, InGroups) {
  Operand parts[] = {{"a", DType::F32, two}, {"b", DType::F32, four}};
  EXPECT_EQ(merge(parts, 0, 2), (TensorType{DType::F32, {6, 3}}));
  EXPECT_EQ(merge(parts, 0, 4).error().message,
            "axis 0 of `a` has extent 2, which is not divisible in 4 groups");
  EXPECT_FALSE(merge(parts, 0, 0));
}

/// The fault of sizes on a tensor of [4, 3] along axis 0.
std::string faultOfSizes(unsigned numParts, int64_t groups, Dims sizes) {
  auto resolved =
      resolveSizes({"a", DType::F32, four}, numParts, 0, groups, sizes);
  return resolved ? "none" : resolved.error().message;
}

TEST(Split, WorksOutSizes) {
  Operand a{"a", DType::F32, four};
  EXPECT_EQ(resolveSizes(a, 2, 0, 1, {}), (affine::Extents{2, 2}));
  EXPECT_EQ(resolveSizes(a, 2, 0, 2, {}), (affine::Extents{1, 1}));
  EXPECT_EQ(resolveSizes(a, 3, 0, 1, {3, 0, 1}), (affine::Extents{3, 0, 1}));
  EXPECT_EQ(faultOfSizes(3, 1, {}),
            "axis 0 of `a` has extent 4, which is not divisible in 3 equal "
            "parts (shape [4, 3])");
  EXPECT_EQ(faultOfSizes(1, 3, {}),
            "axis 0 of `a` has extent 4, which is not divisible in 3 groups "
            "(shape [4, 3])");
  EXPECT_EQ(faultOfSizes(2, 4, {}),
            "axis 0 of `a` has extent 4, which is not divisible in 4 groups of "
            "2 equal parts (shape [4, 3])");
  EXPECT_EQ(faultOfSizes(2, 2, {1, 3}),
            "sizes [1, 3] sum to 4, expected 2: axis 0 of `a` has extent 4 in "
            "2 groups");
  EXPECT_EQ(faultOfSizes(2, 1, {4}),
            "sizes [4] for 2 parts of `a`, expected one a part");
  EXPECT_EQ(faultOfSizes(2, 1, {5, -1}),
            "size -1 in [5, -1], expected none below 0");
  EXPECT_EQ(faultOfSizes(2, 1, {INT64_MAX, 5}),
            "size 5 in [9223372036854775807, 5], whose sum overflows");
  EXPECT_EQ(faultOfSizes(2, 0, {}), "0 groups of `a`, expected 1 at least");
  EXPECT_FALSE(resolveSizes(a, 2, 2, 1, {}));
}

TEST(Split, GivesEachPartItsType) {
  EXPECT_EQ(
      split({"a", DType::F32, four}, 0, 2, {2, 0}),
      (std::vector<TensorType>{{DType::F32, {4, 3}}, {DType::F32, {0, 3}}}));
  EXPECT_FALSE(split({"a", DType::F4, four}, 0, 1, {2, 2}));
  EXPECT_TRUE(split({"a", DType::F4, four}, 0, 1, {4}));
}

TEST(Split, CutsEmptyAxes) {
  Dims empty = {0, 3};
  EXPECT_EQ(resolveSizes({"a", DType::F32, empty}, 4, 0, 1, {}),
            (affine::Extents{0, 0, 0, 0}));
}

TEST(Stack, AddsAnAxisAndTakesItAway) {
  Operand parts[] = {{"a", DType::F32, two}, {"b", DType::F32, two}};
  EXPECT_EQ(stack(parts, 2), (TensorType{DType::F32, {2, 3, 2}}));
  EXPECT_EQ(stack(parts, 3).error().message,
            "a new axis 3 beside the 2 of `a`, expected 0 to 2");
  parts[1].shape = four;
  EXPECT_EQ(stack(parts, 0).error().message,
            "`b` has shape [4, 3], `a` has [2, 3]: shapes differ in a stack");
  Operand a{"a", DType::F32, four};
  EXPECT_EQ(unstack(a, 4, 0), (TensorType{DType::F32, {3}}));
  EXPECT_EQ(unstack(a, 2, 0).error().message,
            "axis 0 of `a` has extent 4, which is unstacked in 2 tensors");
  EXPECT_FALSE(unstack(a, 1, 2));
}

std::string faultOfReshape(const Dims &shape, const Dims &entries) {
  auto made = reshape({"a", DType::F32, shape}, entries);
  return made ? "none" : made.error().message;
}

TEST(Reshape, SolvesOneAxis) {
  Operand a{"a", DType::F32, four};
  EXPECT_EQ(reshape(a, {2, -1, 1}), (TensorType{DType::F32, {2, 6, 1}}));
  EXPECT_EQ(reshape({"s", DType::F32, {}}, {-1}),
            (TensorType{DType::F32, {1}}));
  Dims empty = {0, 3};
  EXPECT_EQ(reshape({"a", DType::F32, empty}, {7, 0}),
            (TensorType{DType::F32, {7, 0}}));
  EXPECT_EQ(reshape({"a", DType::F32, empty}, {5, -1}),
            (TensorType{DType::F32, {5, 0}}));
  EXPECT_EQ(faultOfReshape({0, 3}, {0, -1}),
            "`a` of shape [0, 3] is reshaped to [0, -1]: any extent fits the "
            "-1 beside an extent of 0");
  EXPECT_EQ(faultOfReshape(four, {5, -1}),
            "`a` of shape [4, 3] is reshaped to [5, -1]: 12 elements, which is "
            "no multiple of the 5 that the other axes have");
  EXPECT_EQ(faultOfReshape(four, {5, 2}),
            "`a` of shape [4, 3] is reshaped to [5, 2]: 12 elements, expected "
            "10");
  EXPECT_EQ(faultOfReshape(four, {-1, -1}),
            "`a` of shape [4, 3] is reshaped to [-1, -1]: -1 stands twice, "
            "expected once at most");
  EXPECT_EQ(faultOfReshape(four, {-2, 6}),
            "`a` of shape [4, 3] is reshaped to [-2, 6]: an extent of -2");
  EXPECT_NE(faultOfReshape({0}, {0, int64_t(1) << 40, int64_t(1) << 40}),
            "none");
}

std::string faultOfPattern(const char *pattern,
                           llvm::ArrayRef<NamedSize> sizes = {}) {
  Dims shape = {6, 4};
  auto made = resolveRearrange({"a", DType::F32, shape}, pattern, sizes);
  return made ? "none" : made.error().message;
}

TEST(Rearrange, ChecksThePattern) {
  EXPECT_EQ(faultOfPattern("a b"), "pattern `a b`: expected one `->`");
  EXPECT_EQ(faultOfPattern("a -> b -> a"),
            "pattern `a -> b -> a`: expected one `->`");
  EXPECT_EQ(faultOfPattern("a b -> a"),
            "pattern `a b -> a`: `b` stands on the left only, expected on both "
            "sides");
  EXPECT_EQ(faultOfPattern("a b -> a b c"),
            "pattern `a b -> a b c`: `c` stands on the right only, expected on "
            "both sides");
  EXPECT_EQ(faultOfPattern("a a -> a"),
            "pattern `a a -> a`: `a` stands twice on the left");
  EXPECT_EQ(faultOfPattern("... ... -> ..."),
            "pattern `... ... -> ...`: `...` stands twice on the left");
  EXPECT_EQ(faultOfPattern("a (b -> a b"),
            "pattern `a (b -> a b`: `(` without `)`");
  EXPECT_EQ(faultOfPattern("a b) -> a b"),
            "pattern `a b) -> a b`: `)` without `(`");
  EXPECT_EQ(faultOfPattern("a ((b)) -> a b"),
            "pattern `a ((b)) -> a b`: `(` within brackets");
  EXPECT_EQ(faultOfPattern("a 2 -> a 2"),
            "pattern `a 2 -> a 2`: `2`, expected a name, `1`, `...` or "
            "brackets");
  EXPECT_EQ(faultOfPattern("a (...) -> a (...)"),
            "pattern `a (...) -> a (...)`: `...` within brackets");
}

TEST(Rearrange, ChecksEverySize) {
  EXPECT_EQ(faultOfPattern("a b c -> c b a"),
            "`a` of shape [6, 4] has 2 axes, the left of the pattern has 3");
  EXPECT_EQ(faultOfPattern("a b c ... -> c b a ..."),
            "`a` of shape [6, 4] has 2 axes, the left of the pattern has 3 at "
            "least");
  EXPECT_EQ(faultOfPattern("(a b) c -> a b c"),
            "axis 0 of `a` has extent 6, of whose factors neither `a` nor `b` "
            "is given a size");
  EXPECT_EQ(faultOfPattern("(a b) c -> a b c", {{"a", 4}}),
            "axis 0 of `a` has extent 6, which is no multiple of the 4 that "
            "the factors beside `b` have");
  EXPECT_EQ(faultOfPattern("(a b) c -> a b c", {{"a", 2}, {"b", 2}}),
            "axis 0 of `a` has extent 6, the sizes of its factors have the "
            "product 4");
  EXPECT_EQ(faultOfPattern("(a b) c -> a b c", {{"a", 0}}),
            "axis 0 of `a` has extent 6, any size of `b` fits beside a factor "
            "of 0");
  EXPECT_EQ(faultOfPattern("a 1 -> a"),
            "axis 1 of `a` has extent 4, expected 1 by the pattern");
  EXPECT_EQ(faultOfPattern("a b -> b a", {{"a", 6}, {"b", 5}}),
            "axis 1 of `a` has extent 4, the sizes of its factors have the "
            "product 5");
  EXPECT_EQ(faultOfPattern("a b -> b a", {{"c", 6}}),
            "a size is given for `c`, which is no factor of the pattern");
  EXPECT_EQ(faultOfPattern("a b -> b a", {{"a", 6}, {"a", 6}}),
            "factor `a` is given two sizes");
  EXPECT_EQ(faultOfPattern("a b -> b a", {{"a", -6}}),
            "factor `a` has size -6, expected none below 0");
  EXPECT_EQ(
      faultOfPattern("(a b) c -> a b c", {{"a", INT64_MAX}, {"b", INT64_MAX}}),
      "axis 0 of `a` has extent 6, the sizes of its factors have a "
      "product that overflows");
  // An empty tensor whose result has an extent that overflows.
  Dims shape = {0, int64_t(1) << 40};
  EXPECT_FALSE(resolveRearrange({"a", DType::F32, shape}, "(a b) c -> (a c) b",
                                {{"a", int64_t(1) << 40}}));
}

TEST(Rearrange, NamesTheFactors) {
  EXPECT_EQ(factorNames("(h p d) ... 1 -> (h d p_2) ... ()"),
            (std::vector<std::string>{"h", "p", "d", "p_2"}));
}

std::string faultOfSlice(const char *text) {
  auto box = resolveSlice({"a", DType::F32, four}, text);
  return box ? "none" : box.error().message;
}

TEST(Slice, WorksOutRanges) {
  auto box = resolveSlice({"a", DType::F32, four}, " 1 : 3 ");
  ASSERT_TRUE(box);
  EXPECT_EQ(box->begin, (affine::Extents{1, 0}));
  EXPECT_EQ(box->extent, (affine::Extents{2, 3}));
  EXPECT_EQ(resolveSlice({"a", DType::F32, four}, ":,2:")->extent,
            (affine::Extents{4, 1}));
  Dims empty = {0, 3};
  EXPECT_EQ(resolveSlice({"a", DType::F32, empty}, ":, :2")->extent,
            (affine::Extents{0, 2}));
  EXPECT_EQ(faultOfSlice("0:5"),
            "range 0:5 of axis 0 of `a`, which has extent 4; the second must "
            "not be above it");
  EXPECT_EQ(faultOfSlice(":, 3:"),
            "range 3:3 of axis 1 of `a`, which has extent 3; the first must be "
            "below the second");
  EXPECT_EQ(faultOfSlice("0:1, :, :"),
            "slice `0:1, :, :` has 3 ranges, `a` of shape [4, 3] has 2 axes");
  for (const char *text : {"", "1", "0:1:1", "-1:2", "a:b", "0:1,", "0x1:2",
                           "0:99999999999999999999"})
    EXPECT_NE(faultOfSlice(text), "none") << text;
}

TEST(Pad, AddsOnEverySide) {
  Operand a{"a", DType::F32, four};
  EXPECT_EQ(pad(a, {{1, 2}, {0, 0}}), (TensorType{DType::F32, {7, 3}}));
  EXPECT_EQ(pad(a, {{1, 2}}).error().message,
            "1 pair of padding, expected one an axis: `a` has shape [4, 3]");
  EXPECT_EQ(pad(a, {{0, 0}, {0, -1}}).error().message,
            "padding of -1 along axis 1, expected none below 0");
  EXPECT_EQ(pad(a, {{0, 0}, {0, INT64_MAX}}).error().message,
            "padding of 9223372036854775807 along axis 1, which overflows");
  EXPECT_FALSE(pad(a, {{int64_t(1) << 61, 0}, {int64_t(1) << 61, 0}}));
  EXPECT_FALSE(pad({"a", DType::F4, four}, {{1, 1}, {0, 0}}));
}

TEST(Repeat, AndTheWayBack) {
  Operand a{"a", DType::F32, four};
  EXPECT_EQ(repeat(a, 0, 3, 2), (TensorType{DType::F32, {12, 3}}));
  EXPECT_EQ(dedup(a, 0, 2, 2), (TensorType{DType::F32, {2, 3}}));
  EXPECT_EQ(dedup(a, 0, 2, 3).error().message,
            "axis 0 of `a` has extent 4, which is not divisible in 2 blocks of "
            "3");
  EXPECT_FALSE(repeat(a, 0, INT64_MAX, 1));
  EXPECT_FALSE(repeat(a, 2, 1, 1));
  EXPECT_FALSE(repeat(a, 0, 0, 1));
  EXPECT_FALSE(dedup(a, 0, 1, 0));
  EXPECT_FALSE(repeat({"a", DType::F4, four}, 0, 2, 1));
}

TEST(Arithmetic, IsThatOfFloats) {
  Operand a{"a", DType::BF16, four}, wide{"a", DType::F64, four};
  EXPECT_EQ(scale(a, 0.25), (TensorType{DType::BF16, {4, 3}}));
  EXPECT_EQ(plus(a, 0), (TensorType{DType::BF16, {4, 3}}));
  EXPECT_EQ(scale({"a", DType::I32, four}, 2).error().message,
            "`a` is I32, only floats are scaled");
  EXPECT_FALSE(plus({"a", DType::F8_E8M0, four}, 1));
  EXPECT_FALSE(scale(a, 0));
  EXPECT_FALSE(scale(a, -0.0));
  EXPECT_FALSE(scale(a, 1e-60));
  EXPECT_TRUE(scale(wide, 1e-60));
  EXPECT_FALSE(scale(a, 1e60));
  EXPECT_TRUE(plus(wide, 1e60));
  EXPECT_TRUE(plus(a, 0x1.fffffep127));
  EXPECT_TRUE(plus(a, 0x1.fffffefp127)); // Rounds to that.
  EXPECT_FALSE(plus(a, 0x1.ffffffp127)); // Rounds to infinity.
  EXPECT_FALSE(scale(wide, std::numeric_limits<double>::quiet_NaN()));
}

TEST(Fill, WantsAnExactValue) {
  EXPECT_EQ(fill(DType::BF16, two, 1.5), (TensorType{DType::BF16, {2, 3}}));
  EXPECT_EQ(fill(DType::I32, two, 0.5).error().message,
            "0.5 is no value of I32");
  EXPECT_EQ(fill(DType::BF16, two, int64_t(257)).error().message,
            "257 is no value of BF16");
  EXPECT_FALSE(fill(DType::F4, two, int64_t(0)));
  EXPECT_FALSE(fill(DType::F32, {-1}, int64_t(0)));
}

TEST(Fill, EncodesWholeNumbersOfAllSizes) {
  using std::string;
  EXPECT_EQ(encodeNumber(INT64_MAX, DType::I64),
            "\xff\xff\xff\xff\xff\xff\xff\x7f");
  EXPECT_EQ(encodeNumber(INT64_MIN, DType::I64), string(7, '\0') + "\x80");
  EXPECT_EQ(encodeNumber(INT64_MAX, DType::U64),
            "\xff\xff\xff\xff\xff\xff\xff\x7f");
  EXPECT_EQ(encodeNumber((int64_t(1) << 53) + 1, DType::I64),
            string("\x01\0\0\0\0\0\x20\0", 8));
  EXPECT_FALSE(encodeNumber((int64_t(1) << 53) + 1, DType::F64));
  EXPECT_FALSE(encodeNumber(INT64_MAX, DType::F64));
  EXPECT_FALSE(encodeNumber(INT64_MIN + 1, DType::U64));
  EXPECT_FALSE(encodeNumber(INT64_MAX, DType::I32));
  EXPECT_FALSE(encodeNumber(int64_t(-1), DType::U8));
  EXPECT_EQ(encodeNumber(int64_t(-1), DType::I8), "\xff");
  EXPECT_EQ(encodeNumber(int64_t(1), DType::BOOL), "\x01");
  EXPECT_EQ(encodeNumber(-0.0, DType::F32), string(3, '\0') + "\x80");
  EXPECT_EQ(encodeNumber(int64_t(0), DType::F32), string(4, '\0'));
}

TEST(Axis, CountsFromTheEnd) {
  EXPECT_EQ(resolveAxis({"a", DType::F32, two}, -1), 1u);
  EXPECT_EQ(resolveAxis({"a", DType::F32, two}, 2).error().message,
            "axis 2 of `a`, which has shape [2, 3], expected -2 to 1");
  EXPECT_EQ(resolveAxis({"s", DType::F32, {}}, 0).error().message,
            "axis 0 of `s`, which has shape [] and no axes");
  EXPECT_FALSE(resolveAxis({"a", DType::F32, two}, INT64_MIN));
  EXPECT_EQ(resolveAxis({"a", DType::F32, two}, -1, false).error().message,
            "axis -1 of `a`, which has shape [2, 3], expected 0 to 1");
}

TEST(Transpose, PermutesTheShape) {
  Dims shape = {2, 3, 4};
  Operand a{"a", DType::F32, shape};
  auto perm = resolvePermutation(a, {2, 0, 1});
  ASSERT_TRUE(perm);
  EXPECT_EQ(transpose(a, *perm), (TensorType{DType::F32, {4, 2, 3}}));
  EXPECT_EQ(resolvePermutation(a, {}), (Permutation{2, 1, 0}));
}

TEST(Transpose, ChecksThePermutation) {
  Dims shape = {2, 3, 4};
  Operand a{"a", DType::F32, shape};
  EXPECT_EQ(resolvePermutation(a, {0, 2, 2}).error().message,
            "permutation [0, 2, 2] has axis 2 twice and axis 1 never");
  EXPECT_EQ(resolvePermutation(a, {1, 0}).error().message,
            "permutation [1, 0] has 2 entries, expected 3 for `a`, which has "
            "shape [2, 3, 4]");
  EXPECT_EQ(resolvePermutation(a, {1, 0, 3}).error().message,
            "permutation [1, 0, 3] names axis 3, expected 0 to 2 for `a`, "
            "which has shape [2, 3, 4]");
  EXPECT_FALSE(resolvePermutation(a, {-1, 0, 1}));
  EXPECT_EQ(resolvePermutation(a, {-1, 0, 1}, true), (Permutation{2, 0, 1}));
  EXPECT_EQ(resolvePermutation(a, {-1, 2, 0}, true).error().message,
            "permutation [-1, 2, 0] has axis 2 twice and axis 1 never");
}

TEST(Transpose, OfSubByteTensorsOnlyTheIdentity) {
  Operand a{"a", DType::F4, two};
  EXPECT_TRUE(transpose(a, {0, 1}));
  EXPECT_FALSE(transpose(a, {1, 0}));
}

TEST(Cast, FollowsTheLanguage) {
  EXPECT_EQ(cast({"a", DType::F32, two}, DType::BF16),
            (TensorType{DType::BF16, {2, 3}}));
  EXPECT_TRUE(cast({"a", DType::C64, two}, DType::C64));
  EXPECT_FALSE(cast({"a", DType::I32, two}, DType::BF16));
  EXPECT_EQ(cast({"a", DType::I32, two}, DType::BF16, canConvert),
            (TensorType{DType::BF16, {2, 3}}));
  EXPECT_EQ(cast({"a", DType::F32, two}, DType::I32).error().message,
            "`a` is F32, which has no cast to I32: casts go between floats, or "
            "from an integer to a wider one");
  EXPECT_EQ(cast({"a", DType::I64, two}, DType::I32).error().message,
            "`a` is I64, which has no cast to I32: an integer is cast only to "
            "one that holds all its values");
  EXPECT_EQ(cast({"a", DType::F4, two}, DType::F32).error().message,
            "`a` is F4, which has no cast to F32: such elements are only "
            "moved, not converted");
}

TEST(Add, ChecksTheSize) {
  EXPECT_EQ(add(DType::F32, two), (TensorType{DType::F32, {2, 3}}));
  EXPECT_FALSE(add(DType::F64, {int64_t(1) << 61}));
  EXPECT_FALSE(add(DType::F32, {-1}));
}
