//===- RunSetup.h - What a run needs to know before it starts ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_RUNTIME_RUNSETUP_H
#define AOA_LIB_RUNTIME_RUNSETUP_H

#include "TileReader.h"
#include "Tiles.h"
#include "aoa/Runtime/Execute.h"

namespace aoa {

struct RunSetup {
  std::string sourceRoot;
  std::vector<CastSteps> casts; ///< One for each of the plan's `elementOps`.
  unsigned numThreads;
  TileLimits limits;
  TileBuffers::Shares shares; ///< Of one thread.
};

/// How large tiles are in buffers of `shares`.
TileLimits chooseLimits(const TileBuffers::Shares &shares,
                        const RunOptions &options);

/// Checks the plan and its sources, and shares `memoryBytes` out to threads.
Expected<RunSetup> setUpRun(const TransferPlan &plan, const RunOptions &options,
                            int64_t memoryBytes);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_RUNSETUP_H
