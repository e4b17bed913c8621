//===- CloneStates.cpp - The operations of a tensor, on its state -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0
#include "CloneStates.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;

const Tensor *StatesBuilder::stateOf(ValueId source) const {
  if (program.definition(source).kind != OpKind::Source)
    return nullptr;
  return ends.sourceStates.findState(program.value(source).name, suffix);
}

ir::Op &StatesBuilder::addOp(OpKind kind, llvm::ArrayRef<ValueId> operands,
                             const ir::Op *origin) {
  ir::Op op;
  if (origin)
    op = *origin;
  op.kind = kind;
  op.operands.assign(operands.begin(), operands.end());
  op.results.clear();
  for (ValueId id : operands)
    ++program.values[id.index()].numUses;
  program.ops.push_back(std::move(op));
  return program.ops.back();
}

ValueId StatesBuilder::addResult(std::string name, DType dtype,
                                 affine::Extents shape) {
  ValueId id(program.values.size());
  program.values.push_back({std::move(name), dtype, std::move(shape),
                            ir::OpId(program.ops.size() - 1)});
  program.ops.back().results.push_back(id);
  return id;
}

ValueId StatesBuilder::addSource(const Tensor &state) {
  addOp(OpKind::Source, {}, nullptr);
  return addResult(state.name, state.dtype,
                   affine::Extents(state.shape.begin(), state.shape.end()));
}

ValueId StatesBuilder::addRename(ValueId value, std::string name,
                                 const ir::Op *origin) {
  DType dtype = program.value(value).dtype;
  affine::Extents shape = program.value(value).shape;
  ir::Op &op = addOp(OpKind::Rename, {value}, nullptr);
  if (origin)
    op.comeFrom(*origin);
  return addResult(std::move(name), dtype, std::move(shape));
}

void StatesBuilder::report(const DiagnosticKind &kind, size_t op,
                           std::string message) {
  if (const ast::Statement *statement = statements[op])
    return reporter.report(kind, *statement, statement->range,
                           std::move(message));
  reporter.report(kind, SourceRange(), std::move(message));
}

StatesMode sema::modeOf(const ast::Statement *statement) {
  const ast::Attribute *attribute =
      statement ? statement->find("states") : nullptr;
  if (!attribute)
    return StatesMode::Refuse;
  llvm::StringRef word;
  if (const auto *bare = std::get_if<ast::Word>(&attribute->value.data))
    word = bare->text;
  else if (const auto *text = std::get_if<ast::Text>(&attribute->value.data))
    word = text->text;
  return word == "copy"    ? StatesMode::Copy
         : word == "fresh" ? StatesMode::Fresh
                           : StatesMode::Refuse;
}

namespace {

class Cloner {
public:
  explicit Cloner(StatesBuilder &builder)
      : builder(builder), program(builder.program),
        numOps(builder.statements.size()), clones(program.values.size()) {
    findPartsOfOperations();
  }

  std::vector<ValueId> run(llvm::ArrayRef<ValueId> wanted);

private:
  enum class Way : uint8_t { Skip, Follow, Fresh, Failed };

  void markNeeded(llvm::ArrayRef<ValueId> wanted);
  bool findComparisons();
  Way wayOf(size_t index);
  llvm::StringRef refusedWord(size_t index) const;
  void findPartsOfOperations();
  /// Whether a Repeat makes the rows of `pad, value=last`, or what the operand
  /// of a dedup is compared with.
  bool isOfPad(size_t index) const { return ofPad[index]; }
  bool isOfDedup(size_t index) const { return ofDedup[index]; }
  void cloneOp(size_t index);
  bool checkOperands(size_t index, const ir::Op &op);
  void follow(const ir::Op &op);
  void makeFresh(size_t index, const ir::Op &op);
  void renewOperands(size_t index, const ir::Op &op);
  ValueId fresh(ValueId model, DType dtype, const ir::Op &origin);
  ValueId zeros(DType dtype, affine::Extents shape, std::string name,
                const ir::Op &origin);
  ValueId modelAs(ValueId model, DType dtype, const ir::Op &origin);
  void pad(const ir::Op &op, bool isFresh);
  void freshRepeat(const ir::Op &op);
  ValueId reshaped(ValueId value, affine::Extents shape, const ir::Op &origin);

