//===- PrimitivesTest.cpp - Shape and dtype rules ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"

#include <gtest/gtest.h>

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

TEST(Split, GivesBothNumbersWhenPartsDoNotDivide) {
  EXPECT_EQ(split({"a", DType::F32, four}, 2, 0),
            (TensorType{DType::F32, {2, 3}}));
  EXPECT_EQ(split({"a", DType::F32, four}, 3, 0).error().message,
            "axis 0 of `a` has extent 4, which is not divisible in 3 equal "
            "parts (shape [4, 3])");
}

TEST(Split, CutsEmptyAxes) {
  Dims empty = {0, 3};
  EXPECT_EQ(split({"a", DType::F32, empty}, 4, 0),
            (TensorType{DType::F32, {0, 3}}));
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
