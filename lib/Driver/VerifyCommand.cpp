//===- VerifyCommand.cpp - aoac verify ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Compilation.h"
#include "PlanOperand.h"
#include "RunPlan.h"
#include "aoa/Reference/Evaluate.h"

using namespace aoa;
using namespace aoa::driver;

/// Works the result out anew from the script in the plan, element by element.
static int verifyExhaustively(const TransferPlan &plan,
                              const RunOptions &options,
                              Invocation &invocation) {
  Compilation compilation(invocation.diagnosticOptions());
  if (!compilation.open(plan.origin, plan.origin.sourcePath) ||
      !compilation.parse() || !compilation.expand())
    return ExitError;
  auto source = reference::readSource(compilation.source);
  if (!source)
    return invocation.report(source.error());
  auto results =
      reference::evaluate(compilation.expanded, *source, compilation.target());
  if (!results)
    return invocation.report(results.error());
  auto placed = reference::placeAll(*results, compilation.target());
  if (!placed)
    return invocation.report(placed.error());
  auto differences = reference::compareWithFiles(*placed, options.output);
  if (!differences)
    return invocation.report(differences.error());
  for (const std::string &difference : *differences)
    llvm::outs() << difference << "\n";
  if (!differences->empty())
    return ExitDifferent;
  llvm::errs() << "aoac: verified: every element is what the script says\n";
  return ExitDone;
}

int driver::runVerifyCommand(Invocation &invocation) {
  invocation.required(OPT_output, "the directory to verify: --output DIR");
  RunOptions options = invocation.runOptions();
  if (invocation.failed || !invocation.expectOperands(1, 1, "a plan"))
    return ExitUsage;
  auto plan = readPlanOperand(invocation);
  if (!plan)
    return invocation.report(plan.error());
  options.sourceRoot = plan->sourceRoot;
  int code = verifyPlanOutput(*plan, options, invocation);
  if (!invocation.has(OPT_exhaustive) ||
      (code != ExitDone && code != ExitDifferent))
    return code;
  int exhaustive = verifyExhaustively(*plan, options, invocation);
  return exhaustive == ExitDone ? code : exhaustive;
}
