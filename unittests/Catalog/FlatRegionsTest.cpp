//===- FlatRegionsTest.cpp - Who holds which addresses ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/FlatRegions.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

using namespace aoa;

namespace {

std::vector<int64_t> addressesOf(const FlatView &view) {
  std::vector<int64_t> all = {view.offset};
  for (size_t dim = 0; dim < view.shape.size(); ++dim) {
    std::vector<int64_t> next;
    for (int64_t base : all)
      for (int64_t i = 0; i < view.shape[dim]; ++i)
        next.push_back(base + i * view.strides[dim]);
    all = std::move(next);
  }
  return all;
}

FlatView randomView(std::mt19937_64 &random, int64_t numElements) {
  auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
  };
  while (true) {
    FlatView view;
    for (int64_t dims = below(4); dims != 0; --dims) {
      view.shape.push_back(1 + below(4));
      static constexpr int64_t strides[] = {0, 1, 2, 3, 4, 6, 8, 12};
      view.strides.push_back(strides[below(std::size(strides))]);
    }
    view.offset = below(numElements);
    if (!addressOutside(view, numElements))
      return view;
  }
}

// The regions' lowest addresses must have exactly the holders that counting
// finds, every set of holders must be found, and so must every view that holds
// an address twice.
TEST(FlatRegions, AgreeWithCounting) {
  uint64_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20000; ++round) {
    auto numElements = static_cast<int64_t>(1 + random() % 40);
    std::vector<FlatView> views;
    for (uint64_t i = random() % 5; i != 0; --i)
      views.push_back(randomView(random, numElements));
    std::vector<std::map<uint32_t, int>> held(static_cast<size_t>(numElements));
    for (uint32_t i = 0; i < views.size(); ++i)
      for (int64_t address : addressesOf(views[i]))
        ++held[static_cast<size_t>(address)][i];
    std::set<std::set<uint32_t>> expected, found;
    std::set<uint32_t> expectedTwice, foundTwice;
    for (const auto &counts : held) {
      std::set<uint32_t> holders;
      for (auto [view, count] : counts) {
        holders.insert(view);
        if (count > 1)
          expectedTwice.insert(view);
      }
      expected.insert(holders);
    }
    auto done = forEachFlatRegion(
        views, numElements,
        [&](int64_t address, std::span<const uint32_t> holders) {
          EXPECT_TRUE(std::ranges::is_sorted(holders));
          const auto &counts = held[static_cast<size_t>(address)];
          std::map<uint32_t, int> seen;
          for (uint32_t view : holders)
            if (++seen[view] > 1) {
              foundTwice.insert(view);
              EXPECT_GT(counts.at(view), 1);
            }
          bool isAlone = seen.size() == 1 && holders.size() == 2;
          std::set<uint32_t> set(holders.begin(), holders.end());
          std::set<uint32_t> really;
          for (auto [view, count] : counts)
            really.insert(view);
          if (!isAlone || set == really) {
            EXPECT_EQ(set, really);
            found.insert(set);
          }
          return true;
        });
    ASSERT_TRUE(done);
    ASSERT_EQ(found, expected);
    ASSERT_EQ(foundTwice, expectedTwice);
  }
}

TEST(FlatRegions, AreFewForManyViews) {
  constexpr int64_t rows = 16384, columns = 12288;
  std::vector<FlatView> views;
  for (int64_t row = 0; row < rows; ++row)
    for (int copy = 0; copy < 2; ++copy)
      views.push_back({{columns}, row * columns, {1}});
  int64_t count = 0;
  ASSERT_TRUE(forEachFlatRegion(views, rows * columns,
                                [&](int64_t, std::span<const uint32_t> held) {
                                  EXPECT_EQ(held.size(), 2u);
                                  ++count;
                                  return true;
                                }));
  EXPECT_EQ(count, rows);
}

TEST(FlatRegions, RefusesWhatTakesTooLong) {
  // 3 and 2 divide neither each other, nor is there an end to unrolling.
  std::vector<FlatView> views = {{{int64_t(1) << 40}, 0, {2}},
                                 {{int64_t(1) << 40}, 0, {3}}};
  auto done =
      forEachFlatRegion(views, int64_t(1) << 50, [](auto...) { return true; });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().str(),
            "the pieces are cut in more ways than can be checked");
}

TEST(FlatRegions, OfTheLargestBuffer) {
  constexpr int64_t most = elementLimit - 1;
  std::vector<FlatView> views = {{{2}, 0, {most - 1}}, {{most - 2}, 1, {1}}};
  std::map<int64_t, std::vector<uint32_t>> found;
  ASSERT_TRUE(forEachFlatRegion(
      views, most, [&](int64_t address, std::span<const uint32_t> holders) {
        found[address].assign(holders.begin(), holders.end());
        return true;
      }));
  // The first and the last address are one region.
  EXPECT_EQ(found,
            (std::map<int64_t, std::vector<uint32_t>>{{0, {0}}, {1, {1}}}));
}

TEST(FlatRegions, FindAddressesOutside) {
  EXPECT_EQ(addressOutside({{2, 3}, 0, {3, 1}}, 6), std::nullopt);
  EXPECT_EQ(addressOutside({{2, 3}, 1, {3, 1}}, 6), 6);
  EXPECT_EQ(addressOutside({{3}, 0, {elementLimit / 2}}, elementLimit - 1),
            elementLimit);
  EXPECT_EQ(addressOutside({{3}, 1, {INT64_MAX / 2}}, 6), INT64_MAX);
  EXPECT_EQ(addressOutside({{}, 6, {}}, 6), 6);
  EXPECT_EQ(formatIndexOf(7, {2, 5}), "[1, 2]");
}

} // namespace
