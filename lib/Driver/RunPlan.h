//===- RunPlan.h - Running and checking a plan, with words ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RUNPLAN_H
#define AOA_LIB_DRIVER_RUNPLAN_H

#include "Invocation.h"
#include "aoa/Plan/TransferPlan.h"

namespace aoa::driver {

/// Whether the files of a result are what the plan says; prints what differs on
/// standard output.
Expected<bool> isRight(const TransferPlan &plan, const RunOptions &options);

/// Executes `plan` with a progress bar. Under --verify the files are read back
/// and compared before the result appears under its name.
/// Prints the summary line. Returns the exit code; `report` is what was done.
int runPlan(const TransferPlan &plan, Invocation &invocation,
            RunReport &report);

/// Compares the files of a result with what the plan says and prints what
/// differs on standard output. Returns ExitDone, ExitDifferent or ExitError.
int verifyPlanOutput(const TransferPlan &plan, const RunOptions &options,
                     Invocation &invocation);

/// Prints what `execute` would do, without doing it.
int printForecast(const TransferPlan &plan, Invocation &invocation);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RUNPLAN_H
