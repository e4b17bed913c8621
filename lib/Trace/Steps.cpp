//===- Steps.cpp - The statements on an element's way ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Trace/Steps.h"

#include "ElementList.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Invert.h"
#include "aoa/Transforms/OpRelation.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;
using namespace aoa::trace;

/// Of many equal copies so many are named.
static constexpr size_t maxCompared = 4;

static StepReason reasonOf(const Op &op) {
  if (!op.statement.isNone())
    return StepReason::Statement;
  return op.kind == OpKind::Cast ? StepReason::DType : StepReason::StateName;
}

StepFinder::StepFinder(const Program &program) : program(program) {
  for (auto [i, op] : llvm::enumerate(program.ops))
    if (op.kind == OpKind::Compare)
      comparesOf[op.statement].emplace_back(i);
}

std::vector<Step> StepFinder::stepsOf(const Way &way,
                                      const WrittenPlace *place) const {
  std::vector<Step> steps = stepsOfProgram(way);
  // Where the two cancel each other out a run computes nothing.
  if (!place || llvm::none_of(place->ops.steps, [](const ElementOp &op) {
        return op.kind == ElementOp::Kind::Multiply ||
               op.kind == ElementOp::Kind::Divide;
      }))
    return steps;
  if (place->sourceScale != 1) {
    Step scale{StepReason::SourceScale, {}, {}, {way.end, way.endAddress}, {}};
    scale.ops.from = program.value(way.end).dtype;
    scale.ops.divide(place->sourceScale);
    steps.push_back(std::move(scale));
  }
  if (place->scale != 1) {
    ElementRef made{way.value, way.address};
    Step scale{StepReason::TargetScale, {}, {}, made, {}};
    scale.ops.from = program.value(way.value).dtype;
    scale.ops.multiply(place->scale);
    steps.insert(steps.begin(), std::move(scale));
  }
  return steps;
}

std::vector<Step> StepFinder::stepsOfProgram(const Way &way) const {
  std::vector<Step> steps;
  auto isPartOf = [&](const Op &op, const Step &step) {
    // A state takes its name by an operation that no statement has.
    bool isNaming =
        step.statement.isNone() && program.op(step.op).kind == OpKind::Rename;
    return (op.statement == step.statement && !op.statement.isNone()) ||
           isNaming;
  };
  auto stepOf = [&](OpId id, ElementRef made) -> Step & {
    const Op &op = program.op(id);
    if (steps.empty() || !isPartOf(op, steps.back())) {
      steps.push_back({reasonOf(op), op.statement, id, made, {}});
    } else if (steps.back().statement.isNone()) {
      steps.back().reason = reasonOf(op);
      steps.back().statement = op.statement;
      steps.back().op = id;
    }
    return steps.back();
  };
  std::vector<std::vector<OpId>> opsOf; // Of each step, the last first.
  for (auto [i, hop] : llvm::enumerate(way.hops)) {
    Step &step = stepOf(hop.op, {hop.made, hop.address});
    opsOf.resize(steps.size());
    opsOf.back().push_back(hop.op);
    bool isLast = i + 1 == way.hops.size();
    addCompared(
        step, hop,
        isLast ? ElementRef{way.end, way.endAddress}
               : ElementRef{way.hops[i + 1].made, way.hops[i + 1].address});
  }
  if (program.definition(way.end).kind != OpKind::Source)
    stepOf(program.value(way.end).definition, {way.end, way.endAddress});
  opsOf.resize(steps.size());
  for (auto [step, ops] : llvm::zip(steps, opsOf)) {
    if (!ops.empty())
      step.ops.from =
          program.value(program.op(ops.back()).operands.front()).dtype;
    for (OpId op : llvm::reverse(ops))
      addOps(step, program.op(op));
  }
  return steps;
}

void StepFinder::addOps(Step &step, const Op &op) const {
  // As they are written: nothing is folded here.
  switch (op.kind) {
  case OpKind::Cast:
    step.ops.steps.push_back({ElementOp::Kind::Cast, op.dtype, 1});
    return;
  case OpKind::Scale:
    step.ops.steps.push_back(
        {ElementOp::Kind::Scale, step.ops.to(), op.number});
    return;
  case OpKind::Plus:
    step.ops.steps.push_back({ElementOp::Kind::Plus, step.ops.to(), op.number});
    return;
  default:
    return;
  }
}

void StepFinder::addCompared(Step &step, const Hop &hop,
                             ElementRef taken) const {
  const Op &op = program.op(hop.op);
  auto compares = comparesOf.find(op.statement);
  if (compares == comparesOf.end() || op.statement.isNone())
    return;
  auto add = [&](ElementRef other) {
    if (llvm::is_contained(step.compared, other))
      return;
    if (step.compared.size() < maxCompared)
      step.compared.push_back(other);
    else
      ++step.numMoreCompared;
  };
  for (OpId id : compares->second) {
    const Op &compare = program.op(id);
    if (compare.operands[0] != taken.value)
      continue;
    const Op &other = program.definition(compare.operands[1]);
    if (op.kind != OpKind::Dedup || other.kind != OpKind::Repeat ||
        other.operands[0] != hop.made) {
      add({compare.operands[1], taken.address});
      continue;
    }
    // A dedup compares the operand with its first blocks, repeated: what is
    // made of the element there are the places that must be equal to it.
    forEachOperandPiece(
        program, other, [&](unsigned, unsigned, const Piece &piece) {
          Piece element{{1}, {0, {1}}, {hop.address, {1}}};
          PieceSet copies = *affine::compose(
              PieceSet(element), PieceSet(piece),
              [](PieceSet::Tag tag, PieceSet::Tag) { return tag; });
          int64_t left = copies.numElements() - 1;
          for (size_t i = 0; i < copies.size() && left != 0; ++i) {
            PieceRef copy = copies[i];
            assert(copy.rank() <= 1 && "copies of one element are a row");
            int64_t stride = copy.rank() == 0 ? 0 : copy.dstStrides[0];
            for (int64_t index = 0, end = copy.numElements();
                 index < end && left != 0 && step.compared.size() < maxCompared;
                 ++index) {
              int64_t address = copy.dstOffset + index * stride;
              if (address == taken.address)
                continue;
              add({taken.value, address});
              --left;
            }
          }
          step.numMoreCompared += left;
        });
  }
}
