//===- WriteTargets.h - All tensor files, by all threads --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_RUNTIME_WRITETARGETS_H
#define AOA_LIB_RUNTIME_WRITETARGETS_H

#include "OutputDirectory.h"
#include "RunSetup.h"
#include "Workers.h"

namespace aoa {

/// Writes the target files of `plan`. Two threads on one file gain little (they
/// wait for its inode), so each takes a file of its own and helps with others
/// only when none is left. At most one file a thread is open.
/// Adds what was read and lost to `report`.
Expected<void> writeTargets(const TransferPlan &plan, const RunSetup &setup,
                            OutputDirectory &output, Workers &workers,
                            RunReport &report);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_WRITETARGETS_H
