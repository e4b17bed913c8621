//===- RunCommand.cpp - aoac run ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PlanOperand.h"
#include "RunPlan.h"

using namespace aoa;
using namespace aoa::driver;

int driver::runRunCommand(Invocation &invocation) {
  invocation.required(OPT_output, "an output directory: --output DIR");
  invocation.runOptions();
  if (invocation.failed || !invocation.expectOperands(1, 1, "a plan"))
    return ExitUsage;
  auto plan = readPlanOperand(invocation);
  if (!plan)
    return invocation.report(plan.error());
  RunReport report;
  return runPlan(*plan, invocation, report);
}
