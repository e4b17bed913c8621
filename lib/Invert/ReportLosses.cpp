//===- ReportLosses.cpp - What does not come back, and why ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// From a tensor of the source that does not come back the causes are searched
// forward: a statement that reads it and cannot be undone, or one whose result
// does not come back for a cause of its own.
//===----------------------------------------------------------------------===//
#include "ReportLosses.h"

#include "aoa/Catalog/StateIndex.h"
#include "aoa/Invert/InvertDiagnostics.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace aoa;
using namespace aoa::invert;
using ir::OpKind;
using ir::ValueId;
using Join = ForwardStatement::Join;
using Cut = ForwardStatement::Cut;

namespace {

std::string quote(llvm::StringRef name) { return "`" + name.str() + "`"; }

int64_t countOf(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

class LossReporter {
public:
  LossReporter(const Forward &forward, const Recovery &recovery,
               const ast::Script &script, const Target &target,
               DiagnosticSink &sink)
      : forward(forward), recovery(recovery), program(forward.program),
        script(script), target(target), sink(sink), uses(program.values.size()),
        makers(program.values.size()), isSeen(program.values.size()) {}

  void run() {
    indexUses();
    for (const ir::Result &result : program.results)
      if (result.leftToCaller)
        reportLeftToCaller(result);
    StateIndex index(*program.source, target.states);
    llvm::StringMap<ValueId> sources;
    for (const ir::Op &op : program.ops)
      if (op.kind == OpKind::Source)
        sources.try_emplace(program.value(op.results.front()).name,
                            op.results.front());
    for (const StateIndex::ModelTensor &tensor : index.model()) {
      auto it = sources.find(tensor.name);
      if (it == sources.end())
        reportUntaken(tensor.name);
      else if (!recovery[it->second].comesBack() && !isEmpty(it->second))
        findCauses(it->second, tensor.name);
    }
    for (const auto &[place, cause] : causes)
      report(cause);
    for (size_t i = 0; i != forward.statements.size(); ++i)
      warnRounding(i);
  }

private:
  struct Cause {
    const ast::Statement *statement;
    SourceRange range;
    std::string message;
    llvm::StringRef what; ///< Of the tensors is lost.
    std::vector<std::string> lost = {};
    size_t numLost = 0;
  };

  bool isEmpty(ValueId id) const {
    return !forward.hasStates && countOf(program.value(id).shape) == 0;
  }

  void indexUses() {
    for (size_t i = 0; i != forward.statements.size(); ++i) {
      const ForwardStatement &statement = forward.statements[i];
      for (unsigned left = 0; left != statement.operands.size(); ++left)
        uses[statement.operands[left].index()].push_back({i, left});
      for (ValueId id : statement.results)
        makers[id.index()] = statement.written;
    }
  }

  /// Notes that `source` is lost for what `range` of a statement says.
  void add(const ast::Statement *statement, SourceRange range,
           const std::string &message, llvm::StringRef source,
           llvm::StringRef what = "elements") {
    if (!range.isKnown() && statement)
      range = statement->range;
    Cause &cause = causes
                       .try_emplace(std::pair(range, message),
                                    Cause{statement, range, message, what})
                       .first->second;
    if (!cause.lost.empty() && cause.lost.back() == source)
      return;
    ++cause.numLost;
    if (cause.lost.size() < 4)
      cause.lost.push_back(source.str());
  }

  void findCauses(ValueId value, llvm::StringRef source) {
    // A value that two operands are made of has its causes reported once for
    // each source; the walk is linear for each.
    std::vector<ValueId> stack = {value};
    llvm::SmallVector<ValueId, 8> visited;
    while (!stack.empty()) {
      ValueId id = stack.back();
      stack.pop_back();
      if (isSeen[id.index()])
        continue;
      isSeen[id.index()] = true;
      visited.push_back(id);
      visit(id, source, stack);
    }
    for (ValueId id : visited)
      isSeen[id.index()] = false;
  }

  void visit(ValueId id, llvm::StringRef source, std::vector<ValueId> &stack) {
    if (uses[id.index()].empty())
      return addUnread(id, source);
    for (const Use &use : uses[id.index()])
      visitUse(use, source, stack);
  }

  void addUnread(ValueId id, llvm::StringRef source) {
    add(makers[id.index()], program.definition(id).range,
        quote(program.value(id).name) + " is no tensor of the result", source);
  }

  void visitUse(const Use &use, llvm::StringRef source,
                std::vector<ValueId> &stack) {
    const ForwardStatement &statement = forward.statements[use.statement];
    const Recovery::Inverse &inverse = recovery.statements[use.statement];
    const ast::Statement *written = statement.written;
    if (statement.removes())
      return add(written, written->left[use.occurrence].range,
                 quote(written->left[use.occurrence].text) + " is removed",
                 source);
    auto rangeOf = [&](llvm::StringRef name) {
      const ast::Attribute *attribute = written->find(name);
      return attribute ? attribute->range : SourceRange();
    };
    if (inverse.loss) {
      const Loss &loss = inverse.loss->second;
      std::string name = loss.attribute.str();
      if (name == "dtype" && !written->find(name))
        name = "dst_dtype";
      return add(written, rangeOf(name),
                 quote(loss.attribute) + " cannot be undone: " + loss.why,
                 source);
    }
    if (std::string why = lossOfStates(forward, statement); !why.empty())
      return add(written, rangeOf("states"), why, source, "states");
    if (statement.join == Join::TieFirst && use.occurrence != 0)
      return add(written, rangeOf("tie"),
                 "`tie=first` takes the first tensor and drops the others, "
                 "which may hold other elements",
                 source);
    for (size_t i = 0; i != statement.results.size(); ++i) {
      if (statement.discards(i, forward.dialect))
        add(written, written->right[i].range, "a part is thrown away", source);
      else if (!recovery[statement.results[i]].comesBack())
        stack.push_back(statement.results[i]);
    }
  }

  void report(const Cause &cause) {
    std::string lost;
    for (const std::string &name : cause.lost)
      lost += (lost.empty() ? "" : ", ") + quote(name);
    if (cause.numLost > cause.lost.size())
      lost +=
          " and " + std::to_string(cause.numLost - cause.lost.size()) + " more";
    std::vector<Note> notes = {
        {{}, "lost: " + cause.what.str() + " of " + lost}};
    if (cause.statement)
      for (Note &note : ast::expansionNotes(script, cause.statement->expansion))
        notes.push_back(std::move(note));
    sink.report(
        {&diag::NotInvertible, cause.range, cause.message, std::move(notes)});
  }

  /// A tensor that nothing reads and that the result does not have.
  void reportUntaken(std::string_view name) {
    sink.report({&diag::NotInvertible,
                 {},
                 "source tensor " + quote(name) +
                     " is read by nothing and no tensor of the result"});
  }

  void reportLeftToCaller(const ir::Result &result) {
    const ir::Op &op = program.definition(result.value);
    sink.report({&diag::NotInvertible, op.range,
                 quote(result.name) +
                     " is left to the caller: a checkpoint does not hold what "
                     "the way back would begin with"});
  }

  void warnRounding(size_t index) {
    const Recovery::Inverse &inverse = recovery.statements[index];
    const ast::Statement *written = forward.statements[index].written;
    if (!inverse.isUsed)
      return;
    for (const InverseStep &step : inverse.steps) {
      if (step.rounds.empty())
        continue;
      const ast::Attribute *attribute = written->find(step.rounds);
      sink.report(
          {&diag::InexactInverse, attribute ? attribute->range : written->range,
           quote(step.rounds) +
               " is undone by an operation that rounds: elements of " +
               quote(written->left.front().text) + " may come back changed",
           ast::expansionNotes(script, written->expansion)});
    }
  }

  const Forward &forward;
  const Recovery &recovery;
  const ir::Program &program;
  const ast::Script &script;
  const Target &target;
  DiagnosticSink &sink;
  std::vector<llvm::SmallVector<Use, 1>> uses; ///< By ValueId, as `makers`.
  std::vector<const ast::Statement *> makers;
  std::vector<bool> isSeen;
  /// By place and message: in the order of the script.
  std::map<std::pair<SourceRange, std::string>, Cause> causes;
};

} // namespace

void invert::reportLosses(const Forward &forward, const Recovery &recovery,
                          const ast::Script &script, const Target &target,
                          DiagnosticSink &sink) {
  LossReporter(forward, recovery, script, target, sink).run();
}
