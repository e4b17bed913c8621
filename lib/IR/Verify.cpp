//===- Verify.cpp - What our own code must keep -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Ids in range, each value defined once and before it is read, types as the
// primitives' own rules give them, uses counted right, results sorted.
//===----------------------------------------------------------------------===//
#include "aoa/IR/Program.h"
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/FormatShape.h"
#include "llvm/ADT/STLExtras.h"

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
  Problem splitTypes(const Op &op) const;
  Problem padTypes(const Op &op) const;
  Problem results() const;
  Problem compared(const Result &result, const Result *last,
                   size_t index) const;
  Problem pieces(const Result &result) const;
  Problem transfers(const Result &result) const;
  Operand operand(ValueId id) const {
    const Value &value = program.value(id);
    return {value.name, value.dtype, value.shape};
  }
  std::vector<Operand> operands(const Op &op) const {
    std::vector<Operand> all;
    for (ValueId id : op.operands)
      all.push_back(operand(id));
    return all;
  }
  llvm::ArrayRef<int64_t> resultShape(const Op &op) const {
    return program.value(op.results.front()).shape;
  }
  Problem compare(ValueId id, const TensorType &expected) const;
  /// The same for all results.
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
  case OpKind::Fill:
  case OpKind::Add:
    fits = in == 0 && out == 1;
    break;
  case OpKind::Rename:
  case OpKind::Transpose:
  case OpKind::Reshape:
  case OpKind::Rearrange:
  case OpKind::Slice:
  case OpKind::Repeat:
  case OpKind::Dedup:
  case OpKind::Cast:
  case OpKind::Scale:
  case OpKind::Plus:
    fits = in == 1 && out == 1;
    break;
  case OpKind::Merge:
  case OpKind::Stack:
    fits = in >= 1 && out == 1;
    break;
  case OpKind::Split:
  case OpKind::Unstack:
    fits = in == 1 && out >= 1;
    break;
  case OpKind::Pad:
    fits = in == 2 && out == 1;
    break;
  case OpKind::Compare:
    fits = in == 2 && out == 0;
    break;
  case OpKind::Remove:
    fits = in == 1 && out == 0;
    break;
  }
  if (fits)
    return std::nullopt;
  return "has " + std::to_string(in) + " operands and " + std::to_string(out) +
         " results";
}

Problem Verifier::compare(ValueId id, const TensorType &expected) const {
  const Value &value = program.value(id);
  if (value.dtype == expected.dtype && value.shape == expected.shape)
    return std::nullopt;
  return "`" + value.name + "` is " + std::string(nameOf(value.dtype)) + " " +
         formatShape(value.shape) + ", expected " +
         std::string(nameOf(expected.dtype)) + " " +
         formatShape(expected.shape);
}

