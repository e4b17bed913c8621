//===- States.cpp - Optimizer states follow their tensors -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "States.h"

#include "CloneStates.h"
#include "DropStatesOnly.h"
#include "StateSources.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <span>

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;

namespace {

/// A state that a result of the model has.
struct Wanted {
  std::string name;
  ValueId model;
  const Tensor *listed = nullptr; ///< By the target, if it lists any.
};

class StatesAdder {
public:
  StatesAdder(ir::Program &program, const ModelEnds &ends,
              llvm::ArrayRef<const ast::Statement *> statements,
              llvm::function_ref<bool(llvm::StringRef)> takes,
              Reporter &reporter)
      : program(program), ends(ends), statements(statements), takes(takes),
        reporter(reporter), numModelResults(program.results.size()) {}

  void run();

private:
  bool findSources();
  void indexResults();
  void takeAll(size_t suffix);
  void takeListed(size_t suffix);
  std::span<const StateSuffix> suffixes() const {
    return ends.sourceStates.suffixes();
  }
  /// The tensors whose states those of a value are made of.
  llvm::ArrayRef<ValueId> tensorsOf(ValueId value, size_t suffix) const {
    bool agrees = agreeing && !hasShapeOfTensor(suffixes()[suffix]);
    const StateSources &all = agrees ? *agreeing : *sources;
    return all.tensors(all.setOf(value));
  }
  bool hasAllStates(ValueId value, size_t suffix, bool isListed,
                    const std::string &name);
  void reportMixed(const std::string &name, ValueId with, ValueId without,
                   llvm::StringRef what);
  void makeLeftToCaller(const Wanted &wanted, size_t suffix);
  void make(size_t suffix);
  std::vector<ValueId> copyCounters(StatesBuilder &builder);
  ValueId copyCounter(StatesBuilder &builder, const Wanted &wanted);
  void addResult(const Wanted &wanted, ValueId value);
  void checkListed(const Wanted &wanted, ValueId value);
  bool checkModel();
  bool isLeftToCaller(ValueId id) const {
    return program.definition(id).kind == OpKind::Add;
  }
  bool hasStatesOnly(ValueId source) const;
  void warnUnused();
  const ast::Statement *statementOf(ValueId id) const {
    size_t op = program.value(id).definition.index();
    return op < statements.size() ? statements[op] : nullptr;
  }
  void report(const DiagnosticKind &kind, ValueId at, std::string message,
              std::vector<Note> notes = {});

