//===- RunSetup.cpp - What a run needs to know before it starts -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "RunSetup.h"

#include "aoa/Plan/PlanFile.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <thread>

namespace aoa {

namespace {

constexpr int64_t normalTileBytes = 1 << 20;
/// With less than this a thread cannot work on transposes well; then fewer
/// threads are better.
constexpr int64_t goodThreadBytes = 16 << 20;

/// Returns how many threads can be busy at most.
int64_t countTiles(const TransferPlan &plan) {
  int64_t tiles = 0;
  for (const TargetFile &file : plan.targets)
    tiles =
        std::min<int64_t>(tiles + 1 + file.bytes / normalTileBytes, 1'000'000);
  for (const Comparison &comparison : plan.comparisons)
    tiles = std::min<int64_t>(
        tiles + 1 + comparison.left.sizeBytes / normalTileBytes, 1'000'000);
  return std::max<int64_t>(tiles, 1);
}

unsigned chooseThreads(const TransferPlan &plan, const RunOptions &options,
                       int64_t memoryBytes) {
  const int64_t wanted =
      options.threads ? options.threads
                      : std::max(std::thread::hardware_concurrency(), 1u);
  const int64_t perThread =
      options.threads ? TileBuffers::minBytes : goodThreadBytes;
  constexpr int64_t filesOfRun = 4; // Locks, and one of each kind.
  const int64_t possible = std::min(
      memoryBytes / perThread, (openableFiles() - filesOfRun) / filesPerThread);
  return static_cast<unsigned>(
      std::min({wanted, std::max<int64_t>(possible, 1), countTiles(plan)}));
}

} // namespace

TileLimits chooseLimits(const TileBuffers::Shares &shares,
                        const RunOptions &options) {
  const int64_t room = shares.tileBytes;
  if (options.tileBytes <= 0)
    return {std::min(normalTileBytes, room), room};
  const int64_t fixed = std::clamp(options.tileBytes, int64_t(8), room);
  return {fixed, fixed};
}

Expected<RunSetup> setUpRun(const TransferPlan &plan, const RunOptions &options,
                            int64_t memoryBytes) {
  if (Expected<void> sound = verifyPlan(plan); !sound)
    return failWith(std::move(sound));
  const unsigned numThreads = chooseThreads(plan, options, memoryBytes);
  RunSetup setup{options.sourceRoot.empty() ? plan.sourceRoot
                                            : options.sourceRoot,
                 {},
                 numThreads,
                 {},
                 TileBuffers::Shares(memoryBytes / numThreads)};
  if (Expected<void> same = checkSources(plan, setup.sourceRoot); !same)
    return failWith(std::move(same));
  for (const ElementOps &ops : plan.elementOps)
    setup.casts.emplace_back(ops);

  setup.limits = chooseLimits(setup.shares, options);
  setup.shares.tileBytes =
      ceilDiv(largestTileBytes(plan, setup.casts, setup.limits), 64) * 64;
  return setup;
}

} // namespace aoa
