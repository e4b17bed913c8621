//===- Invert.cpp - The script for the way back ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Invert/Invert.h"

#include "FlatInverse.h"
#include "ProveIdentity.h"
#include "ReportLosses.h"
#include "WayBack.h"
#include "aoa/Catalog/StateIndex.h"
#include "aoa/Invert/InvertDiagnostics.h"

using namespace aoa;
using namespace aoa::invert;

/// Proves that `text` gives back what the conversion took. Returns what is
/// wrong with it.
static std::optional<IdentityFault> proveText(const std::string &text,
                                              const InvertInputs &inputs,
                                              const WayBack &wayBack) {
  DiagnosticList faults;
  ast::Script expanded = wayBack.expand(text, faults);
  std::optional<ir::Program> back;
  if (faults.numErrors() == 0)
    back = wayBack.lower(expanded, faults);
  if (back)
    return proveIdentity(inputs.program, *back);
  for (const Diagnostic &fault : faults.list)
    if (fault.kind->severity == Severity::Error)
      return IdentityFault{"", fault.message};
  llvm_unreachable("only errors keep a text from being a program");
}

static std::string headOf(const InvertInputs &inputs) {
  std::string head = "# The way back of " + inputs.scriptName;
  if (inputs.script.dialect == ast::Dialect::Paddle)
    head += ", which is a script of the paddle dialect; this one is of the aoa "
            "dialect";
  return head + ".\n";
}

Inversion aoa::invertScript(const InvertInputs &inputs, DiagnosticSink &sink) {
  StateIndex states(inputs.source, inputs.target.states);
  Forward forward{inputs.program, inputs.script.dialect,
                  readForward(inputs.program, inputs.analyzed),
                  states.hasStates()};
  Recovery recovery = findRecovery(forward);
  unsigned before = sink.numErrors();
  reportLosses(forward, recovery, inputs.expanded, inputs.target, sink);
  if (sink.numErrors() != before)
    return {};

  WayBack wayBack(inputs);
  std::string text = headOf(inputs);
  for (const FlatStatement &each : invertFlat(forward, recovery))
    text += ast::printStatement(each.statement, ast::Dialect::Aoa) + "\n";

  auto fault = proveText(text, inputs, wayBack);
  if (!fault)
    return {std::move(text), std::nullopt};
  for (const StateIndex::State &state : states.states())
    if (state.tensor->name == fault->tensor) {
      sink.report({&diag::NotInvertible,
                   {},
                   "the optimizer state `" + fault->tensor +
                       "` does not come back: " + fault->what});
      return {};
    }
  return {"", "the way back of `" + fault->tensor +
                  "` is not what it must be: " + fault->what + "\n" + text};
}
