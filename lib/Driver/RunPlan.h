//===- RunPlan.h - Running and checking a plan, with words ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RUNPLAN_H
#define AOA_LIB_DRIVER_RUNPLAN_H

#include "Invocation.h"
#include "aoa/Plan/TransferPlan.h"

namespace aoa::driver {

/// Executes `plan` with a progress bar, and verifies the result under --verify.
/// Prints the summary line. Returns the exit code; `report` is what was done.
int runPlan(const TransferPlan &plan, Invocation &invocation,
            RunReport &report);

/// Compares the files of a result with what the plan says and prints what
/// differs on standard output. Returns ExitDone, ExitDifferent or ExitError.
int verifyPlanOutput(const TransferPlan &plan, const RunOptions &options);

/// Prints what `execute` would do, without doing it.
int printForecast(const TransferPlan &plan, Invocation &invocation);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RUNPLAN_H
