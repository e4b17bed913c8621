//===- RunComparisons.h - Tensors that must be equal ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Both sides of every comparison of a plan are put together tile by tile, by
// all threads, in the memory that writing would use, before anything is
// written.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_RUNCOMPARISONS_H
#define AOA_LIB_RUNTIME_RUNCOMPARISONS_H

#include "RunSetup.h"
#include "Workers.h"

namespace aoa {

/// Returns the bytes of buffers that `runComparisons` takes.
int64_t memoryOfComparisons(const TransferPlan &plan, const RunSetup &setup,
                            const RunOptions &options);

/// Compares all pairs. Fails with Mismatch at the first byte of the first pair
/// that differs, whatever the number of threads: the element, its two values
/// and the files that they are in. Adds what was read to `report`.
Expected<void> runComparisons(const TransferPlan &plan, const RunSetup &setup,
                              const RunOptions &options, Workers &workers,
                              RunReport &report);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_RUNCOMPARISONS_H
