//===- Analyze.cpp - Names, shapes and dtypes of a script -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Analyzer.h"

#include "States.h"

using namespace aoa;
using namespace aoa::sema;
using ir::ValueId;

ir::Program aoa::analyze(const ast::Script &script, const Catalog &source,
                         const Target &target, DiagnosticSink &sink,
                         std::vector<AnalyzedStatement> *analyzed) {
  ModelEnds ends(source, target);
  return Analyzer(script, ends, sink, analyzed).run();
}

ir::Program Analyzer::run() {
  program.source = &ends.wholeSource;
  // Moving half-built programs about costs more than the analysis.
  size_t estimate = source.tensors.size() + 2 * script.statements.size();
  program.values.reserve(estimate);
  program.ops.reserve(estimate);
  uncastDTypes.reserve(estimate);
  statedDTypes.reserve(estimate);
  program.results.reserve(script.statements.size());
  for (const ast::Statement &each : script.statements) {
    if (analyzed)
      analyzed->push_back({&each, program.ops.size()});
    statement(each);
    if (analyzed)
      analyzed->back().endOp = program.ops.size();
  }
  finish();
  bool hasStates =
      ends.sourceStates.hasStates() || ends.targetStates.hasStates();
  if (hasStates && reporter.numErrors() == 0)
    addStates(
        program, ends, opStatements,
        [this](llvm::StringRef name) { return takesResult(name); }, reporter);
  if (reporter.numErrors() == 0)
    warnUnusedPatterns();
  return std::move(program);
}

void Analyzer::statement(const ast::Statement &statement) {
  if (!checkForm(statement)) {
    readOperands(statement);
    bindAll(statement, {});
    return;
  }
  warnPortability(statement);
  const auto &left = statement.left, &right = statement.right;
  if (left.size() == 1 && left.front().isDiscard())
    return add(statement);
  if (right.size() == 1 && right.front().isDiscard() &&
      (!isPaddle() || left.size() == 1))
    return remove(statement);
  plainStatement(statement);
}

bool Analyzer::checkForm(const ast::Statement &statement) {
  assert(!statement.left.empty() && !statement.right.empty() &&
         "the parser wants a name on either side");
  return checkWords(statement) && checkDiscards(statement) &&
         checkArity(statement) && checkNoStates(statement);
}

bool Analyzer::checkWords(const ast::Statement &statement) {
  if (!statement.tags.empty()) {
    const ast::Tag &tag = statement.tags.front();
    reporter.report(diag::UnknownWord, statement, tag.range,
                    quote(tag.text) + " is no word of a statement");
    return false;
  }
  for (const ast::Name &name : statement.right) {
    if (name.transposed || name.array) {
      reporter.report(diag::UnknownWord, statement, name.range,
                      "a suffix on the right name " + quote(name.text) +
                          ": only left names are read through one");
      return false;
    }
  }
  for (size_t i = 0; i != statement.right.size(); ++i) {
    const ast::Name &name = statement.right[i];
    if (isPaddle() && i >= statement.firstLateName) {
      reporter.report(diag::UnknownWord, statement, name.range,
                      "name " + quote(name.text) +
                          " after an attribute: --std=paddle wants all names "
                          "before them");
      return false;
    }
  }
  return true;
}

bool Analyzer::checkDiscards(const ast::Statement &statement) {
  auto isDiscard = [](const ast::Name &name) { return name.isDiscard(); };
  const auto &left = statement.left, &right = statement.right;
  bool leftIs = left.size() == 1 && left.front().isDiscard();
  bool rightIs = right.size() == 1 && right.front().isDiscard();
  auto fail = [&](const DiagnosticKind &kind, SourceRange range,
                  std::string message) {
    reporter.report(kind, statement, range, std::move(message));
    return false;
  };
  if (leftIs && rightIs && !isPaddle())
    return fail(diag::MisplacedDiscard, statement.range,
                "`_ -> _` neither removes nor declares a tensor");
  // With --std=paddle `_` is an ordinary name in a list.
  if (isPaddle())
    return true;
  if (left.size() > 1 && llvm::any_of(left, isDiscard))
    return fail(diag::MisplacedDiscard, llvm::find_if(left, isDiscard)->range,
                "`_` among several left names");
  if (leftIs && right.size() > 1)
    return fail(diag::MisplacedDiscard, left.front().range,
                "`_ ->` declares one tensor, found " +
                    std::to_string(right.size()) + " right names");
  if (right.size() > 1 && llvm::all_of(right, isDiscard))
    return fail(diag::MisplacedDiscard, right.front().range,
                "all parts are `_`; write " +
                    quote(ast::isBareName(left.front().text, script.dialect)
                              ? left.front().text + " -> _"
                              : "\"" + left.front().text + "\" -> _"));
  if (statement.copies && llvm::any_of(right, isDiscard))
    return fail(diag::MisplacedDiscard, llvm::find_if(right, isDiscard)->range,
                "`_` among the names of a copy: nothing is left out");
  return true;
}

bool Analyzer::checkArity(const ast::Statement &statement) {
  if (statement.left.size() == 1 || statement.right.size() == 1)
    return true;
  reporter.report(diag::WrongArity, statement, statement.arrow,
                  std::to_string(statement.left.size()) + " left names and " +
                      std::to_string(statement.right.size()) +
                      " right names, expected one on either side");
  return false;
}

bool Analyzer::checkNoStates(const ast::Statement &statement) {
  if (target.states == StateConvention::None)
    return true;
  for (const ast::Name &name : statement.right) {
    auto state = stateName(target.states, name.text);
    if (!state)
      continue;
    reporter.report(diag::StateInScript, statement, name.range,
                    quote(name.text) + " would be the " +
                        std::string(state->what) + " of " +
                        quote(state->tensor) +
                        ", and states follow their tensor by themselves: name "
                        "the tensor, or compile with --states=none");
    return false;
  }
  return true;
}

