//===- CompareValues.cpp - Two checkpoints, value by value ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Both plans say how a checkpoint would look as one file with the same regions;
// those files are made tile by tile in memory and never written.
//===----------------------------------------------------------------------===//
#include "FormatElement.h"
#include "RunSetup.h"
#include "Workers.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace aoa {

namespace {

/// One of the two plans, for all threads.
struct Side {
  const TransferPlan &plan;
  const TargetFile &file;
  RunSetup setup;
  SourceFiles sources;
  FileTiles tiles;

  Side(const TransferPlan &plan, RunSetup checkedSetup)
      : plan(plan), file(plan.targets[0]), setup(std::move(checkedSetup)),
        sources(plan, setup.sourceRoot, setup.numThreads),
        tiles(cutIntoTiles(plan, setup.casts, file, setup.limits)) {}
};

/// Both sides are cut alike.
void agreeOnLimits(RunSetup &left, RunSetup &right) {
  const TileLimits limits = {
      std::min(left.limits.normalBytes, right.limits.normalBytes),
      std::min(left.limits.maxBytes, right.limits.maxBytes)};
  left.limits = right.limits = limits;
  left.shares.tileBytes = right.shares.tileBytes =
      (limits.maxBytes + 63) / 64 * 64;
}

class ValueComparer {
public:
  ValueComparer(Side &left, Side &right, Workers &workers)
      : left(left), right(right), workers(workers),
        differences(left.file.regions.size()) {}

  /// What one thread does: regions one after another.
  Expected<void> work();

  std::vector<std::optional<ValueDifference>> &found() { return differences; }

private:
  Expected<void> compareRegion(uint32_t number, TileReader &leftReader,
                               const TileBuffers &leftBuffers,
                               TileReader &rightReader,
                               const TileBuffers &rightBuffers);
  int64_t stepBytes(uint32_t number) const;
  void compareTile(uint32_t number, int64_t firstElement, int64_t bytes,
                   const std::byte *ours, const std::byte *theirs);

