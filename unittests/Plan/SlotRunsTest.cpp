//===- SlotRunsTest.cpp - Places in the source as runs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/PlanFile.h"
#include "aoa/Plan/RegionTransfers.h"

#include <chrono>
#include <gtest/gtest.h>
#include <random>

namespace aoa {
namespace {

using Place = std::pair<uint32_t, int64_t>;

std::vector<SlotRun> runsOf(const std::vector<Place> &places) {
  std::vector<SlotRun> runs;
  for (const auto &[source, at] : places)
    appendSlot(runs, source, at);
  return runs;
}

TEST(SlotRuns, RegularPlacesAreOneRun) {
  std::vector<Place> places;
  for (uint32_t i = 0; i < 16'384; ++i)
    places.push_back({i, 4096});
  EXPECT_EQ(runsOf(places), (std::vector<SlotRun>{{16'384, 0, 1, 4096, 0}}));
  EXPECT_EQ(runsOf({{5, 10}, {5, 30}, {5, 50}}),
            (std::vector<SlotRun>{{3, 5, 0, 10, 20}}));
  EXPECT_EQ(runsOf({{5, 50}, {8, 30}, {11, 10}}),
            (std::vector<SlotRun>{{3, 5, 3, 50, -20}}));
  EXPECT_EQ(runsOf({{5, 50}}), (std::vector<SlotRun>{{1, 5, 0, 50, 0}}));
  // Files behind come first.
  EXPECT_EQ(runsOf({{5, 0}, {4, 0}, {5, 0}, {6, 1}}),
            (std::vector<SlotRun>{
                {1, 5, 0, 0, 0}, {2, 4, 1, 0, 0}, {1, 6, 0, 1, 0}}));
  EXPECT_EQ(runsOf({{0, 0}, {UINT32_MAX, INT64_MAX}, {0, INT64_MAX}}).size(),
            2u);
}

std::vector<Place> placesOf(const std::vector<SlotRun> &runs) {
  std::vector<Place> places;
  for (const SlotRun &run : runs)
    for (uint32_t i = 0; i < run.count; ++i)
      places.push_back(
          {run.source + i * run.sourceStep, run.atBytes + i * run.atStep});
  return places;
}

TEST(SlotRuns, ASliceIsTheSlotsFromThereOn) {
  std::vector<Place> places;
  for (int64_t i = 0; i < 5; ++i)
    places.push_back({uint32_t(2 * i), 100 - 10 * i});
  places.push_back({3, 7});
  for (int64_t i = 0; i < 4; ++i)
    places.push_back({9, 50 * i});
  const std::vector<SlotRun> runs = runsOf(places);
  ASSERT_EQ(placesOf(runs), places);
  const std::vector<Place> before = {{1, 5}, {2, 6}};
  for (uint32_t first = 0; first <= places.size(); ++first)
    for (uint32_t count = 0; first + count <= places.size(); ++count) {
      std::vector<SlotRun> slice = runsOf(before);
      appendSlots(slice, runs, first, count);
      std::vector<Place> expected = before;
      expected.insert(expected.end(), places.begin() + first,
                      places.begin() + first + count);
      EXPECT_EQ(placesOf(slice), expected) << first << ", " << count;
    }
}

/// One element of U8 from every slot.
TransferPlan planOfSlots(const std::vector<Place> &places, uint32_t numSources,
                         int64_t bytes) {
  TransferPlan plan;
  plan.sources.assign(numSources, {"", bytes, 0});
  plan.elementOps = {{DType::U8, {}}};
  RegionClass made{{{0, {}}}, {}, uint32_t(places.size())};
  for (uint32_t i = 0; i < places.size(); ++i)
    made.transfers.push_back({0, i, 0, i});
  plan.classes = {made};
  const int64_t size = int64_t(places.size());
  plan.targets = {{"t",
                   size,
                   "",
                   {{"w", DType::U8, {size}, 0, size, "", 0, runsOf(places)}}}};
  return plan;
}

TEST(SlotRuns, AnyPlacesComeBack) {
  std::mt19937 random(21);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    constexpr uint32_t numSources = 6;
    std::vector<Place> places;
    for (size_t runs = random() % 5; runs > 0; --runs) {
      Place place{random() % numSources, random() % 100};
      const uint32_t sourceStep = random() % 3;
      const int64_t atStep = int64_t(random() % 21) - 10;
      for (size_t count = random() % 9; count > 0; --count) {
        places.push_back(place);
        place.first = (place.first + sourceStep) % numSources;
        place.second = std::max<int64_t>(place.second + atStep, 0);
      }
    }
    TransferPlan plan = planOfSlots(places, numSources, 200);
    Expected<TransferPlan> decoded = decodePlan(encodePlan(plan));
    ASSERT_TRUE(decoded) << decoded.error().str();
    ASSERT_EQ(*decoded, plan);
    const RegionTransfers transfers(plan, plan.targets[0].regions[0]);
    ASSERT_EQ(transfers.size(), places.size());
    for (size_t i = 0; i < places.size(); ++i) {
      ASSERT_EQ(transfers[i].source, places[i].first) << repeat;
      ASSERT_EQ(transfers[i].srcAtBytes, places[i].second) << repeat;
    }
  }
}

TEST(SlotRuns, BoundsOfEverySlotAreChecked) {
  std::mt19937 random(22);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    std::vector<Place> places;
    for (uint32_t i = 0, count = 1 + random() % 6; i < count; ++i)
      places.push_back({i, 10 * i});
    TransferPlan plan = planOfSlots(places, 8, 100);
    for (PlanSource &source : plan.sources)
      source.bytes = random() % 80;
    bool isInside = true;
    for (const auto &[source, at] : places)
      isInside &= at < plan.sources[source].bytes;
    EXPECT_EQ(verifyPlan(plan).has_value(), isInside);
  }
}

/// A million shards: 1,137 tensors, each a chunk on each of 16,384 ranks, whose
/// files hold all tensors one behind the other. 18.6 million transfers.
TEST(SlotRuns, AMillionShardsAreSmall) {
  constexpr uint32_t numRanks = 16'384;
  constexpr int64_t numTensors = 1'137, numClasses = 12;
  TransferPlan plan;
  plan.elementOps = {{DType::BF16, {}}};
  for (int64_t i = 0; i < numClasses; ++i) {
    const int64_t chunk = 512 * (i + 1);
    RegionClass made{{{0, {{chunk, 1, 1}}}}, {}, numRanks};
    for (uint32_t rank = 0; rank < numRanks; ++rank)
      made.transfers.push_back({0, rank, 0, rank * chunk});
    plan.classes.push_back(std::move(made));
  }
  TargetFile file;
  file.file = "model.safetensors";
  int64_t rankBytes = 0;
  for (int64_t i = 0; i < numTensors; ++i) {
    const int64_t chunk = 512 * (i % numClasses + 1);
    TargetRegion region{"model.layers." + std::to_string(i) + ".weight",
                        DType::BF16,
                        {numRanks, chunk},
                        file.bytes,
                        2 * chunk * numRanks,
                        "",
                        uint32_t(i % numClasses),
                        {}};
    for (uint32_t rank = 0; rank < numRanks; ++rank)
      appendSlot(region.slots, rank, rankBytes);
    EXPECT_EQ(region.slots.size(), 1u);
    rankBytes += 2 * chunk;
    file.bytes += region.sizeBytes;
    file.regions.push_back(std::move(region));
  }
  plan.sources.assign(numRanks, {"", rankBytes, 0});
  plan.targets = {std::move(file)};
  EXPECT_EQ(plan.numTransfers(), numTensors * numRanks);
  EXPECT_EQ(plan.transferBytesRead(), rankBytes * numRanks);
  EXPECT_EQ(plan.transferBytesWritten(), rankBytes * numRanks);

  const auto start = std::chrono::steady_clock::now();
  const std::string bytes = encodePlan(plan);
  Expected<TransferPlan> decoded = decodePlan(bytes);
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(decoded) << decoded.error().str();
  EXPECT_EQ(*decoded, plan);
  EXPECT_LT(bytes.size(), 5'000'000u);
#ifdef NDEBUG // Builds that look for faults may take longer.
  EXPECT_LT(seconds.count(), 0.3);
#endif
  RecordProperty("bytes", std::to_string(bytes.size()));
  RecordProperty("seconds", std::to_string(seconds.count()));

  // A last file too short by one byte is found among all slots.
  plan.sources.back().bytes -= 1;
  Expected<void> sound = verifyPlan(plan);
  ASSERT_FALSE(sound);
  EXPECT_EQ(sound.error().str(),
            "checking the plan of `model.safetensors`: slot 16383 of "
            "`model.layers.1136.weight` reads behind the end of ``, byte " +
                std::to_string(rankBytes - 1));
}

} // namespace
} // namespace aoa