std::string Analyzer::faultOfState(const ast::Name &name) {
  auto state = stateName(target.states, name.text);
  if (!state || !names.findSource(state->tensor) ||
      !ends.wholeSource.find(name.text))
    return "";
  return quote(name.text) + " is the " + std::string(state->what) + " of " +
         quote(state->tensor) +
         ", and states follow their tensor by themselves: name the tensor";
}

void Analyzer::reportUnknown(const ast::Statement &statement,
                             const ast::Name &name) {
  if (std::string fault = faultOfState(name); !fault.empty())
    return reporter.report(diag::StateInScript, statement, name.range,
                           std::move(fault));
  std::vector<Note> notes;
  std::vector<FixIt> fixIts;
  std::string message =
      quote(name.text) + " is neither bound before nor a tensor of the source";
  if (const ast::Name *later = names.findLaterBinding(name)) {
    message += ": forward reference";
    notes.push_back({later->range, "bound here, by a later statement"});
  } else {
    NearestName nearest = names.nearest(name.text);
    message += nearest.hint();
    auto best = nearest.best();
    if (best && (name.quoted || ast::isBareName(*best, script.dialect)))
      fixIts = reporter.replaceWritten(statement, name.range, name.text, *best);
  }
  reporter.report(diag::UnknownName, statement, name.range, std::move(message),
                  std::move(notes), std::move(fixIts));
}

void Analyzer::reportRemoved(const ast::Statement &statement, SourceRange range,
                             const Meaning &meaning, std::string message) {
  reporter.report(diag::RemovedAndUsed, statement, range, std::move(message),
                  {{meaning.removedAt, "removed here"}});
}

const Tensor &Analyzer::sourceTensor(const Meaning &meaning) const {
  assert(!meaning.statement && "bindings are no tensors of the source");
  return source.tensors[&meaning - names.sources.data()];
}

ValueId Analyzer::sourceValue(llvm::StringRef name, Meaning &meaning) {
  if (!meaning.value.isNone())
    return meaning.value;
  const Tensor &tensor = sourceTensor(meaning);
  addOp(ir::OpKind::Source, {}, nullptr);
  meaning.value =
      addResult(name, {tensor.dtype, affine::Extents(tensor.shape.begin(),
                                                     tensor.shape.end())});
  return meaning.value;
}

ValueId Analyzer::read(const ast::Statement &statement, const ast::Name &name) {
  Meaning *meaning = names.find(name);
  if (!meaning) {
    reportUnknown(statement, name);
    return {};
  }
  if (meaning->removed) {
    reportRemoved(statement, name.range, *meaning,
                  quote(name.text) + " is used after it was removed");
    return {};
  }
  if (meaning->numReads++ == 0)
    meaning->firstRead = name.range.isKnown() ? name.range : statement.range;
  meaning->isMoved |= !statement.copies;
  if (!meaning->statement)
    return sourceValue(name.text, *meaning);
  if (!meaning->value.isNone() &&
      program.definition(meaning->value).kind == ir::OpKind::Add) {
    reporter.report(diag::UnfilledRead, statement, name.range,
                    quote(name.text) +
                        " is left to the caller, so nothing can read it",
                    {{meaning->range, "declared here"}});
    return {};
  }
  return meaning->value;
}

Analyzer::Values Analyzer::readOperands(const ast::Statement &statement) {
  Values values;
  for (const ast::Name &name : statement.left) {
    if (name.isDiscard() && !isPaddle()) {
      values.push_back({});
      continue;
    }
    ValueId value = read(statement, name);
    if (analyzed)
      analyzed->back().operands.push_back(value);
    if (name.transposed && !value.isNone())
      value = apply(statement, {OneToOne::Kind::Transpose}, value, name.text)
                  .value_or(ValueId());
    values.push_back(value);
  }
  return values;
}

void Analyzer::bind(const ast::Statement &statement, const ast::Name &name,
                    ValueId value) {
  std::string key = NameTable::keyOf(name);
  SourceRange range = name.range.isKnown() ? name.range : statement.range;
  if (const Meaning *old = names.findBound(key)) {
    if (old->removed)
      reportRemoved(statement, range, *old,
                    quote(name.text) + " is bound again after it was removed");
    else if (old->numReads == 0)
      reporter.report(isPaddle() ? diag::ReboundUnread : diag::LostBinding,
                      statement, range,
                      quote(name.text) +
                          " is bound anew before anything read it: the first "
                          "value would vanish",
                      {{old->range, "first bound here"}});
  } else if (!NameTable::isTemporary(key)) {
    if (Meaning *hidden = names.findSource(name.text)) {
      if (hidden->removed)
        reportRemoved(statement, range, *hidden,
                      quote(name.text) +
                          " is bound again after it was removed");
      else if (hidden->numReads == 0)
        replaced.push_back({hidden, &statement, &name});
    }
  }
  Meaning meaning;
  meaning.value = value;
  meaning.statement = &statement;
  meaning.range = range;
  names.bind(key, meaning);
}

void Analyzer::bindAll(const ast::Statement &statement,
                       llvm::ArrayRef<ValueId> values) {
  if (analyzed)
    analyzed->back().results.assign(values.begin(), values.end());
  for (size_t i = 0; i != statement.right.size(); ++i)
    if (isPaddle() || !statement.right[i].isDiscard())
      bind(statement, statement.right[i],
           i < values.size() ? values[i] : ValueId());
}
