//===- Verify.cpp - What our own code must keep -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ids in range, each value defined once and before it is read, types as the
// primitives' own rules give them, uses counted right, results sorted.
//===----------------------------------------------------------------------===//
#include "aoa/IR/Program.h"
#include "aoa/Primitives/Primitives.h"

using namespace aoa;
using namespace aoa::ir;
using primitives::Operand;
using primitives::TensorType;

namespace {

using Problem = std::optional<std::string>;

class Verifier {
public:
  explicit Verifier(const Program &program)
      : program(program), defined(program.values.size(), false),
        uses(program.values.size(), 0) {}

  std::optional<Violation> run();

private:
  Problem op(const Op &op, size_t index);
  Problem arity(const Op &op) const;
  Problem types(const Op &op) const;
  Problem sourceTypes(const Op &op) const;
  Problem results() const;
  Problem pieces(const Result &result) const;
  Problem transfers(const Result &result) const;
  Operand operand(ValueId id) const {
    const Value &value = program.value(id);
    return {value.name, value.dtype, value.shape};
  }
  Problem compare(const Op &op,
                  const primitives::Inferred<TensorType> &expected) const;

  const Program &program;
  std::vector<bool> defined;
  std::vector<unsigned> uses;
};

Problem Verifier::arity(const Op &op) const {
  size_t in = op.operands.size(), out = op.results.size();
  bool fits = false;
  switch (op.kind) {
  case OpKind::Source:
  case OpKind::Add:
    fits = in == 0 && out == 1;
    break;
  case OpKind::Rename:
  case OpKind::Transpose:
  case OpKind::Cast:
    fits = in == 1 && out == 1;
    break;
  case OpKind::Merge:
    fits = in >= 1 && out == 1;
    break;
  case OpKind::Split:
    fits = in == 1 && out >= 1;
    break;
  case OpKind::Stack:
  case OpKind::Unstack:
  case OpKind::Reshape:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Pad:
  case OpKind::Repeat:
  case OpKind::Dedup:
  case OpKind::Scale:
  case OpKind::Plus:
  case OpKind::Fill:
  case OpKind::Compare:
    break; // No statement makes them yet.
  case OpKind::Remove:
    fits = in == 1 && out == 0;
    break;
  }
  if (fits)
    return std::nullopt;
  return "has " + std::to_string(in) + " operands and " + std::to_string(out) +
         " results";
}

Problem
Verifier::compare(const Op &op,
                  const primitives::Inferred<TensorType> &expected) const {
  if (!expected)
    return expected.error().message;
  for (ValueId id : op.results) {
    const Value &value = program.value(id);
    if (value.dtype != expected->dtype || value.shape != expected->shape)
      return "`" + value.name + "` is " + std::string(nameOf(value.dtype)) +
             " " + formatShape(value.shape) + ", expected " +
             std::string(nameOf(expected->dtype)) + " " +
             formatShape(expected->shape);
  }
  return std::nullopt;
}

Problem Verifier::sourceTypes(const Op &op) const {
  const std::string &name = program.value(op.results.front()).name;
  const Tensor *tensor = program.source ? program.source->find(name) : nullptr;
  if (!tensor)
    return "`" + name + "` is not in the catalog";
  return compare(
      op, TensorType{tensor->dtype, affine::Extents(tensor->shape.begin(),
                                                    tensor->shape.end())});
}

Problem Verifier::types(const Op &op) const {
  switch (op.kind) {
  case OpKind::Source:
    return sourceTypes(op);
  case OpKind::Rename:
    return compare(op, primitives::rename(operand(op.operands.front())));
  case OpKind::Merge: {
    std::vector<Operand> parts;
    for (ValueId id : op.operands)
      parts.push_back(operand(id));
    return compare(op, primitives::merge(parts, op.axis));
  }
  case OpKind::Split:
    return compare(op, primitives::split(operand(op.operands.front()),
                                         op.results.size(), op.axis));
  case OpKind::Transpose: {
    Operand from = operand(op.operands.front());
    if (op.perm.size() != from.shape.size())
      return "permutation of another rank";
    std::vector<int64_t> entries(op.perm.begin(), op.perm.end());
    if (auto perm = primitives::resolvePermutation(from, entries); !perm)
      return perm.error().message;
    return compare(op, primitives::transpose(from, op.perm));
  }
  case OpKind::Cast:
    // What a dialect refuses has been refused.
    return compare(op, primitives::cast(operand(op.operands.front()), op.dtype,
                                        canConvert));
  case OpKind::Stack:
  case OpKind::Unstack:
  case OpKind::Reshape:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Pad:
  case OpKind::Repeat:
  case OpKind::Dedup:
  case OpKind::Scale:
  case OpKind::Plus:
  case OpKind::Fill:
  case OpKind::Compare:
    return "unknown kind";
  case OpKind::Remove:
    return std::nullopt;
  case OpKind::Add: {
    const Value &value = program.value(op.results.front());
    return compare(op, primitives::add(value.dtype, value.shape));
  }
  }
  return "unknown kind";
}

Problem Verifier::op(const Op &op, size_t index) {
  for (ValueId id : op.operands) {
    if (id.index() >= defined.size() || !defined[id.index()])
      return "reads a value that is not defined yet";
    ++uses[id.index()];
  }
  for (ValueId id : op.results) {
    if (id.index() >= defined.size() || defined[id.index()])
      return "defines a value that does not exist or is defined already";
    defined[id.index()] = true;
    if (program.value(id).definition != OpId(index))
      return "`" + program.value(id).name + "` names another definition";
  }
  if (Problem problem = arity(op))
    return problem;
  return types(op);
}

Problem Verifier::results() const {
  const std::string *last = nullptr;
  for (const Result &result : program.results) {
    if (result.value.index() >= defined.size())
      return "result `" + result.name + "` is no value";
    if (last && *last >= result.name)
      return "result `" + result.name + "` is out of order or there twice";
    last = &result.name;
    bool added = program.definition(result.value).kind == OpKind::Add;
    if (added != result.leftToCaller)
      return "result `" + result.name + "` is mistaken about who fills it";
    if (Problem problem = pieces(result))
      return problem;
  }
  return std::nullopt;
}

Problem Verifier::pieces(const Result &result) const {
  for (const affine::PieceSet::Entry &entry : result.pieces.entries()) {
    if (entry.tag >= program.origins.size())
      return "a piece of result `" + result.name + "` has no origin";
    const Origin &origin = program.origins[entry.tag];
    if (origin.source.index() >= defined.size() ||
        program.definition(origin.source).kind != OpKind::Source)
      return "a piece of result `" + result.name + "` is of no source";
    if (auto sound = affine::checkPiece(result.pieces.ref(entry).piece());
        !sound)
      return "result `" + result.name + "`: " + sound.error().str();
  }
  return transfers(result);
}

Problem Verifier::transfers(const Result &result) const {
  if (result.layoutClass.isNone())
    return std::nullopt;
  if (result.layoutClass.index() >= program.classes.size())
    return "result `" + result.name + "` is of no layout class";
  const LayoutClass &layoutClass = program.classes[result.layoutClass.index()];
  if (layoutClass.shards.size() != result.shards.size())
    return "the class of result `" + result.name + "` has " +
           std::to_string(layoutClass.shards.size()) + " shards, the result " +
           std::to_string(result.shards.size());
  for (const StorageOrigin &origin : layoutClass.origins)
    if (origin.slot >= result.slots.size())
      return "the class of result `" + result.name +
             "` reads a source that the result does not have";
  for (const affine::PieceSet &shard : layoutClass.shards)
    for (const affine::PieceSet::Entry &entry : shard.entries()) {
      if (entry.tag >= layoutClass.origins.size())
        return "a transfer of result `" + result.name + "` has no origin";
      if (auto sound = affine::checkPiece(shard.ref(entry).piece()); !sound)
        return "a transfer of result `" + result.name +
               "`: " + sound.error().str();
    }
  return std::nullopt;
}

std::optional<Violation> Verifier::run() {
  for (size_t i = 0; i != program.ops.size(); ++i)
    if (Problem problem = op(program.ops[i], i))
      return Violation{std::move(*problem), OpId(i)};
  for (size_t i = 0; i != uses.size(); ++i) {
    const Value &value = program.values[i];
    if (!defined[i])
      return Violation{"value " + std::to_string(i) + " has no definition"};
    if (uses[i] != value.numUses)
      return Violation{"`" + value.name + "` is read " +
                       std::to_string(uses[i]) + " times, its count says " +
                       std::to_string(value.numUses)};
  }
  if (Problem problem = results())
    return Violation{std::move(*problem)};
  return std::nullopt;
}

} // namespace

std::optional<Violation> ir::findViolation(const Program &program) {
  return Verifier(program).run();
}

std::optional<std::string> ir::verify(const Program &program) {
  std::optional<Violation> found = findViolation(program);
  if (!found)
    return std::nullopt;
  if (found->op.isNone())
    return std::move(found->message);
  return "operation " + std::to_string(found->op.index()) + " (" +
         keyword(program.op(found->op).kind).str() + "): " + found->message;
}
