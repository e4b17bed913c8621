//===- CheckCommand.cpp - aoac check --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything but moving. Without a source only the syntax can be judged.
//===----------------------------------------------------------------------===//
#include "PassFlags.h"
#include "ScriptInputs.h"

using namespace aoa;
using namespace aoa::driver;

int driver::runCheckCommand(Invocation &invocation) {
  CompilationInputs inputs = scriptInputs(invocation);
  PipelineOptions passOptions = pipelineOptions(invocation);
  DiagnosticOptions options = invocation.diagnosticOptions();
  if (invocation.failed || !invocation.expectOperands(1, 1, "a script"))
    return ExitUsage;
  Compilation compilation(options);
  compilation.pipelineOptions = passOptions;
  if (!compilation.open(inputs))
    return ExitError;
  bool right = compilation.hasSource() ? compilation.compileToPieces()
                                       : compilation.parse();
  reportTimes(invocation, compilation.passes);
  compilation.flushDiagnostics();
  if (!right)
    return compilation.failure();
  if (!compilation.hasSource())
    llvm::errs() << "aoac: the syntax is right; names and shapes were not "
                    "checked (that takes --source)\n";
  return ExitDone;
}