  Side &left, &right;
  Workers &workers;
  std::vector<std::optional<ValueDifference>> differences;
  std::atomic<uint32_t> nextRegion = 0;
};

Expected<void> ValueComparer::work() {
  Expected<TileBuffers> ours = TileBuffers::allocate(left.setup.shares);
  if (!ours)
    return failWith(std::move(ours));
  Expected<TileBuffers> theirs = TileBuffers::allocate(right.setup.shares);
  if (!theirs)
    return failWith(std::move(theirs));
  TileReader leftReader(left.setup.casts, left.sources, *ours);
  TileReader rightReader(right.setup.casts, right.sources, *theirs);
  for (uint32_t i; (i = nextRegion++) < differences.size();)
    if (Expected<void> done =
            compareRegion(i, leftReader, *ours, rightReader, *theirs);
        !done)
      return done;
  return {};
}

/// The larger of what suits either side; whole elements.
int64_t ValueComparer::stepBytes(uint32_t number) const {
  const TargetRegion &region = left.file.regions[number];
  const int64_t step = std::max(
      chooseTileBytes(left.plan, left.setup.casts, region, left.setup.limits),
      chooseTileBytes(right.plan, right.setup.casts, right.file.regions[number],
                      right.setup.limits));
  // Four elements of six bits are three bytes.
  return hasWholeBytes(region.dtype) ? step : step / 3 * 3;
}

Expected<void> ValueComparer::compareRegion(uint32_t number,
                                            TileReader &leftReader,
                                            const TileBuffers &leftBuffers,
                                            TileReader &rightReader,
                                            const TileBuffers &rightBuffers) {
  const TargetRegion &ours = left.file.regions[number];
  const TargetRegion &theirs = right.file.regions[number];
  const int64_t step = stepBytes(number);
  for (int64_t at = 0; at < ours.sizeBytes; at += step) {
    if (Expected<void> go = workers.checkStop(); !go)
      return go;
    const int64_t bytes = std::min(step, ours.sizeBytes - at);
    const auto tileOf = [&](const TargetRegion &region) {
      return Tile{region.atBytes + at, region.atBytes + at + bytes, number,
                  number + 1};
    };
    if (Expected<void> done =
            leftReader.fill(left.file, left.tiles, tileOf(ours));
        !done)
      return done;
    if (Expected<void> done =
            rightReader.fill(right.file, right.tiles, tileOf(theirs));
        !done)
      return done;
    if (std::memcmp(leftBuffers.tile(), rightBuffers.tile(), size_t(bytes)))
      compareTile(number, at * 8 / bitsOf(ours.dtype), bytes,
                  leftBuffers.tile(), rightBuffers.tile());
    workers.addProgress(bytes);
  }
  return {};
}

void ValueComparer::compareTile(uint32_t number, int64_t firstElement,
                                int64_t bytes, const std::byte *ours,
                                const std::byte *theirs) {
  const TargetRegion &region = left.file.regions[number];
  std::optional<ValueDifference> &difference = differences[number];
  const int64_t elements = bytes * 8 / bitsOf(region.dtype);
  for (int64_t i = 0; i < elements; ++i) {
    if (elementBits(region.dtype, ours, i) ==
        elementBits(region.dtype, theirs, i))
      continue;
    if (!difference)
      difference = {region.tensor,
                    indexOfElement(region.shape, firstElement + i),
                    formatElement(region.dtype, ours, i),
                    formatElement(region.dtype, theirs, i), 0};
    ++difference->numElements;
  }
}

Expected<void> checkComparable(const TransferPlan &left,
                               const TransferPlan &right) {
  if (left.targets.size() != 1 || right.targets.size() != 1)
    return fail(ErrorKind::Unsupported,
                fmt::format("comparing plans of {} and {} target files, "
                            "expected one each",
                            left.targets.size(), right.targets.size()));
  const auto &ours = left.targets[0].regions;
  const auto &theirs = right.targets[0].regions;
  const auto isAlike = [](const TargetRegion &a, const TargetRegion &b) {
    return a.tensor == b.tensor && a.dtype == b.dtype && a.shape == b.shape;
  };
  const auto differs = std::ranges::mismatch(ours, theirs, isAlike).in1;
  if (differs != ours.end() || ours.size() != theirs.size())
    return fail(ErrorKind::Mismatch,
                fmt::format("the plans differ at tensor {} of {} and {}",
                            differs - ours.begin(), ours.size(),
                            theirs.size()));
  return {};
}

} // namespace

Expected<std::vector<ValueDifference>>
compareValues(const TransferPlan &left, const TransferPlan &right,
              const RunOptions &options) {
  Expected<RunSetup> ours = setUpRun(left, options, options.memoryBytes / 2);
  if (!ours)
    return failWith(std::move(ours));
  Expected<RunSetup> theirs = setUpRun(right, options, options.memoryBytes / 2);
  if (!theirs)
    return failWith(std::move(theirs));
  if (Expected<void> alike = checkComparable(left, right); !alike)
    return failWith(std::move(alike));
  agreeOnLimits(*ours, *theirs);
  const unsigned numThreads = std::min(ours->numThreads, theirs->numThreads);

  Side leftSide(left, std::move(*ours)), rightSide(right, std::move(*theirs));
  Workers workers(options, left.targets[0].bytes -
                               int64_t(left.targets[0].prefix.size()));
  ValueComparer comparer(leftSide, rightSide, workers);
  if (Expected<void> done =
          workers.run(numThreads, [&] { return comparer.work(); });
      !done)
    return failWith(std::move(done));
  workers.report();
  std::vector<ValueDifference> result;
  for (std::optional<ValueDifference> &difference : comparer.found())
    if (difference)
      result.push_back(std::move(*difference));
  return result;
}

} // namespace aoa
