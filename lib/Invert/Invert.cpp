//===- Invert.cpp - The script for the way back ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Invert/Invert.h"

#include "ChooseTexts.h"
#include "CompleteModel.h"
#include "FlatInverse.h"
#include "ProveIdentity.h"
#include "ReportLosses.h"
#include "RollUp.h"
#include "WayBack.h"
#include "aoa/AST/QuotedName.h"
#include "aoa/Basic/Showable.h"
#include "aoa/Basic/SourceManager.h"
#include "aoa/Catalog/StateIndex.h"
#include "aoa/Invert/InvertDiagnostics.h"
#include "aoa/Parse/Parse.h"
#include "llvm/ADT/StringSet.h"

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

/// Whether all names can be written; reports one that cannot. Templates may
/// have taken such names.
static bool checkNames(FlatStatements flat, DiagnosticSink &sink) {
  auto cannotBeWritten = [](const ast::Name &name) {
    return !ast::canBeQuoted(name.text);
  };
  for (const FlatStatement *each : flat)
    for (llvm::ArrayRef<ast::Name> names :
         {llvm::ArrayRef<ast::Name>(each->statement.left),
          llvm::ArrayRef<ast::Name>(each->statement.right)})
      if (const auto *name = llvm::find_if(names, cannotBeWritten);
          name != names.end()) {
        sink.report({&diag::NotInvertible,
                     {},
                     "a statement of the way back would have to name `" +
                         name->text + "`, which no quotes hold"});
        return false;
      }
  return true;
}

/// Returns the text as `aoac fmt` has it.
static std::string inCanonicalForm(const std::string &text) {
  SourceManager sources;
  DiagnosticList faults;
  FileId file = sources.add("inverse", text);
  auto formatted = formatScript(sources, file, ast::Dialect::Aoa, faults);
  return formatted ? *formatted : text;
}

/// Returns which values are made of tensors of the source called so.
static std::vector<bool> findMadeOf(const ir::Program &program,
                                    const llvm::StringSet<> &names) {
  std::vector<bool> found(program.values.size());
  for (const ir::Op &op : program.ops) {
    bool any = op.kind == ir::OpKind::Source &&
               names.contains(program.value(op.results.front()).name);
    for (ir::ValueId id : op.operands)
      any |= found[id.index()];
    for (ir::ValueId id : op.results)
      found[id.index()] = any;
  }
  return found;
}

static Forward forwardOf(const InvertInputs &inputs, const ir::Program &program,
                         llvm::ArrayRef<AnalyzedStatement> analyzed,
                         const StateIndex &states) {
  llvm::StringSet<> withStates, missing;
  for (const StateIndex::State &state : states.states())
    withStates.insert(state.name.tensor);
  for (const StateIndex::ModelTensor &tensor : states.model())
    if (tensor.hasStatesOnly)
      missing.insert(tensor.name);
  return {program,
          inputs.script.dialect,
          readForward(program, analyzed),
          states.hasStates(),
          findMadeOf(program, withStates),
          findMadeOf(program, missing)};
}

static std::string headOf(const InvertInputs &inputs) {
  std::string head = "# The way back of " + showable(inputs.scriptName);
  if (inputs.script.dialect == ast::Dialect::Paddle)
    head += ", which is a script of the paddle dialect; this one is of the aoa "
            "dialect";
  return head + ".\n";
}

Inversion aoa::invertScript(const InvertInputs &inputs, DiagnosticSink &sink) {
  unsigned before = sink.numErrors();
  auto model = completeModel(inputs, sink);
  if (sink.numErrors() != before)
    return {};
  const ir::Program &program = model ? model->program : inputs.program;
  StateIndex states(inputs.source, inputs.target.states);
  Forward forward = forwardOf(
      inputs, program,
      model ? llvm::ArrayRef(model->analyzed) : inputs.analyzed, states);
  Recovery recovery = findRecovery(forward);
  reportLosses(forward, recovery, inputs.expanded, inputs.target, sink);
  if (sink.numErrors() != before)
    return {};

  WayBack wayBack(inputs);
  std::vector<FlatStatement> flat = invertFlat(forward, recovery);
  std::vector<const FlatStatement *> all;
  for (const FlatStatement &each : flat)
    all.push_back(&each);
  // Where statements that are right by themselves are not together, each one
  // that undoes another is.
  std::string text =
      headOf(inputs) +
      inCanonicalForm(chooseTexts(inputs, forward, all, wayBack));
  auto fault = proveText(text, inputs, wayBack);
  if (fault && !checkNames(all, sink))
    return {};
  if (fault) {
    text = headOf(inputs) + inCanonicalForm(printFlat(all));
    fault = proveText(text, inputs, wayBack);
  }
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
