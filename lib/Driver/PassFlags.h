//===- PassFlags.h - What flags say about passes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_PASSFLAGS_H
#define AOA_LIB_DRIVER_PASSFLAGS_H

#include "Invocation.h"
#include "aoa/Transforms/Pipeline.h"

namespace aoa::driver {

/// Reads --print-ir-after and its kin, --verify-each and --force-ir-round-trip.
/// Reports names that no pass has as usage errors.
PipelineOptions pipelineOptions(Invocation &invocation);

/// Reads a list of passes. Reports names that no pass has as usage errors.
Pipeline pipeline(Invocation &invocation, llvm::StringRef names);

/// Prints the table of --time-report, if it was asked for.
void reportTimes(const Invocation &invocation,
                 llvm::ArrayRef<PassStatistics> passes);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_PASSFLAGS_H
