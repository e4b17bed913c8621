//===- ExpandCommand.cpp - aoac expand ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "ScriptInputs.h"
#include "TextOutput.h"
#include "aoa/AST/Provenance.h"
#include "aoa/AST/QuotedName.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::driver;

/// Returns a name that templates took and no text of the language can have.
static std::optional<std::string> unwritableName(const ast::Script &script) {
  for (const ast::Statement &statement : script.statements)
    for (const ast::Name &name :
         llvm::concat<const ast::Name>(statement.left, statement.right))
      if (!ast::canBeQuoted(name.text))
        return name.text;
  return std::nullopt;
}

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
  if (auto name = unwritableName(compilation.expanded))
    return invocation.report(
        Error(ErrorKind::Unsupported, "a statement would have to name `" +
                                          *name + "`, which no quotes hold"));
  return writeOutput(invocation, withProvenance
                                     ? printWithProvenance(compilation.expanded,
                                                           compilation.sources)
                                     : ast::printScript(compilation.expanded));
}
