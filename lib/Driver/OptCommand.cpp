//===- OptCommand.cpp - aoac-opt ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads IR text, runs passes on it, prints what they make of it: how each of
// them is tested. Without passes the text comes back as it was.
//===----------------------------------------------------------------------===//
#include "Compilation.h"
#include "PassFlags.h"
#include "TextOutput.h"
#include "aoa/IRText/IRText.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

/// Reads the program of `path` into `compilation`.
bool readProgram(Compilation &compilation, llvm::StringRef path) {
  auto file = compilation.sources.open(path);
  if (!file)
    return compilation.report(file.error());
  auto parsed =
      parseProgram(compilation.sources, *file, compilation.diagnostics);
  if (!parsed) {
    compilation.flushDiagnostics();
    return false;
  }
  compilation.program = std::move(parsed->program);
  compilation.source = std::move(*parsed->source);
  compilation.program.source = &compilation.source;
  return true;
}

} // namespace

int driver::runOptCommand(Invocation &invocation) {
  CompilationInputs inputs;
  inputs.target = invocation.value(OPT_target).str();
  inputs.parameters = invocation.parameters();
  inputs.config = invocation.value(OPT_config).str();
  inputs.maxPieces = invocation.number(OPT_max_pieces, inputs.maxPieces);
  Pipeline passes = pipeline(invocation, invocation.value(OPT_passes));
  PipelineOptions passOptions = pipelineOptions(invocation);
  DiagnosticOptions options = invocation.diagnosticOptions();
  if (invocation.failed || !invocation.expectOperands(0, 1, "IR text"))
    return ExitUsage;
  std::vector<std::string> operands = invocation.operands();

  Compilation compilation(options);
  compilation.pipelineOptions = passOptions;
  if (!compilation.open(inputs) ||
      !readProgram(compilation, operands.empty() ? "-" : operands.front()))
    return ExitError;
  bool done = compilation.runPasses(passes);
  reportTimes(invocation, compilation.passes);
  compilation.flushDiagnostics();
  if (!done)
    return compilation.failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  ir::print(os, compilation.program, compilation.program.stage);
  return writeOutput(invocation, text);
}
