//===- FlatInverse.cpp - The way back, statement by statement -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "FlatInverse.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace aoa;
using namespace aoa::invert;
using ir::ValueId;
using Join = ForwardStatement::Join;
using Cut = ForwardStatement::Cut;
using Names = llvm::SmallVector<ast::Name, 2>;

ast::Name invert::nameOf(llvm::StringRef tensor) {
  ast::Name name;
  name.text = tensor.str();
  name.quoted = tensor == "_" || tensor.starts_with("%") ||
                tensor.find_first_of("$*") != llvm::StringRef::npos ||
                !ast::isBareName(tensor, ast::Dialect::Aoa);
  return name;
}

namespace {

ast::Name discard() {
  ast::Name name;
  name.text = "_";
  return name;
}

class Writer {
public:
  Writer(const Forward &forward, const Recovery &recovery)
      : forward(forward), recovery(recovery), program(forward.program),
        names(program.values.size()), isBound(program.values.size()),
        ownNames(program.values.size()), isRename(program.values.size()) {}

  std::vector<FlatStatement> run() {
    findLengthening();
    noteNames();
    findEmpty();
    removeUnneeded();
    for (size_t i = forward.statements.size(); i-- != 0;)
      if (recovery.statements[i].isUsed)
        undo(i);
    fillEmpty();
    return std::move(written);
  }

private:
  static bool isTemporary(const ast::Name &name) {
    return !name.quoted && llvm::StringRef(name.text).starts_with("%");
  }

  /// Expansion lengthens all temporaries alike where names of tensors hold
  /// their `%`, and does so again when the way back is read.
  void findLengthening() {
    bool any = false;
    auto note = [&](const ast::Name &name) {
      if (!isTemporary(name))
        return;
      llvm::StringRef rest = llvm::StringRef(name.text).drop_front();
      size_t run = rest.size() - rest.ltrim('_').size();
      lengthening = any ? std::min(lengthening, run) : run;
      any = true;
    };
    for (const ForwardStatement &statement : forward.statements) {
      llvm::for_each(statement.written->left, note);
      llvm::for_each(statement.written->right, note);
    }
  }

  void noteNames() {
    for (size_t i = 0; i != program.values.size(); ++i) {
      const RecoveredValue &value = recovery.values[i];
      if (value.resultName) {
        taken.insert(*value.resultName);
        if (value.isNeeded)
          names[i] = {nameOf(*value.resultName)};
      }
    }
    for (const ForwardStatement &statement : forward.statements) {
      for (const ast::Name &name : statement.written->left)
        taken.insert(name.text);
      for (const ast::Name &name : statement.written->right)
        taken.insert(name.text);
    }
    for (size_t i = 0; i != forward.statements.size(); ++i) {
      const ForwardStatement &statement = forward.statements[i];
      if (recovery.statements[i].isUsed && givesNames(i))
        for (ValueId id : statement.results)
          isRename[id.index()] = true;
      for (unsigned left = 0; left != statement.operands.size(); ++left) {
        ValueId id = statement.operands[left];
        if (recovery.isWanted(forward, {i, left}) && !isBound[id.index()]) {
          isBound[id.index()] = true;
          ownNames[id.index()] = ownName(statement, left).text;
          ++boundNames[ownNames[id.index()]];
        }
      }
    }
  }

  /// Returns a temporary that is called like `name` and nothing else.
  ast::Name temporary(const ast::Name &like) {
    std::string base = like.text;
    if (!llvm::StringRef(base).starts_with("%"))
      base.insert(0, "%");
    if (like.quoted || !ast::isBareName(base, ast::Dialect::Aoa) ||
        llvm::StringRef(base).find_first_of("$*") != llvm::StringRef::npos)
      base = "%again";
    ast::Name name;
    for (unsigned i = 2;; ++i) {
      name.text = base + "." + std::to_string(i);
      if (taken.insert(name.text).second)
        return name;
    }
  }

  /// Removes results that give nothing back, by name.
  void removeUnneeded() {
    // States of optimizers go with their tensors.
    std::vector<bool> isMade(program.values.size());
    for (const ForwardStatement &statement : forward.statements)
      for (ValueId id : statement.results)
        isMade[id.index()] = true;
    for (const ir::Result &result : program.results) {
      if (!isMade[result.value.index()] || result.isCompared ||
          recovery[result.value].isNeeded)
        continue;
      ast::Statement remove;
      remove.left = {nameOf(result.name)};
      // A name that is bound later must not be removed; a temporary that
      // nothing reads is gone as well.
      remove.right = {boundNames.lookup(result.name) != 0
                          ? temporary(remove.left.front())
                          : discard()};
      write(std::move(remove), {result.value}, FlatStatement::none);
    }
  }

