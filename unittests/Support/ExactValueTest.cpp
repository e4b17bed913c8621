//===- ExactValueTest.cpp - Numbers as elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Support/ExactValue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace aoa;

namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (int value : values)
    text += static_cast<char>(value);
  return text;
}

TEST(ExactValue, ZeroIsZeroBytesWhereThereIsAZero) {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS)                                   \
  if (hasWholeBytes(DType::NAME) && DType::NAME != DType::F8_E8M0)             \
    EXPECT_EQ(encodeExactly(0, DType::NAME),                                   \
              std::string(bytesPerElement(DType::NAME), '\0'))                 \
        << #NAME;                                                              \
  else                                                                         \
    EXPECT_FALSE(encodeExactly(0, DType::NAME)) << #NAME;
#include "aoa/Support/DType.def"
}

TEST(ExactValue, RefusesWhatWouldBeRounded) {
  EXPECT_FALSE(encodeExactly(0.5, DType::I32));
  EXPECT_FALSE(encodeExactly(0.1, DType::F32));
  EXPECT_FALSE(encodeExactly(257, DType::BF16));
  EXPECT_FALSE(encodeExactly(-1, DType::U8));
  EXPECT_FALSE(encodeExactly(256, DType::U8));
  EXPECT_FALSE(encodeExactly(128, DType::I8));
  EXPECT_FALSE(encodeExactly(2, DType::BOOL));
  EXPECT_FALSE(encodeExactly(65520, DType::F16));
  EXPECT_FALSE(encodeExactly(449, DType::F8_E4M3));
  EXPECT_FALSE(encodeExactly(std::ldexp(1, 63), DType::I64));
  EXPECT_FALSE(encodeExactly(std::ldexp(1, 64), DType::U64));
  EXPECT_FALSE(encodeExactly(std::ldexp(1, -25), DType::F16));
  EXPECT_FALSE(encodeExactly(-0.0, DType::F8_E4M3FNUZ));
  EXPECT_FALSE(encodeExactly(3, DType::F8_E8M0));
  EXPECT_FALSE(encodeExactly(-1, DType::F8_E8M0));
  for (double value : {std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(encodeExactly(value, DType::F64));
    EXPECT_FALSE(encodeExactly(value, DType::F32));
    EXPECT_FALSE(encodeExactly(value, DType::I64));
    EXPECT_FALSE(encodeExactly(value, DType::F8_E8M0));
  }
}

TEST(ExactValue, KnownEncodings) {
  EXPECT_EQ(encodeExactly(-1, DType::F16), bytes({0x00, 0xbc}));
  EXPECT_EQ(encodeExactly(65504, DType::F16), bytes({0xff, 0x7b}));
  EXPECT_EQ(encodeExactly(std::ldexp(1, -24), DType::F16), bytes({1, 0}));
  EXPECT_EQ(encodeExactly(1.5, DType::BF16), bytes({0xc0, 0x3f}));
  EXPECT_EQ(encodeExactly(448, DType::F8_E4M3), bytes({0x7e}));
  EXPECT_EQ(encodeExactly(std::ldexp(1, -9), DType::F8_E4M3), bytes({1}));
  EXPECT_EQ(encodeExactly(57344, DType::F8_E5M2), bytes({0x7b}));
  EXPECT_EQ(encodeExactly(240, DType::F8_E4M3FNUZ), bytes({0x7f}));
  EXPECT_EQ(encodeExactly(1, DType::F8_E5M2FNUZ), bytes({0x40}));
  EXPECT_EQ(encodeExactly(1, DType::F8_E8M0), bytes({127}));
  EXPECT_EQ(encodeExactly(std::ldexp(1, -127), DType::F8_E8M0), bytes({0}));
  EXPECT_EQ(encodeExactly(-2, DType::I16), bytes({0xfe, 0xff}));
  EXPECT_EQ(encodeExactly(1, DType::C64),
            bytes({0, 0, 0x80, 0x3f, 0, 0, 0, 0}));
}

TEST(ExactValue, F32IsWhatTheMachineSays) {
  for (float value :
       {1.0f, -2.5f, 0x1p-149f, 0x1.8p-140f, 3.4e38f, 0x1p-126f}) {
    char stored[4];
    std::memcpy(stored, &value, 4);
    EXPECT_EQ(encodeExactly(double{value}, DType::F32), std::string(stored, 4));
  }
}

} // namespace
