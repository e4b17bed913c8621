//===- Stats.h - Counts and seconds of a compilation ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_STATS_H
#define AOA_LIB_DRIVER_STATS_H

#include "Compilation.h"
#include "Invocation.h"
#include "aoa/Runtime/Execute.h"

namespace aoa::driver {

/// The JSON of `--stats` (docs/Testing.md lists the fields). `statements`
/// counts primitives after expansion, `pieces` blocks between storages after
/// folding, `transfers` those of the plan (a replicated shard counts once a
/// file). Without a run the bytes are those that the plan will move.
std::string statsJson(const Compilation &compilation, const RunReport *run);

/// Writes them to the file of `--stats`, if there is one. Returns whether all
/// is well.
bool writeStats(Invocation &invocation, const Compilation &compilation,
                const RunReport *run);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_STATS_H