  ir::Program &program;
  const ModelEnds &ends;
  llvm::ArrayRef<const ast::Statement *> statements;
  llvm::function_ref<bool(llvm::StringRef)> takes;
  Reporter &reporter;
  size_t numModelResults;
  std::optional<StateSources> sources;
  /// The same with what ties compare, whose counters must agree; none where
  /// nothing is tied.
  std::optional<StateSources> agreeing;
  llvm::StringMap<ValueId> resultOf; ///< Results of the model by name.
  std::vector<Wanted> wanted;        ///< Of the kind that is being made.
  /// The Source operations of counters, and which are compared already.
  llvm::DenseMap<const Tensor *, ValueId> counters;
  llvm::DenseSet<std::pair<size_t, size_t>> comparedCounters;
};

void StatesAdder::report(const DiagnosticKind &kind, ValueId at,
                         std::string message, std::vector<Note> notes) {
  if (const ast::Statement *statement = statementOf(at))
    return reporter.report(kind, *statement, statement->range,
                           std::move(message), std::move(notes));
  reporter.report(kind, SourceRange(), std::move(message), std::move(notes));
}

bool StatesAdder::hasStatesOnly(ValueId source) const {
  const ir::Value &value = program.value(source);
  if (program.definition(source).kind != OpKind::Source)
    return false;
  const auto *model = ends.sourceStates.findModel(value.name);
  return model && model->hasStatesOnly;
}

/// Returns whether they are few enough to be told apart.
bool StatesAdder::findSources() {
  // New states agree with nothing.
  std::vector<const ast::Statement *> ties(statements.begin(),
                                           statements.end());
  for (const ast::Statement *&each : ties)
    if (each && (!each->find("tie") || modeOf(each) == StatesMode::Fresh))
      each = nullptr;
  sources = StateSources::of(program);
  bool hasTies = llvm::any_of(ties, [](auto *each) { return each != nullptr; });
  if (sources && hasTies)
    agreeing = StateSources::of(program, ties);
  if (!sources || (hasTies && !agreeing))
    reporter.report(diag::MixedStates, SourceRange(),
                    "too many tensors are joined to tell whose states each "
                    "result has");
  return sources && (!hasTies || agreeing);
}

void StatesAdder::indexResults() {
  for (const ir::Result &result : program.results)
    resultOf.try_emplace(result.name, result.value);
}

void StatesAdder::reportMixed(const std::string &name, ValueId with,
                              ValueId without, llvm::StringRef what) {
  auto is = [&](ValueId id) {
    return program.definition(id).kind == OpKind::Source ? " of the source"
                                                         : "";
  };
  report(diag::MixedStates, resultOf.lookup(name),
         quote(name) + " is made of tensors with and without " + what.str() +
             ": " + quote(program.value(with).name) + is(with) + " has " +
             what.str() + ", " + quote(program.value(without).name) +
             is(without) + " has none");
}

/// Whether the tensors of a value all have the state. Says so where some do, or
/// where a target wants it.
bool StatesAdder::hasAllStates(ValueId value, size_t suffix, bool isListed,
                               const std::string &name) {
  const StateSuffix &kind = suffixes()[suffix];
  ValueId with, without;
  for (ValueId id : tensorsOf(value, suffix)) {
    bool has = program.definition(id).kind == OpKind::Source &&
               ends.sourceStates.findState(program.value(id).name, suffix);
    ValueId &first = has ? with : without;
    if (first.isNone())
      first = id;
    if (!with.isNone() && !without.isNone())
      break;
  }
  if (without.isNone())
    return true;
  if (!with.isNone())
    reportMixed(name, with, without, "a " + std::string(kind.what));
  else if (isListed)
    report(diag::MissingTensor, resultOf.lookup(name),
           quote(name + std::string(kind.text)) +
               " is listed by the target, but " +
               quote(program.value(without).name) + ", which " + quote(name) +
               " is made of, has no " + quote(std::string(kind.text)) +
               " in the source");
  return false;
}

void StatesAdder::takeAll(size_t suffix) {
  const StateSuffix &kind = suffixes()[suffix];
  for (size_t i = 0; i != numModelResults; ++i) {
    const ir::Result &result = program.results[i];
    std::string name = result.name + std::string(kind.text);
    if (!result.leftToCaller && takes(name) &&
        hasAllStates(result.value, suffix, false, result.name))
      wanted.push_back({std::move(name), result.value});
  }
}

void StatesAdder::takeListed(size_t suffix) {
  const StateSuffix &kind = suffixes()[suffix];
  for (const StateIndex::State &state : ends.targetStates.states()) {
    if (state.name.text != kind.text || !takes(state.tensor->name))
      continue;
    std::string model(state.name.tensor);
    auto found = resultOf.find(model);
    // What makes none of the model's tensor has been reported.
    if (found == resultOf.end())
      continue;
    Wanted each{state.tensor->name, found->second, state.tensor};
    if (isLeftToCaller(each.model))
      makeLeftToCaller(each, suffix);
    else if (hasAllStates(each.model, suffix, true, model))
      wanted.push_back(std::move(each));
  }
}

/// States of a tensor that the caller fills are left to it too.
void StatesAdder::makeLeftToCaller(const Wanted &each, size_t suffix) {
  const StateSuffix &kind = suffixes()[suffix];
  if (!hasShapeOfTensor(kind))
    return report(diag::MissingTensor, each.model,
                  quote(each.name) + ", a " + std::string(kind.what) +
                      ", is listed by the target, but nothing gives it: its "
                      "tensor is left to the caller");
  ir::Op op;
  op.kind = OpKind::Add;
  op.range = program.definition(each.model).range;
  op.results.push_back(ValueId(program.values.size()));
  program.values.push_back(
      {each.name, each.listed->dtype,
       affine::Extents(each.listed->shape.begin(), each.listed->shape.end()),
       ir::OpId(program.ops.size())});
  program.ops.push_back(std::move(op));
  addResult(each, program.ops.back().results.front());
}

void StatesAdder::addResult(const Wanted &each, ValueId value) {
  ir::Result result;
  result.name = each.name;
  result.value = value;
  result.leftToCaller = isLeftToCaller(value);
  program.results.push_back(std::move(result));
}

void StatesAdder::checkListed(const Wanted &each, ValueId id) {
  if (!each.listed)
    return;
  const ir::Value &value = program.value(id);
  auto fail = [&](const DiagnosticKind &kind, std::string found,
                  std::string listed) {
    report(kind, each.model,
           quote(each.name) + found + ", the target lists " + listed,
           {{each.listed->range, "listed here"}});
  };
  if (each.listed->dtypeIsKnown && value.dtype != each.listed->dtype)
    fail(diag::DTypeMismatch, " is " + std::string(nameOf(value.dtype)),
         std::string(nameOf(each.listed->dtype)) +
             "; a cast acts on the tensor, not on its states");
  if (llvm::ArrayRef(value.shape) != llvm::ArrayRef(each.listed->shape))
    fail(diag::ShapeMismatch, " has shape " + formatShape(value.shape),
         formatShape(each.listed->shape));
}

/// The counter of a result: that of its tensors, which must all agree.
ValueId StatesAdder::copyCounter(StatesBuilder &builder, const Wanted &each) {
  ValueId value;
  for (ValueId id : tensorsOf(each.model, builder.suffix)) {
    const Tensor *state = builder.stateOf(id);
    assert(state && "all sources have the state");
    ValueId &next = counters[state];
    if (next.isNone())
      next = builder.addSource(*state);
    if (value.isNone()) {
      value = next;
      continue;
    }
    if (!comparedCounters.insert({value.index(), next.index()}).second)
      continue;
    const ir::Value &first = program.value(value);
    const ir::Value &other = program.value(next);
    if (first.dtype != other.dtype || first.shape != other.shape) {
      report(diag::UnequalStates, each.model,
             quote(state->name) + " is " + std::string(nameOf(other.dtype)) +
                 " " + formatShape(other.shape) +
                 ", and its like of another "
                 "tensor that " +
                 quote(each.name) + " is made of is " +
                 std::string(nameOf(first.dtype)) + " " +
                 formatShape(first.shape));
      return {};
    }
    const ir::Op &made = program.definition(each.model);
    SourceRange range = made.range;
    ast::ExpansionId expansion = made.expansion;
    ir::Op &compare = builder.addOp(OpKind::Compare, {value, next}, nullptr);
    compare.range = range;
    compare.expansion = expansion;
  }
  if (program.value(value).name != each.name)
    value = builder.addRename(value, each.name, nullptr);
  return value;
}

void StatesAdder::make(size_t suffix) {
  StatesBuilder builder{program, ends, statements, reporter, suffix};
  std::vector<ValueId> values;
  if (hasShapeOfTensor(builder.kind())) {
    std::vector<ValueId> models;
    for (const Wanted &each : wanted)
      models.push_back(each.model);
    values = cloneStates(builder, models);
  } else {
    for (const Wanted &each : wanted)
      values.push_back(copyCounter(builder, each));
  }
  for (size_t i = 0; i != wanted.size(); ++i) {
    if (values[i].isNone())
      continue;
    checkListed(wanted[i], values[i]);
    addResult(wanted[i], values[i]);
  }
  wanted.clear();
}

/// Results of the model that are made of tensors of which the source has states
/// only are none. A target that lists them, or that they are made of others
/// too, is an error.
bool StatesAdder::checkModel() {
  for (const ir::Result &result : program.results) {
    ValueId with, without;
    for (ValueId id : sources->tensors(sources->setOf(result.value))) {
      ValueId &first = hasStatesOnly(id) ? without : with;
      if (first.isNone())
        first = id;
    }
    if (without.isNone())
      continue;
    const auto *listed = ends.targetStates.findModel(result.name);
    bool isWanted = ends.target().list && !(listed && listed->hasStatesOnly);
    if (isWanted)
      report(diag::MissingTensor, result.value,
             quote(result.name) + " is listed by the target, but of " +
                 quote(program.value(without).name) +
                 ", which it is made of, the source has states only");
    else if (!with.isNone() && !ends.target().list)
      reportMixed(result.name, with, without, "a tensor of the model");
  }
  return reporter.numErrors() == 0;
}

void StatesAdder::warnUnused() {
  std::vector<bool> isRead(ends.wholeSource.tensors.size(), false);
  const Tensor *first = ends.wholeSource.tensors.data();
  for (const ir::Op &op : program.ops)
    if (op.kind == OpKind::Source)
      if (const Tensor *tensor =
              ends.wholeSource.find(program.value(op.results.front()).name))
        isRead[tensor - first] = true;
  const Tensor *unused = nullptr;
  size_t numUnused = 0;
  for (const StateIndex::State &state : ends.sourceStates.states())
    if (!isRead[state.tensor - first] && numUnused++ == 0)
      unused = state.tensor;
  if (!unused)
    return;
  reporter.report(
      diag::UnusedSource, unused->range,
      numUnused == 1
          ? "optimizer state " + quote(unused->name) +
                " is read by nothing, and the target does not list one like it"
          : std::to_string(numUnused) +
                " optimizer states are read by nothing, and the target does "
                "not list their like, " +
                quote(unused->name) + " first");
}

void StatesAdder::run() {
  if (!findSources())
    return;
  indexResults();
  if (!checkModel())
    return;
  for (size_t suffix = 0; suffix != suffixes().size(); ++suffix) {
    if (ends.target().list)
      takeListed(suffix);
    else
      takeAll(suffix);
    make(suffix);
  }
  if (reporter.numErrors() != 0)
    return;
  if (ends.target().list)
    warnUnused();
  dropStatesOnly(program, ends);
  llvm::sort(program.results, [](const ir::Result &a, const ir::Result &b) {
    return a.name < b.name;
  });
}

} // namespace

void sema::addStates(ir::Program &program, const ModelEnds &ends,
                     llvm::ArrayRef<const ast::Statement *> statements,
                     llvm::function_ref<bool(llvm::StringRef)> takes,
                     Reporter &reporter) {
  StatesAdder(program, ends, statements, takes, reporter).run();
}
