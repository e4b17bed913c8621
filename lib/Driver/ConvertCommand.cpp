//===- ConvertCommand.cpp - aoac convert ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PassFlags.h"
#include "Progress.h"
#include "RunPlan.h"
#include "ScriptInputs.h"
#include "Stats.h"
#include "aoa/Basic/Showable.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::driver;

namespace {

/// Names the side files that went along, and those that did not and why.
void printSideFiles(const Compilation &compilation) {
  auto print = [](llvm::StringRef what, const std::vector<SideFile> &files) {
    if (files.empty())
      return;
    llvm::errs() << "aoac: " << what;
    const char *separator = " ";
    for (const SideFile &file : files) {
      llvm::errs() << separator << "`" << showable(file.file) << "` ("
                   << formatBytes(file.bytes) << ")";
      separator = ", ";
    }
    llvm::errs() << "\n";
  };
  if (!compilation.plan.copies.empty())
    print("copied along:", compilation.sideFiles.taken);
  print("left behind (weights in another form, over 64 MiB, links to folders, "
        "or no files):",
        compilation.sideFiles.leftBehind);
}

/// Says how many tensors have stored copies that nobody compared.
void printReplicas(int64_t numNotCompared) {
  if (numNotCompared != 0)
    llvm::errs() << "aoac: " << numNotCompared
                 << " tensors are stored more than once; one copy was read, "
                    "the copies were not compared\n";
}

} // namespace

int driver::runConvertCommand(Invocation &invocation) {
  CompilationInputs inputs = scriptInputs(invocation);
  inputs.output = invocation.value(OPT_output).str();
  invocation.required(OPT_source, "a source: --source CKPT");
  invocation.required(OPT_output, "an output directory: --output DIR");
  int64_t maxShardBytes =
      invocation.byteSize(OPT_max_shard_size, BuildPlanOptions().maxShardBytes);
  invocation.runOptions();
  CheckReplicas checkReplicas = invocation.checkReplicas();
  PipelineOptions passOptions = pipelineOptions(invocation);
  DiagnosticOptions options = invocation.diagnosticOptions();
  if (invocation.failed || !invocation.expectOperands(0, 1, "a script"))
    return ExitUsage;

  Compilation compilation(options);
  compilation.pipelineOptions = passOptions;
  if (!compilation.open(inputs))
    return ExitError;
  bool compiled = compilation.compileToPieces();
  reportTimes(invocation, compilation.passes);
  if (!compiled ||
      !compilation.buildPlan(maxShardBytes, !invocation.has(OPT_no_side_files),
                             checkReplicas))
    return compilation.failure();
  compilation.flushDiagnostics();
  if (invocation.has(OPT_dry_run)) {
    int code = printForecast(compilation.plan, invocation);
    return writeStats(invocation, compilation, nullptr) ? code : int(ExitError);
  }

  RunReport report;
  int code = runPlan(compilation.plan, invocation, report);
  if (code != ExitDone)
    return code;
  printSideFiles(compilation);
  printReplicas(compilation.numNotCompared);
  compilation.seconds.run = report.seconds;
  return writeStats(invocation, compilation, &report) ? ExitDone : ExitError;
}
