//===- PassFlags.cpp - What flags say about passes ------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PassFlags.h"

#include "aoa/IRText/IRText.h"

using namespace aoa;
using namespace aoa::driver;

Pipeline driver::pipeline(Invocation &invocation, llvm::StringRef names) {
  auto passes = parsePipeline(names);
  if (passes)
    return std::move(*passes);
  invocation.usageError(passes.error() +
                        "; `aoac list passes` shows what there is");
  return {};
}

PipelineOptions driver::pipelineOptions(Invocation &invocation) {
  PipelineOptions options;
  options.dumps = &llvm::errs();
  options.printAfterAll = invocation.has(OPT_print_ir_after_all);
  for (const std::string &names : invocation.values(OPT_print_ir_after))
    for (const PassInfo *pass : pipeline(invocation, names))
      options.printAfter.push_back(pass);
  options.verifyEach = invocation.has(OPT_verify_each);
  if (invocation.has(OPT_force_ir_round_trip))
    options.roundTrip = roundTrip;
  return options;
}

void driver::reportTimes(const Invocation &invocation,
                         llvm::ArrayRef<PassStatistics> passes) {
  if (invocation.has(OPT_time_report))
    printTimeReport(llvm::errs(), passes);
}