  StatesBuilder &builder;
  ir::Program &program;
  size_t numOps; ///< Of the model's graph.
  std::vector<ValueId> clones;
  std::vector<Way> ways;
  std::vector<bool> ofPad, ofDedup;
  /// Operands of the operation that is being cloned, with their own states.
  llvm::SmallVector<std::pair<ValueId, ValueId>, 2> replaced;
  std::vector<bool> isCompared; ///< Comparisons that states have too.
  std::vector<bool> needed;
};

/// Finds the Repeat operations that no `repeat` of a script made. A statement
/// may have such ones and others.
void Cloner::findPartsOfOperations() {
  ofPad.assign(numOps, false);
  ofDedup.assign(numOps, false);
  for (size_t index = 0; index != numOps; ++index) {
    const ir::Op &op = program.ops[index];
    const ast::Statement *statement = builder.statements[index];
    bool mayBe = (op.kind == OpKind::Merge || op.kind == OpKind::Compare) &&
                 op.operands.size() == 2 && statement;
    if (!mayBe)
      continue;
    // A statement's own operands come from others.
    size_t maker = program.value(op.operands.back()).definition.index();
    if (builder.statements[maker] == statement &&
        program.ops[maker].kind == OpKind::Repeat)
      (op.kind == OpKind::Merge ? ofPad : ofDedup)[maker] = true;
  }
}

/// The word of operation `index` that states cannot follow without `states=`;
/// empty if they can.
llvm::StringRef Cloner::refusedWord(size_t index) const {
  const ast::Statement *statement = builder.statements[index];
  if (statement && statement->copies)
    return "copy";
  if (statement && statement->find("tie"))
    return "tie";
  switch (program.ops[index].kind) {
  case OpKind::Pad:
    return "pad";
  case OpKind::Repeat:
    if (isOfDedup(index))
      return "";
    return isOfPad(index) ? "pad" : "repeat";
  case OpKind::Plus:
    return "plus";
  case OpKind::Source:
  case OpKind::Rename:
  case OpKind::Merge:
  case OpKind::Split:
  case OpKind::Stack:
  case OpKind::Unstack:
  case OpKind::Transpose:
  case OpKind::Reshape:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Dedup:
  case OpKind::Cast:
  case OpKind::Scale:
  case OpKind::Fill:
  case OpKind::Compare:
  case OpKind::Remove:
  case OpKind::Add:
    break;
  }
  return "";
}

Cloner::Way Cloner::wayOf(size_t index) {
  const ir::Op &op = program.ops[index];
  const std::string &tensor = program.value(op.results.front()).name;
  std::string state =
      "the " + std::string(builder.kind().what) + " of " + quote(tensor);
  if (op.kind == OpKind::Scale) {
    builder.report(diag::StateOperation, index,
                   state + " cannot follow `scale`: a first moment would be "
                           "held times 1/s, a second one times 1/s\u00b2, and "
                           "the learning rate and epsilon, which no tensor "
                           "holds, would have to change with them; leave the "
                           "states out or scale where the tensor is used");
    return Way::Failed;
  }
  llvm::StringRef word = refusedWord(index);
  if (word.empty())
    return Way::Follow;
  switch (modeOf(builder.statements[index])) {
  case StatesMode::Copy:
    return Way::Follow;
  case StatesMode::Fresh:
    return Way::Fresh;
  case StatesMode::Refuse:
    break;
  }
  builder.report(diag::StateOperation, index,
                 "what `" + word.str() + "` does to " + state +
                     " is not said: write `states=copy` for the same on the "
                     "states, or `states=fresh` for new ones");
  return Way::Failed;
}

/// Marks the comparisons of statements whose states are compared alike. Returns
/// whether there are any.
bool Cloner::findComparisons() {
  llvm::DenseSet<const ast::Statement *> following;
  for (size_t index = 0; index != numOps; ++index)
    if (ways[index] == Way::Follow && builder.statements[index])
      following.insert(builder.statements[index]);
  bool any = false;
  isCompared.assign(numOps, false);
  for (size_t index = 0; index != numOps; ++index)
    if (program.ops[index].kind == OpKind::Compare &&
        following.contains(builder.statements[index]))
      any = isCompared[index] = true;
  return any;
}

void Cloner::markNeeded(llvm::ArrayRef<ValueId> wanted) {
  if (needed.empty())
    needed.assign(program.values.size(), false);
  if (ways.empty())
    ways.assign(numOps, Way::Skip);
  for (ValueId id : wanted)
    needed[id.index()] = true;
  for (size_t index = numOps; index-- != 0;) {
    const ir::Op &op = program.ops[index];
    auto isNeeded = [&](ValueId id) { return needed[id.index()]; };
    bool compares = !isCompared.empty() && isCompared[index];
    if (!compares && !llvm::any_of(op.results, isNeeded))
      continue;
    Way &way = ways[index];
    if (compares)
      way = Way::Follow;
    else if (way == Way::Skip)
      way = wayOf(index);
    if (way == Way::Failed)
      continue;
    llvm::ArrayRef<ValueId> operands = op.operands;
    // The value around a tensor has no state.
    if (op.kind == OpKind::Pad)
      operands = operands.take_front();
    for (ValueId id : operands)
      needed[id.index()] = true;
  }
}

/// Whether the states have the shapes of their tensors, and one dtype.
bool Cloner::checkOperands(size_t index, const ir::Op &op) {
  llvm::ArrayRef<ValueId> operands = op.operands;
  if (op.kind == OpKind::Pad)
    operands = operands.take_front();
  const ir::Value &first = program.value(clones[operands.front().index()]);
  for (ValueId id : operands) {
    const ir::Value &state = program.value(clones[id.index()]);
    const ir::Value &model = program.value(id);
    if (state.shape != model.shape) {
      builder.report(diag::UnequalStates, index,
                     quote(state.name) + " has shape " +
                         formatShape(state.shape) + ", " + quote(model.name) +
                         ", whose state it is, " + formatShape(model.shape));
      return false;
    }
    if (state.dtype != first.dtype) {
      builder.report(
          diag::UnequalStates, index,
          quote(state.name) + " is " + std::string(nameOf(state.dtype)) + ", " +
              quote(first.name) + " is " + std::string(nameOf(first.dtype)));
      return false;
    }
    // What stands around a tensor, or fresh masters, are cast from the model's.
    bool isCast = op.kind == OpKind::Pad || ways[index] == Way::Fresh;
    if (isCast && classOf(state.dtype) != DTypeClass::Float) {
      builder.report(diag::UnequalStates, index,
                     quote(state.name) + " is " +
                         std::string(nameOf(state.dtype)) +
                         ", expected a floating dtype for new elements");
      return false;
    }
    if (!hasWholeBytes(state.dtype)) {
      builder.report(diag::UnequalStates, index,
                     quote(state.name) + " is " +
                         std::string(nameOf(state.dtype)) +
                         ", whose elements do not move one by one");
      return false;
    }
  }
  return true;
}

/// A tensor of zeros.
ValueId Cloner::zeros(DType dtype, affine::Extents shape, std::string name,
                      const ir::Op &origin) {
  ir::Op &op = builder.addOp(OpKind::Fill, {}, nullptr);
  op.comeFrom(origin);
  return builder.addResult(std::move(name), dtype, std::move(shape));
}

/// The model's value in the dtype of a master.
ValueId Cloner::modelAs(ValueId model, DType dtype, const ir::Op &origin) {
  std::string name = builder.nameOf(model);
  if (program.value(model).dtype == dtype)
    return builder.addRename(model, std::move(name), &origin);
  affine::Extents shape = program.value(model).shape;
  ir::Op &op = builder.addOp(OpKind::Cast, {model}, nullptr);
  op.dtype = dtype;
  op.comeFrom(origin);
  return builder.addResult(std::move(name), dtype, std::move(shape));
}

ValueId Cloner::reshaped(ValueId value, affine::Extents shape,
                         const ir::Op &origin) {
  if (program.value(value).shape == shape)
    return value;
  std::string name = program.value(value).name;
  DType dtype = program.value(value).dtype;
  ir::Op &op = builder.addOp(OpKind::Reshape, {value}, nullptr);
  op.comeFrom(origin);
  return builder.addResult(std::move(name), dtype, std::move(shape));
}

void Cloner::pad(const ir::Op &op, bool isFresh) {
  ValueId state = clones[op.operands.front().index()];
  DType dtype = program.value(state).dtype;
  ValueId around = op.operands.back();
  std::string name = builder.nameOf(around);
  if (isFresh && !builder.isMaster())
    around = zeros(dtype, program.value(around).shape, std::move(name), op);
  else
    around = modelAs(around, dtype, op);
  ValueId model = op.results.front();
  builder.addOp(OpKind::Pad, {state, around}, &op);
  clones[model.index()] = builder.addResult(builder.nameOf(model), dtype,
                                            program.value(model).shape);
}

/// The first of the repeated blocks is the old one: it keeps its state. With p
/// indexes before the axis and q behind it the tensor is [p, blocks, 1, block,
/// q], and its copies are behind it along the axis of 1.
void Cloner::freshRepeat(const ir::Op &op) {
  ValueId model = op.results.front();
  ValueId state = clones[op.operands.front().index()];
  DType dtype = program.value(state).dtype;
  affine::Extents from = program.value(state).shape;
  affine::Extents to = program.value(model).shape;
  int64_t before = 1, behind = 1;
  for (unsigned axis = 0; axis != from.size(); ++axis)
    (axis < op.axis ? before : behind) *= axis == op.axis ? 1 : from[axis];
  int64_t numBlocks = op.block == 0 ? 0 : from[op.axis] / op.block;
  affine::Extents blocks = {before, numBlocks, 1, op.block, behind};
  ValueId old = reshaped(state, blocks, op);
  affine::Extents copies = blocks;
  copies[2] = op.count - 1;
  std::string name = builder.nameOf(model);
  ValueId fresh;
  if (builder.isMaster()) {
    affine::Extents all = blocks;
    all[2] = op.count;
    fresh = reshaped(modelAs(model, dtype, op), all, op);
    ir::Op &slice = builder.addOp(OpKind::Slice, {fresh}, nullptr);
    slice.begin = {0, 0, 1, 0, 0};
    slice.comeFrom(op);
    fresh = builder.addResult(name, dtype, copies);
  } else {
    fresh = zeros(dtype, copies, name, op);
  }
  ir::Op &merge = builder.addOp(OpKind::Merge, {old, fresh}, nullptr);
  merge.axis = 2;
  merge.comeFrom(op);
  blocks[2] = op.count;
  clones[model.index()] =
      reshaped(builder.addResult(name, dtype, blocks), std::move(to), op);
}

/// A new state of a tensor of the model.
ValueId Cloner::fresh(ValueId model, DType dtype, const ir::Op &origin) {
  return builder.isMaster() ? modelAs(model, dtype, origin)
                            : zeros(dtype, program.value(model).shape,
                                    builder.nameOf(model), origin);
}

/// What a statement ties or copies gets a new state, and all its operations
/// then act on that one.
void Cloner::renewOperands(size_t index, const ir::Op &op) {
  const ast::Statement *statement = builder.statements[index];
  if (!statement->copies && !statement->find("tie"))
    return;
  for (ValueId model : op.operands) {
    size_t maker = program.value(model).definition.index();
    if (builder.statements[maker] == statement)
      continue;
    ValueId &clone = clones[model.index()];
    replaced.emplace_back(model, clone);
    clone = fresh(model, program.value(clone).dtype, op);
  }
}

/// New states of all results of an operation, or of its new elements.
void Cloner::makeFresh(size_t index, const ir::Op &op) {
  replaced.clear();
  renewOperands(index, op);
  if (op.kind == OpKind::Pad) {
    pad(op, /*isFresh=*/true);
  } else if (op.kind == OpKind::Repeat && !isOfPad(index)) {
    op.count > 1 ? freshRepeat(op) : follow(op);
  } else if (op.kind == OpKind::Plus || op.kind == OpKind::Repeat) {
    // The rows of `pad, value=last` are all new.
    ValueId model = op.results.front();
    DType dtype = program.value(clones[op.operands.front().index()]).dtype;
    clones[model.index()] = fresh(model, dtype, op);
  } else if (op.kind == OpKind::Cast) {
    ValueId model = op.results.front();
    clones[model.index()] = builder.addRename(
        clones[op.operands.front().index()], builder.nameOf(model), &op);
  } else {
    follow(op);
  }
  // Other statements read the tensor with the state that it has.
  for (auto [model, clone] : replaced)
    clones[model.index()] = clone;
}

/// The same operation on the states.
void Cloner::follow(const ir::Op &op) {
  llvm::SmallVector<ValueId, 2> states;
  for (ValueId id : op.operands)
    states.push_back(clones[id.index()]);
  DType dtype = program.value(states.front()).dtype;
  builder.addOp(op.kind, states, &op);
  for (ValueId model : op.results)
    clones[model.index()] = builder.addResult(builder.nameOf(model), dtype,
                                              program.value(model).shape);
}

void Cloner::cloneOp(size_t index) {
  // Operations are added meanwhile.
  const ir::Op op = program.ops[index];
  if (op.kind == OpKind::Source) {
    ValueId id = op.results.front();
    const Tensor *state = builder.stateOf(id);
    if (!state) // Only what is compared need not have one.
      return builder.report(
          diag::MixedStates, index,
          quote(program.value(id).name) + " has no " +
              std::string(builder.kind().what) +
              " in the source, and what it is compared with has one");
    clones[id.index()] = builder.addSource(*state);
    return;
  }
  llvm::ArrayRef<ValueId> read = op.operands;
  if (op.kind == OpKind::Pad)
    read = read.take_front();
  for (ValueId id : read)
    if (clones[id.index()].isNone())
      return; // Reported.
  ValueId first = clones[op.operands.front().index()];
  if (op.kind == OpKind::Compare) {
    if (checkOperands(index, op))
      builder.addOp(OpKind::Compare,
                    {first, clones[op.operands.back().index()]}, &op);
    return;
  }
  if (op.kind == OpKind::Rename && ways[index] == Way::Follow) {
    ValueId model = op.results.front();
    clones[model.index()] =
        builder.addRename(first, builder.nameOf(model), &op);
    return;
  }
  if (op.kind == OpKind::Cast && ways[index] == Way::Follow) {
    ValueId model = op.results.front();
    clones[model.index()] =
        builder.addRename(first, builder.nameOf(model), &op);
    return;
  }
  if (!checkOperands(index, op))
    return;
  if (ways[index] == Way::Fresh)
    makeFresh(index, op);
  else if (op.kind == OpKind::Pad)
    pad(op, /*isFresh=*/false);
  else
    follow(op);
}

std::vector<ValueId> Cloner::run(llvm::ArrayRef<ValueId> wanted) {
  markNeeded(wanted);
  // Operands of comparisons are needed too, and comparisons of what makes them.
  while (findComparisons()) {
    size_t numBefore = llvm::count(ways, Way::Skip);
    markNeeded(wanted);
    if (llvm::count(ways, Way::Skip) == static_cast<ptrdiff_t>(numBefore))
      break;
  }
  for (size_t index = 0; index != numOps; ++index)
    if (ways[index] == Way::Follow || ways[index] == Way::Fresh)
      cloneOp(index);
  std::vector<ValueId> made;
  for (ValueId id : wanted)
    made.push_back(clones[id.index()]);
  return made;
}

} // namespace

std::vector<ValueId> sema::cloneStates(StatesBuilder &builder,
                                       llvm::ArrayRef<ValueId> wanted) {
  return Cloner(builder).run(wanted);
}
