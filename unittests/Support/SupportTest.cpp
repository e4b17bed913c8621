//===- SupportTest.cpp - Errors, dtypes, numbers, near names --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/ByteSize.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/DType.h"
#include "aoa/Support/Error.h"
#include "aoa/Support/NearestName.h"

#include <gtest/gtest.h>
#include <vector>

using namespace aoa;

TEST(Error, ContextIsPrintedOutermostFirst) {
  Error error = Error(ErrorKind::Format, "header ends early")
                    .withContext("reading `x`")
                    .withContext("opening source");
  EXPECT_EQ(error.str(), "opening source: reading `x`: header ends early");
}

TEST(CheckedMath, ZeroExtentDoesNotHideOverflow) {
  std::vector<int64_t> hidden{int64_t(1) << 40, int64_t(1) << 40, 0};
  EXPECT_FALSE(checkedNumElements(hidden));
  EXPECT_EQ(checkedNumElements(std::vector<int64_t>{0, 5}), 0);
  EXPECT_EQ(checkedNumElements({}), 1);
  EXPECT_FALSE(checkedNumElements(std::vector<int64_t>{2, -1}));
  EXPECT_EQ(checkedNumElements(std::vector<int64_t>{elementLimit - 1}),
            elementLimit - 1);
  EXPECT_FALSE(checkedNumElements(std::vector<int64_t>{elementLimit}));
  EXPECT_FALSE(
      checkedNumElements(std::vector<int64_t>{0, elementLimit / 2, 2}));
}

TEST(DType, NamesAndSizes) {
  EXPECT_EQ(dtypeFromAnyName("bfloat16"), DType::BF16);
  EXPECT_EQ(dtypeFromAnyName("BF16"), DType::BF16);
  EXPECT_EQ(dtypeFromAnyName("bf16"), std::nullopt);
  EXPECT_EQ(dtypeFromSafetensors("bfloat16"), std::nullopt);
  EXPECT_EQ(checkedSizeBytes(DType::F4, std::vector<int64_t>{3, 2}), 3);
  EXPECT_EQ(checkedSizeBytes(DType::F4, std::vector<int64_t>{3}), std::nullopt);
}

TEST(DType, CastsOfTheLanguage) {
  EXPECT_TRUE(canCast(DType::F64, DType::F8_E5M2));
  EXPECT_TRUE(canCast(DType::BOOL, DType::U8));
  EXPECT_TRUE(canCast(DType::U8, DType::I16));
  EXPECT_FALSE(canCast(DType::I8, DType::U16));
  EXPECT_FALSE(canCast(DType::I32, DType::F32));
  EXPECT_FALSE(canCast(DType::I64, DType::I32));
  EXPECT_FALSE(canCast(DType::F8_E8M0, DType::F32));
  EXPECT_TRUE(canCast(DType::F4, DType::F4));
}

TEST(DType, ConversionsAreTheCastsAndIntegersToFloats) {
  EXPECT_TRUE(canConvert(DType::I32, DType::F32));
  EXPECT_TRUE(canConvert(DType::U64, DType::F8_E4M3));
  EXPECT_TRUE(canConvert(DType::BOOL, DType::F64));
  EXPECT_TRUE(canConvert(DType::U8, DType::I16));
  EXPECT_TRUE(canConvert(DType::F32, DType::BF16));
  EXPECT_FALSE(canConvert(DType::F32, DType::I64));
  EXPECT_FALSE(canConvert(DType::F8_E8M0, DType::F32));
  EXPECT_FALSE(canConvert(DType::I32, DType::BOOL));
  EXPECT_FALSE(canConvert(DType::I32, DType::C64));
  EXPECT_TRUE(canConvert(DType::C64, DType::C64));
}

TEST(NearestName, SwapsCountOnceAndFarNamesAreNotProposed) {
  std::vector<std::string> names{"layers.0.q.weight", "layers.0.k.weight",
                                 "embed"};
  EXPECT_EQ(nearestName("layers.0.q.wieght", names).best(),
            "layers.0.q.weight");
  EXPECT_EQ(nearestName("zzz", names).best(), std::nullopt);
  EXPECT_EQ(nearestName("embd", names).hint(), "; did you mean `embed`?");
}

TEST(ByteSize, UnitsAreDecimalOrBinary) {
  EXPECT_EQ(parseByteSize("1"), 1);
  EXPECT_EQ(parseByteSize("5GB"), 5'000'000'000);
  EXPECT_EQ(parseByteSize("512 MiB"), int64_t(512) << 20);
  EXPECT_EQ(parseByteSize("8388607TiB"), int64_t(8388607) << 40);
}

TEST(ByteSize, RefusesWhatIsNoSize) {
  for (const char *text : {"", "GB", "0", "0KB", "-1", "+1", "1.5GB", "1gb",
                           "1 G B", "8388608TiB", "9223372036854775808"})
    EXPECT_FALSE(parseByteSize(text)) << text;
}
