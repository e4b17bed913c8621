//===- SlotRuns.cpp - Places in the source, as few runs -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>

namespace aoa {

namespace {

/// Makes the slot the next one of `run`, if it can be.
bool extend(SlotRun &run, uint32_t source, int64_t atBytes) {
  if (run.count == UINT32_MAX)
    return false;
  if (run.count == 1) {
    const std::optional<int64_t> step = checkedSub(atBytes, run.atBytes);
    if (source < run.source || !step)
      return false;
    run.sourceStep = source - run.source;
    run.atStep = *step;
    run.count = 2;
    return true;
  }
  const uint64_t nextSource =
      run.source + uint64_t(run.count) * uint64_t(run.sourceStep);
  const std::optional<int64_t> reach = checkedMul(run.count, run.atStep);
  if (source != nextSource || !reach ||
      checkedAdd(run.atBytes, *reach) != atBytes)
    return false;
  ++run.count;
  return true;
}

} // namespace

void appendSlot(std::vector<SlotRun> &runs, uint32_t source, int64_t atBytes) {
  if (runs.empty() || !extend(runs.back(), source, atBytes))
    runs.push_back({1, source, 0, atBytes, 0});
}

void appendSlots(std::vector<SlotRun> &runs, std::span<const SlotRun> from,
                 uint32_t first, uint32_t count) {
  for (const SlotRun &run : from) {
    if (count == 0)
      return;
    if (first >= run.count) {
      first -= run.count;
      continue;
    }
    SlotRun part = run;
    part.count = std::min(run.count - first, count);
    part.source += first * run.sourceStep;
    part.atBytes += first * run.atStep;
    first = 0;
    count -= part.count;
    if (part.count == 1)
      appendSlot(runs, part.source, part.atBytes);
    else
      runs.push_back(part);
  }
}

} // namespace aoa
