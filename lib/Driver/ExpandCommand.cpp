//===- ExpandCommand.cpp - aoac expand ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ScriptInputs.h"
#include "TextOutput.h"
#include "aoa/AST/Provenance.h"

using namespace aoa;
using namespace aoa::driver;

int driver::runExpandCommand(Invocation &invocation) {
  CompilationInputs inputs = scriptInputs(invocation);
  DiagnosticOptions options = invocation.diagnosticOptions();
  bool withProvenance = invocation.has(OPT_provenance);
  if (withProvenance && inputs.dialect == ast::Dialect::Paddle)
    invocation.usageError("--provenance: --std=paddle has no comments");
  if (!invocation.expectOperands(1, 1, "a script"))
    return ExitUsage;
  Compilation compilation(options);
  if (!compilation.open(inputs) || !compilation.parse() ||
      !compilation.expand())
    return ExitError;
  compilation.flushDiagnostics();
  return writeOutput(invocation, withProvenance
                                     ? printWithProvenance(compilation.expanded,
                                                           compilation.sources)
                                     : ast::printScript(compilation.expanded));
}
