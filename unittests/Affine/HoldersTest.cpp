//===- HoldersTest.cpp - Who holds what, against enumeration ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Holders.h"
#include "Enumerate.h"

#include <gtest/gtest.h>

using namespace aoa::affine;
using namespace aoa::affine::test;

namespace {
std::string printed(llvm::ArrayRef<uint32_t> ranks) {
  std::string result;
  llvm::raw_string_ostream os(result);
  printRanks(os, ranks);
  return result;
}

TEST(RankSets, PrintsRanges) {
  EXPECT_EQ(printed({}), "{}");
  EXPECT_EQ(printed({3}), "{3}");
  EXPECT_EQ(printed({0, 1, 2, 3, 7}), "{0..3, 7}");
  EXPECT_EQ(printed({0, 2, 3}), "{0, 2..3}");
}

TEST(RankSets, StoresEachSetOnce) {
  RankSets sets;
  RankSetId empty = sets.intern({});
  RankSetId some = sets.intern({1, 4});
  EXPECT_NE(some, empty);
  EXPECT_NE(sets.intern({1, 5}), some);
  EXPECT_EQ(sets.intern({1, 4}), some);
  EXPECT_EQ(sets.intern({}), empty);
  EXPECT_EQ(sets[some], llvm::ArrayRef<uint32_t>({1, 4}));
  EXPECT_EQ(sets.size(), 3u);
}
} // namespace
