//===- InvertCommand.cpp - aoac invert ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ScriptInputs.h"
#include "TextOutput.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

int driver::runInvertCommand(Invocation &invocation) {
  CompilationInputs inputs = scriptInputs(invocation);
  DiagnosticOptions options = invocation.diagnosticOptions();
  if (invocation.failed || !invocation.expectOperands(1, 1, "a script"))
    return ExitUsage;
  if (inputs.source.empty()) {
    invocation.usageError("the way back depends on the tensors that there are; "
                          "name them with --source");
    return ExitUsage;
  }
  Compilation compilation(options);
  bool done = compilation.open(inputs) && compilation.parse() &&
              compilation.expand() && compilation.analyze() &&
              compilation.lower();
  std::string text;
  if (done)
    done = compilation.invert(
        inputs.script == "-" ? "a script"
                             : llvm::sys::path::filename(inputs.script).str(),
        text);
  compilation.flushDiagnostics();
  return done ? writeOutput(invocation, text) : compilation.failure();
}
