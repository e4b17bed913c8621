//===- StateNamesTest.cpp - Which tensors are optimizer states --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Catalog/StateNames.h"

#include <gtest/gtest.h>

using namespace aoa;

namespace {

TEST(StateNames, SayTensorAndPowerOfTheScale) {
  auto moment = stateName(StateConvention::DeepSpeed, "a.w.exp_avg_sq");
  ASSERT_TRUE(moment);
  EXPECT_EQ(moment->tensor, "a.w");
  EXPECT_EQ(moment->what, "second moment");
  EXPECT_EQ(moment->scalePower, -2);
  EXPECT_EQ(stateName(StateConvention::DeepSpeed, "w.fp32")->scalePower, 1);
  EXPECT_EQ(stateName(StateConvention::DeepSpeed, "w.step")->scalePower, 0);
  EXPECT_EQ(stateName(StateConvention::Paddle, "w.moment1_0")->scalePower, -1);
}

TEST(StateNames, AreThoseOfOneConventionOnly) {
  EXPECT_FALSE(stateName(StateConvention::None, "w.exp_avg"));
  EXPECT_FALSE(stateName(StateConvention::Paddle, "w.exp_avg"));
  EXPECT_FALSE(stateName(StateConvention::DeepSpeed, "w.exp_avgs"));
  // A suffix alone is a state of nothing.
  EXPECT_FALSE(stateName(StateConvention::DeepSpeed, ".exp_avg"));
}

TEST(StateNames, ConventionsAreFoundByTheirNames) {
  for (StateConvention convention :
       {StateConvention::None, StateConvention::Paddle,
        StateConvention::DeepSpeed})
    EXPECT_EQ(findStateConvention(nameOf(convention)), convention);
  EXPECT_FALSE(findStateConvention("Paddle"));
}

} // namespace
