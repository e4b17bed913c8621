//===- ElementOpsTest.cpp - Chains of casts and scalings --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/ElementOps.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>

namespace aoa {
namespace {

ElementOps chain(DType from, std::initializer_list<DType> casts) {
  ElementOps ops{from, {}};
  for (DType to : casts)
    ops.cast(to);
  return ops;
}

TEST(ElementOps, LosslessCasts) {
  using enum DType;
  struct Row {
    DType from;
    std::vector<DType> to; ///< Of the floats and wider integers.
  };
  const Row rows[] = {
      {F8_E4M3, {F16, BF16, F32, F64}},
      {F8_E5M2, {F16, BF16, F32, F64}},
      {F16, {F32, F64}},
      {BF16, {F32, F64}},
      {F32, {F64}},
      {F64, {}},
      {BOOL,
       {U8, I8, I16, U16, I32, U32, I64, U64, F8_E5M2, F8_E4M3, F16, BF16, F32,
        F64}},
      {U8, {I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64}},
      {I8, {I16, I32, I64, F16, BF16, F32, F64}},
      {U16, {I32, U32, I64, U64, F32, F64}},
      {I16, {I32, I64, F32, F64}},
      {U32, {I64, U64, F64}},
      {I32, {I64, F64}},
      {U64, {}},
      {I64, {}},
      {C64, {}},
      {F4, {}},
      {F8_E8M0, {}},
  };
  const DType all[] = {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS) DType::NAME,
#include "aoa/Support/DType.def"
  };
  for (const Row &row : rows)
    for (DType to : all) {
      bool expected = to == row.from;
      for (DType lossless : row.to)
        expected |= lossless == to;
      EXPECT_EQ(isLossless(row.from, to), expected)
          << nameOf(row.from) << " " << nameOf(to);
    }
}

TEST(ElementOps, FoldsOnlyWhatIsExact) {
  using enum DType;
  EXPECT_TRUE(chain(BF16, {}).isIdentity());
  EXPECT_TRUE(chain(BF16, {BF16}).isIdentity());
  EXPECT_TRUE(chain(BF16, {F32, BF16}).isIdentity());
  EXPECT_TRUE(chain(BF16, {F32, F64, BF16}).isIdentity());
  EXPECT_TRUE(chain(F8_E5M2, {F16, F32, F16, F8_E5M2}).isIdentity());
  EXPECT_EQ(chain(BF16, {F32, F64, F32}), chain(BF16, {F32}));
  EXPECT_EQ(chain(F32, {BF16, BF16}), chain(F32, {BF16}));
  // Rounded on the way there: the way back brings nothing back.
  EXPECT_EQ(format(chain(F32, {BF16, F32})), "F32 -> BF16 -> F32");
  EXPECT_EQ(format(chain(F32, {BF16, F32, BF16})), "F32 -> BF16");
  EXPECT_EQ(format(chain(BF16, {F16, BF16})), "BF16 -> F16 -> BF16");
  // F16 was rounded between, so BF16 is another value.
  EXPECT_EQ(format(chain(BF16, {F32, F16, BF16})),
            "BF16 -> F32 -> F16 -> BF16");
  // No cast leads back.
  EXPECT_EQ(format(chain(U8, {I16, F32})), "U8 -> I16 -> F32");
  EXPECT_EQ(chain(F32, {BF16, F64}).to(), F64);
}

TEST(ElementOps, AFactorOf1IsNothingForIntegersToo) {
  ElementOps ops{DType::I64, {}};
  ops.divide(1);
  ops.multiply(1);
  EXPECT_TRUE(ops.isIdentity());
}

TEST(ElementOps, ScalingsThatUndoEachOtherGo) {
  using enum DType;
  ElementOps ops{BF16, {}};
  ops.divide(4);
  ops.cast(F32);
  EXPECT_EQ(format(ops), "BF16 -> /4 -> F32");
  // The scaling is in the dtype reached, not in the one it was divided in.
  ops.multiply(4);
  EXPECT_EQ(format(ops), "BF16 -> /4 -> F32 -> *4");
  ops.divide(4);
  ops.cast(BF16);
  ops.multiply(4);
  EXPECT_TRUE(ops.isIdentity());
  ops.multiply(1);
  ops.divide(1);
  EXPECT_TRUE(ops.isIdentity());
  ops.multiply(3);
  ops.divide(2);
  ops.multiply(3);
  EXPECT_EQ(format(ops), "BF16 -> *3 -> /2 -> *3");
  // A division by 0.25 is no multiplication by 4: rounding may tell.
  ops.divide(3);
  ops.divide(0.5);
  EXPECT_EQ(format(ops), "BF16 -> *3 -> /2 -> /0.5");
}

TEST(ElementOps, AScalingIsNoWayBack) {
  ElementOps ops{DType::BF16, {}};
  ops.cast(DType::F32);
  ops.multiply(8);
  ops.cast(DType::BF16);
  EXPECT_EQ(format(ops), "BF16 -> F32 -> *8 -> BF16");
}

TEST(ElementOps, Appends) {
  using enum DType;
  ElementOps first = chain(BF16, {F32}), second = chain(F32, {BF16});
  first.append(second);
  EXPECT_TRUE(first.isIdentity());
  ElementOps lossy = chain(F32, {BF16, F32});
  lossy.append(lossy);
  // F32 -> BF16 holds what BF16 -> F32 -> BF16 -> F32 does.
  EXPECT_EQ(format(lossy), "F32 -> BF16 -> F32");
  ElementOps scaled{F32, {}}, back{F32, {}};
  scaled.multiply(3);
  back.divide(3);
  back.cast(F16);
  scaled.append(back);
  EXPECT_EQ(scaled, chain(F32, {F16}));
}

TEST(ElementOps, ArithmeticOfScriptsIsNeverFolded) {
  using enum DType;
  ElementOps ops{BF16, {}};
  ops.scale(4);
  ops.scale(0.25);
  ops.scale(1);
  ops.plus(0);
  ops.plus(-1.5);
  EXPECT_EQ(format(ops), "BF16 -> scale 4 -> scale 0.25 -> scale 1 -> plus 0 "
                         "-> plus -1.5");
  // Nor is anything folded over it.
  ElementOps around{BF16, {}};
  around.cast(F32);
  around.divide(4);
  around.plus(1);
  around.multiply(4);
  around.cast(BF16);
  EXPECT_EQ(format(around), "BF16 -> F32 -> /4 -> plus 1 -> *4 -> BF16");
  ElementOps both = ops;
  both.append(around);
  EXPECT_EQ(format(both), format(ops) + " -> F32 -> /4 -> plus 1 -> *4 -> "
                                        "BF16");
}

TEST(ElementOps, ArithmeticOfScriptsIsInF32) {
  EXPECT_EQ(arithmeticNumber(DType::BF16, 0.1), double(0.1f));
  EXPECT_EQ(arithmeticNumber(DType::F64, 0.1), 0.1);
  EXPECT_EQ(arithmeticNumber(DType::F32, 1e-60), 0);
}

TEST(ElementOps, FactorsReadBackExactly) {
  for (double factor : {1.0 / 3, 0.1, 1e-30, -2.0, 65536.0, 1e300,
                        std::numeric_limits<double>::denorm_min(),
                        std::numeric_limits<double>::max()}) {
    ElementOps ops{DType::F32, {}};
    ops.multiply(factor);
    const std::string text = format(ops), before = "F32 -> *";
    ASSERT_TRUE(text.starts_with(before));
    EXPECT_EQ(std::strtod(text.c_str() + before.size(), nullptr), factor);
  }
}

} // namespace
} // namespace aoa
