//===- ExplainCommand.cpp - aoac explain ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints the page of a kind of diagnostic: what it means, an example, what to
// do. The pages are docs/diagnostics/*.md, embedded when the program is built.
//===----------------------------------------------------------------------===//
#include "DiagnosticKinds.h"
#include "Invocation.h"
#include "aoa/Support/NearestName.h"

using namespace aoa;
using namespace aoa::driver;

int driver::runExplainCommand(Invocation &invocation) {
  if (!invocation.expectOperands(1, 1, "a kind of diagnostic"))
    return ExitUsage;
  // As it stands behind a message.
  std::string operand = invocation.operands().front();
  llvm::StringRef wanted = operand;
  wanted.consume_front("[");
  wanted.consume_back("]");
  NearestName nearest(wanted.str());
  for (const DiagnosticKind *kind : allDiagnosticKinds()) {
    if (kind->name == std::string_view(wanted)) {
      llvm::outs() << diagnosticPage(wanted);
      return ExitDone;
    }
    nearest.consider(kind->name);
  }
  invocation.usageError("there is no diagnostic `" + wanted + "`" +
                        nearest.hint() + "; `aoac list diagnostics` shows all");
  return ExitUsage;
}