Problem
Verifier::compare(const Op &op,
                  const primitives::Inferred<TensorType> &expected) const {
  if (!expected)
    return expected.error().message;
  for (ValueId id : op.results)
    if (Problem problem = compare(id, *expected))
      return problem;
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

Problem Verifier::splitTypes(const Op &op) const {
  Operand whole = operand(op.operands.front());
  affine::Extents sizes;
  for (ValueId id : op.results) {
    const Value &part = program.value(id);
    if (op.axis >= part.shape.size() || op.groups < 1 ||
        part.shape[op.axis] % op.groups != 0)
      return "part `" + part.name + "` of shape " + formatShape(part.shape) +
             " has no " + std::to_string(op.groups) + " groups along axis " +
             std::to_string(op.axis);
    sizes.push_back(part.shape[op.axis] / op.groups);
  }
  auto resolved = primitives::resolveSizes(whole, op.results.size(), op.axis,
                                           op.groups, sizes);
  if (!resolved)
    return resolved.error().message;
  auto parts = primitives::split(whole, op.axis, op.groups, *resolved);
  if (!parts)
    return parts.error().message;
  for (auto [id, part] : llvm::zip(op.results, *parts))
    if (Problem problem = compare(id, part))
      return problem;
  return std::nullopt;
}

Problem Verifier::padTypes(const Op &op) const {
  Operand inner = operand(op.operands[0]), around = operand(op.operands[1]);
  if (!around.shape.empty() || around.dtype != inner.dtype)
    return "pads with `" + around.name.str() + "` of " +
           std::string(nameOf(around.dtype)) + " " + formatShape(around.shape) +
           ", expected " + std::string(nameOf(inner.dtype)) + " []";
  llvm::ArrayRef<int64_t> shape = resultShape(op);
  if (op.begin.size() != inner.shape.size() || shape.size() != op.begin.size())
    return "places `" + inner.name.str() + "` in a tensor of another rank";
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (unsigned d = 0; d != shape.size(); ++d) {
    auto behind = checkedSub(shape[d] - op.begin[d], inner.shape[d]);
    if (op.begin[d] < 0 || !behind)
      return "places `" + inner.name.str() + "` outside of its result";
    pairs.emplace_back(op.begin[d], *behind);
  }
  return compare(op, primitives::pad(inner, pairs));
}

Problem Verifier::types(const Op &op) const {
  switch (op.kind) {
  case OpKind::Source:
    return sourceTypes(op);
  case OpKind::Rename:
    return compare(op, primitives::rename(operand(op.operands.front())));
  case OpKind::Merge:
    return compare(op, primitives::merge(operands(op), op.axis, op.groups));
  case OpKind::Split:
    return splitTypes(op);
  case OpKind::Stack:
    return compare(op, primitives::stack(operands(op), op.axis));
  case OpKind::Unstack:
    return compare(op, primitives::unstack(operand(op.operands.front()),
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
  case OpKind::Reshape:
    return compare(
        op, primitives::reshape(operand(op.operands.front()), resultShape(op)));
  case OpKind::Rearrange:
    return compare(op,
                   primitives::rearrange(operand(op.operands.front()), op.shape,
                                         op.perm, resultShape(op)));
  case OpKind::Slice:
    return compare(op, primitives::slice(operand(op.operands.front()), op.begin,
                                         resultShape(op)));
  case OpKind::Pad:
    return padTypes(op);
  case OpKind::Repeat:
    return compare(op, primitives::repeat(operand(op.operands.front()), op.axis,
                                          op.count, op.block));
  case OpKind::Dedup:
    return compare(op, primitives::dedup(operand(op.operands.front()), op.axis,
                                         op.count, op.block));
  case OpKind::Scale:
    return compare(op,
                   primitives::scale(operand(op.operands.front()), op.number));
  case OpKind::Plus:
    return compare(op,
                   primitives::plus(operand(op.operands.front()), op.number));
  case OpKind::Fill:
    return compare(op, primitives::fill(program.value(op.results.front()).dtype,
                                        resultShape(op), op.value));
  case OpKind::Compare:
    for (ValueId id : op.operands)
      if (program.definition(id).kind == OpKind::Add)
        return "compares `" + program.value(id).name +
               "`, which the caller fills";
    if (auto type = primitives::equalTypes(operands(op), "comparison"); !type)
      return type.error().message;
    return std::nullopt;
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
  const Result *last = nullptr;
  size_t numCompared = 0;
  for (const Result &result : program.results) {
    if (result.value.index() >= defined.size())
      return "result `" + result.name + "` is no value";
    if (result.isCompared) {
      if (Problem problem = compared(result, last, numCompared++))
        return problem;
    } else if (last && (last->isCompared || last->name >= result.name)) {
      return "result `" + result.name + "` is out of order or there twice";
    }
    last = &result;
    bool added = program.definition(result.value).kind == OpKind::Add;
    if (added != result.leftToCaller)
      return "result `" + result.name + "` is mistaken about who fills it";
    if (Problem problem = pieces(result))
      return problem;
  }
  if (numCompared % 2 != 0)
    return "`" + last->name + "` is compared with nothing";
  return std::nullopt;
}

Problem Verifier::compared(const Result &result, const Result *last,
                           size_t index) const {
  if (result.leftToCaller)
    return "`" + result.name + "`, which is compared, is left to the caller";
  if (index % 2 == 0)
    return std::nullopt;
  const Value &first = program.value(last->value);
  return compare(result.value, {first.dtype, first.shape});
}

Problem Verifier::pieces(const Result &result) const {
  for (const affine::PieceSet::Entry &entry : result.pieces.entries()) {
    if (entry.tag >= program.origins.size())
      return "a piece of result `" + result.name + "` has no origin";
    const Origin &origin = program.origins[entry.tag];
    if (origin.source.index() >= defined.size() ||
        !program.isStored(origin.source))
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