  void write(ast::Statement statement, llvm::ArrayRef<ValueId> reads,
             size_t index) {
    written.push_back(
        {std::move(statement), {reads.begin(), reads.end()}, index});
  }

  void undo(size_t index) {
    const ForwardStatement &statement = forward.statements[index];
    if (givesNames(index)) {
      // The same elements under other names.
      for (ValueId id : statement.results)
        if (recovery[id].isNeeded)
          addNames(index, id);
    } else {
      undoOperations(index);
    }
    for (unsigned i = 0; i != statement.operands.size(); ++i)
      if (recovery.isWanted(forward, {index, i}))
        finishValue(index, i);
  }

  /// Gives the operand of statement `index` the names of its result. They are
  /// read when all ways of the operand are known: one that is bound anew before
  /// is moved to a temporary.
  void addNames(size_t index, ValueId result) {
    const ForwardStatement &statement = forward.statements[index];
    ValueId operand = statement.operands.front();
    bool isReadAtOnce = isFinishedBy(index, operand);
    for (const ast::Name &name : names[result.index()]) {
      Names &own = names[operand.index()];
      if (isReadAtOnce || !isBoundLater(name)) {
        own.push_back(name);
        continue;
      }
      ast::Statement move;
      move.left = {name};
      move.right = {temporary(ownName(statement, 0))};
      own.push_back(move.right.front());
      write(std::move(move), {result}, index);
    }
  }

  /// Notes that a value has got its name, or will never need it.
  void noteBound(ValueId value) {
    if (!isBound[value.index()])
      return;
    isBound[value.index()] = false;
    ++boundSoFar[ownNames[value.index()]];
  }

  /// Whether a later statement binds a name.
  bool isBoundLater(const ast::Name &name) const {
    return boundNames.lookup(name.text) > boundSoFar.lookup(name.text);
  }

  /// Whether undoing statement `index` is the last way in which `value` comes
  /// back, and its names are read then.
  bool isFinishedBy(size_t index, ValueId value) const {
    return recovery[value].uses.back().statement == index;
  }

  /// Whether all that undoing a statement does is giving names.
  bool givesNames(size_t index) const {
    const ForwardStatement &statement = forward.statements[index];
    return !statement.isRemoveOrAdd() && statement.join == Join::None &&
           (statement.cut == Cut::None || statement.cut == Cut::Copy) &&
           llvm::all_of(
               recovery.statements[index].steps,
               [](const InverseStep &step) { return step.attributes.empty(); });
  }

  void undoOperations(size_t index) {
    const ForwardStatement &statement = forward.statements[index];
    ast::Statement inverse;
    llvm::SmallVector<ValueId, 2> reads;
    readResults(statement, inverse, reads);
    for (const InverseStep &step : recovery.statements[index].steps)
      llvm::append_range(inverse.attributes, step.attributes);
    bindOperands(index, inverse);
    addStates(statement, inverse);
    if (inverse.copies)
      moveCopied(inverse, reads, index);
    write(std::move(inverse), reads, index);
  }

  void readResults(const ForwardStatement &statement, ast::Statement &inverse,
                   llvm::SmallVectorImpl<ValueId> &reads) {
    for (ValueId id : statement.results)
      if (recovery[id].isNeeded) {
        llvm::append_range(inverse.left, names[id.index()]);
        reads.append(names[id.index()].size(), id);
      }
    switch (statement.cut) {
    case Cut::None:
      break;
    case Cut::Split:
      // Without the empty parts one may be all.
      if (inverse.left.size() == 1)
        break;
      [[fallthrough]];
    case Cut::Unstack:
      llvm::append_range(inverse.attributes,
                         joinAttributes(program.op(statement.cutOp)));
      break;
    case Cut::Copy:
      if (inverse.left.size() > 1)
        inverse.attributes.push_back(attribute("tie", ast::Word{"verify"}));
      break;
    }
  }

  void bindOperands(size_t index, ast::Statement &inverse) {
    const ForwardStatement &statement = forward.statements[index];
    bool isTie =
        statement.join == Join::TieVerify || statement.join == Join::TieFirst;
    llvm::SmallVector<ValueId, 2> parts;
    for (unsigned i = 0; i != statement.operands.size(); ++i) {
      ValueId id = statement.operands[i];
      if (!recovery.isWanted(forward, {index, i})) {
        if (isTie || isEmptyPart(statement, id))
          continue;
        inverse.right.push_back(discard());
        parts.push_back(id);
        continue;
      }
      parts.push_back(id);
      Names &own = names[id.index()];
      ast::Name name = ownName(statement, i);
      if (own.empty())
        noteBound(id);
      own.push_back(own.empty() ? name : temporary(name));
      inverse.right.push_back(own.back());
    }
    if (isTie)
      inverse.copies = inverse.right.size() > 1;
    else if (statement.join != Join::None)
      llvm::append_range(
          inverse.attributes,
          cutAttributes(program, program.op(statement.joinOp), parts));
  }

