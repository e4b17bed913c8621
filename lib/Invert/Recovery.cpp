//===- Recovery.cpp - Which values come back, and from what ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Recovery.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::invert;
using ir::ValueId;
using Join = ForwardStatement::Join;
using Cut = ForwardStatement::Cut;

bool Recovery::isWanted(const Forward &forward, const Use &use) const {
  ValueId value = forward.statements[use.statement].operands[use.occurrence];
  const RecoveredValue &recovered = (*this)[value];
  return recovered.isNeeded && llvm::is_contained(recovered.uses, use);
}

std::string invert::lossOfStates(const Forward &forward,
                                 const ForwardStatement &statement) {
  const ast::Attribute *states = statement.written->find("states");
  if (!states || ast::printValue(states->value) != "fresh" ||
      llvm::none_of(statement.operands,
                    [&](ValueId id) { return forward.haveStates[id.index()]; }))
    return "";
  bool isCopied =
      statement.written->copies || statement.written->find("tie") != nullptr;
  bool makesAnew = llvm::any_of(statement.steps, [](const Step &step) {
    return step.kind == ir::OpKind::Repeat || step.kind == ir::OpKind::Plus;
  });
  if (!isCopied && !makesAnew)
    return "";
  return "`states=fresh` makes new optimizer states, and those that were there "
         "do not come back";
}

namespace {

class Finder {
public:
  explicit Finder(const Forward &forward)
      : forward(forward), program(forward.program) {
    found.values.resize(program.values.size());
    found.statements.resize(forward.statements.size());
  }

  Recovery run() {
    for (const ir::Result &result : program.results)
      if (!result.isCompared && !result.leftToCaller) {
        RecoveredValue &value = found.values[result.value.index()];
        value.resultName = &result.name;
        value.isExact = true;
      }
    for (size_t i = forward.statements.size(); i-- != 0;)
      undo(i);
    for (size_t i = 0; i != program.values.size(); ++i)
      if (program.definition(ValueId(i)).kind == ir::OpKind::Source) {
        settle(found.values[i]);
        found.values[i].isNeeded = found.values[i].comesBack();
      }
    for (size_t i = 0; i != forward.statements.size(); ++i)
      need(i);
    return std::move(found);
  }

private:
  void undo(size_t index) {
    const ForwardStatement &statement = forward.statements[index];
    if (statement.isRemoveOrAdd())
      return;
    for (ValueId id : statement.results)
      settle(found.values[id.index()]);
    bool isExact = invertSteps(index);
    if (found.statements[index].loss ||
        !lossOfStates(forward, statement).empty())
      return;
    auto comesBack = [&](size_t i) {
      return !statement.discards(i, forward.dialect) &&
             found[statement.results[i]].comesBack();
    };
    size_t numBack = 0, numExact = 0, numEmpty = 0;
    for (size_t i = 0; i != statement.results.size(); ++i)
      if (comesBack(i)) {
        ++numBack;
        numExact += found[statement.results[i]].isExact;
      } else {
        numEmpty += isEmptyPart(statement, i);
      }
    bool isCopy = statement.cut == Cut::Copy;
    if (numBack == 0 ||
        (!isCopy && numBack + numEmpty != statement.results.size()))
      return;
    isExact &= isCopy ? numExact != 0 : numExact == numBack;
    addUses(index, isExact);
  }

  /// Whether a part has nothing of the axis that is cut.
  bool isEmptyPart(const ForwardStatement &statement, size_t i) const {
    return statement.cut == Cut::Split &&
           program.value(statement.results[i])
                   .shape[program.op(statement.cutOp).axis] == 0;
  }

  /// Returns whether nothing is rounded.
  bool invertSteps(size_t index) {
    Recovery::Inverse &inverse = found.statements[index];
    bool isExact = true;
    for (const Step &step : llvm::reverse(forward.statements[index].steps)) {
      if (step.kind == ir::OpKind::Cast &&
          forward.areMissing[step.from.index()]) {
        // States keep their dtype, and there is nothing else to cast.
        inverse.steps.emplace_back();
        continue;
      }
      auto inverted = invertStep(program, step);
      if (!inverted) {
        inverse.loss = {&step, std::move(inverted.error())};
        return false;
      }
      isExact &= inverted->rounds.empty();
      inverse.steps.push_back(std::move(*inverted));
    }
    return isExact;
  }

  void addUses(size_t index, bool isExact) {
    const ForwardStatement &statement = forward.statements[index];
    unsigned numBack = statement.join == Join::TieFirst
                           ? 1
                           : static_cast<unsigned>(statement.operands.size());
    for (unsigned i = 0; i != numBack; ++i) {
      RecoveredValue &value = found.values[statement.operands[i].index()];
      value.uses.push_back({index, i});
      if (isExact)
        exact.push_back({index, i});
      value.isExact |= isExact;
    }
  }

  /// Leaves out the ways that round where one does not. All uses are known.
  void settle(RecoveredValue &value) {
    if (value.isExact)
      llvm::erase_if(value.uses, [&](const Use &use) {
        auto byPlace = [](const Use &a, const Use &b) {
          return a.statement != b.statement ? a.statement > b.statement
                                            : a.occurrence < b.occurrence;
        };
        return !std::binary_search(exact.begin(), exact.end(), use, byPlace);
      });
  }

  /// Whether a tensor of the source is made of what statement `index` made.
  void need(size_t index) {
    const ForwardStatement &statement = forward.statements[index];
    if (statement.isRemoveOrAdd())
      return;
    bool isUsed = false;
    for (unsigned i = 0; i != statement.operands.size(); ++i)
      isUsed |= found.isWanted(forward, {index, i});
    found.statements[index].isUsed = isUsed;
    if (!isUsed)
      return;
    bool anyExact = llvm::any_of(statement.results, [&](ValueId id) {
      return found[id].comesBack() && found[id].isExact;
    });
    for (ValueId id : statement.results) {
      RecoveredValue &value = found.values[id.index()];
      value.isNeeded = value.comesBack() && (statement.cut != Cut::Copy ||
                                             !anyExact || value.isExact);
    }
  }

  const Forward &forward;
  const ir::Program &program;
  Recovery found;
  std::vector<Use> exact; ///< Uses that round nothing, last statement first.
};

} // namespace

Recovery invert::findRecovery(const Forward &forward) {
  return Finder(forward).run();
}
