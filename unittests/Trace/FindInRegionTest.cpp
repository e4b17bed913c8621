//===- FindInRegionTest.cpp - Elements of a target region -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "FindInRegion.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace aoa;
using namespace aoa::trace;

namespace {

/// A plan of one region of F32, whose slot lies at byte 100 of a source.
class FindInRegionTest : public testing::Test {
protected:
  FindInRegionTest() {
    plan.elementOps.push_back({DType::F32, {}});
    plan.sources.push_back({"s.safetensors", 1 << 20});
    plan.classes.emplace_back();
    plan.classes[0].numSlots = 1;
    region.tensor = "w";
    region.dtype = DType::F32;
    region.slots.push_back({1, 0, 0, 100, 0});
  }

  void add(int64_t srcOffset, int64_t dstOffset,
           std::vector<TransferDim> dims) {
    RegionClass &regionClass = plan.classes[0];
    regionClass.transfers.push_back(
        {static_cast<uint32_t>(regionClass.forms.size()), 0, srcOffset,
         dstOffset});
    regionClass.forms.push_back({0, std::move(dims)});
  }

  std::string refusalOf(const std::vector<int64_t> &offsets) {
    auto found = findInRegion(plan, region, offsets);
    return found ? "none" : found.error().str();
  }

  TransferPlan plan;
  TargetRegion region;
};

TEST_F(FindInRegionTest, TransposedAndInterleavedBlocks) {
  add(7, 0, {{4, 1, 6}, {3, 10, 1}});  // Rows of 6, their first three.
  add(500, 3, {{4, 3, 6}, {3, 0, 1}}); // The others, each one element.
  std::vector<int64_t> all(24);
  std::iota(all.begin(), all.end(), 0);
  auto found = findInRegion(plan, region, all);
  ASSERT_TRUE(found) << found.error().str();
  for (int64_t offset : all) {
    int64_t row = offset / 6, column = offset % 6;
    int64_t expected = column < 3 ? 7 + row + 10 * column : 500 + 3 * row;
    EXPECT_EQ((*found)[offset].byte, 100 + 4 * expected) << offset;
  }
  EXPECT_EQ(findInRegion(plan, region, {5})->front().byte, 100 + 4 * 500);
}

// Strides that do not nest: 4·a + 3·b reaches 6 with a = 0 only.
TEST_F(FindInRegionTest, StridesThatDoNotNest) {
  add(0, 0, {{2, 100, 4}, {3, 1, 3}});
  auto found = findInRegion(plan, region, {0, 3, 4, 6, 7, 10});
  ASSERT_TRUE(found) << found.error().str();
  std::vector<int64_t> elements;
  for (const ReadElement &read : *found)
    elements.push_back((read.byte - 100) / 4);
  EXPECT_EQ(elements, std::vector<int64_t>({0, 1, 100, 2, 101, 102}));
  EXPECT_EQ(refusalOf({0, 5}), "element 5 of a shard of `w` is written by no "
                               "transfer of the plan");
}

TEST_F(FindInRegionTest, HostileBlocks) {
  add(0, 0, {{2, 1, 1}});
  add(8, 1, {{2, 1, 1}});
  EXPECT_EQ(refusalOf({0}), "none");
  EXPECT_EQ(refusalOf({1}),
            "element 1 of a shard of `w` is written twice by the plan");
  add(0, 10, {{5, 1, 0}});
  EXPECT_EQ(refusalOf({10}),
            "element 10 of a shard of `w` is written twice by the plan");
  EXPECT_EQ(refusalOf({11}), "element 11 of a shard of `w` is written by no "
                             "transfer of the plan");
  // Dimensions of one index cost nothing, however many there are.
  add(0, 20, std::vector<TransferDim>(1'000'000, {1, 1, 0}));
  EXPECT_EQ(refusalOf({20}), "none");
}

// Even numbers only, and many ways to miss an odd one.
TEST_F(FindInRegionTest, EndlessSearchesEnd) {
  std::vector<TransferDim> dims;
  for (int64_t i = 0; i < 40; ++i)
    dims.push_back({2, 1, 2000 - 2 * i});
  add(0, 0, std::move(dims));
  EXPECT_EQ(refusalOf({39'001}),
            "finding the elements in the plan takes too many steps; trace "
            "fewer of them");
}

} // namespace