  /// Whether an operand gives a merge nothing.
  bool isEmptyPart(const ForwardStatement &statement, ValueId id) const {
    return statement.join == Join::Merge &&
           program.value(id).shape[program.op(statement.joinOp).axis] == 0;
  }

  /// A copy keeps its operand, which must not be a result: it becomes a
  /// temporary first.
  void moveCopied(ast::Statement &copy, llvm::ArrayRef<ValueId> reads,
                  size_t index) {
    ast::Name &operand = copy.left.front();
    auto isOperand = [&](const ast::Name &name) {
      return name.text == operand.text;
    };
    if (isTemporary(operand) || llvm::any_of(copy.right, isOperand))
      return;
    ast::Statement move;
    move.left = copy.left;
    move.right = {temporary(operand)};
    copy.left = {move.right.front()};
    write(std::move(move), reads, index);
  }

  /// What states of optimizers do, where the statement must say it.
  void addStates(const ForwardStatement &statement, ast::Statement &inverse) {
    bool mustSay =
        inverse.copies || inverse.find("tie") || inverse.find("plus");
    if (mustSay && (forward.hasStates || statement.written->find("states")))
      inverse.attributes.push_back(attribute("states", ast::Word{"copy"}));
  }

  /// The name under which a statement reads its operand `i`.
  ast::Name ownName(const ForwardStatement &statement, unsigned i) const {
    ast::Name name = statement.written->left[i];
    name.transposed = false;
    name.range = {};
    if (isTemporary(name))
      name.text.erase(1, lengthening);
    else
      name.quoted = nameOf(name.text).quoted;
    return name;
  }

  /// Gives the value that undoing statement `index` gives back last the name
  /// that it had; what it is called by then is compared.
  void finishValue(size_t index, unsigned operand) {
    const ForwardStatement &statement = forward.statements[index];
    ValueId value = statement.operands[operand];
    Names &own = names[value.index()];
    const Use &last = recovery[value].uses.back();
    ast::Name name = ownName(statement, operand);
    if (last != Use{index, operand})
      return;
    noteBound(value);
    if ((own.size() == 1 && own.front().text == name.text) ||
        (own.size() > 1 && isTemporary(name) && isRename[value.index()] &&
         llvm::none_of(
             own, [&](const ast::Name &each) { return isBoundLater(each); })))
      return;
    ast::Statement compare;
    compare.left = own;
    compare.right = {name};
    llvm::SmallVector<ValueId, 2> reads(own.size(), value);
    if (own.size() > 1) {
      compare.attributes = {attribute("tie", ast::Word{"verify"})};
      if (forward.hasStates)
        compare.attributes.push_back(attribute("states", ast::Word{"copy"}));
    }
    own = {name};
    write(std::move(compare), reads, index);
  }

  /// Tensors without elements come back from nothing.
  void findEmpty() {
    // States have sources of their own, which no statement names.
    if (forward.hasStates)
      return;
    for (const ir::Op &op : program.ops)
      if (op.kind == ir::OpKind::Source &&
          !recovery[op.results.front()].comesBack()) {
        empty.push_back(op.results.front());
        ++boundNames[program.value(empty.back()).name];
      }
    llvm::sort(empty, [&](ValueId a, ValueId b) {
      return program.value(a).name < program.value(b).name;
    });
  }

  void fillEmpty() {
    for (ValueId id : empty) {
      const ir::Value &value = program.value(id);
      ast::Statement fill;
      fill.left = {discard()};
      fill.right = {nameOf(value.name)};
      fill.attributes = fillAttributes(value);
      write(std::move(fill), {}, FlatStatement::none);
    }
  }

  const Forward &forward;
  const Recovery &recovery;
  const ir::Program &program;
  std::vector<Names> names; ///< Of each value, as far as it has come back.
  llvm::SmallVector<ValueId, 2> empty; ///< Sources that nothing makes.
  std::vector<bool> isBound; ///< Whether a value has still to get its name.
  std::vector<std::string> ownNames; ///< That name.
  std::vector<bool> isRename; ///< Whether a value is another one, renamed.
  llvm::StringSet<> taken;
  /// How many values get a name, in all and so far.
  llvm::StringMap<unsigned> boundNames, boundSoFar;
  size_t lengthening = 0; ///< `_` behind the `%` of every temporary.
  std::vector<FlatStatement> written;
};

} // namespace

std::vector<FlatStatement> invert::invertFlat(const Forward &forward,
                                              const Recovery &recovery) {
  return Writer(forward, recovery).run();
}
