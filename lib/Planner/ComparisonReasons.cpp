//===- ComparisonReasons.cpp - Why two tensors must be equal --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ComparisonReasons.h"

using namespace aoa;
using namespace aoa::ir;

ComparisonReasons::ComparisonReasons(
    const Program &program, std::function<std::string(SourceRange)> placeOf)
    : program(program), placeOf(std::move(placeOf)) {
  for (size_t i = 0; i < program.ops.size(); ++i)
    if (const Op &op = program.ops[i]; op.kind == OpKind::Compare)
      opOf.try_emplace({op.operands[0], op.operands[1]}, OpId(i));
}

std::string ComparisonReasons::of(const Result &left,
                                  const Result &right) const {
  // A dedup compares a tensor with its first blocks, repeated.
  const Op &definition = program.definition(right.value);
  bool isDedup =
      definition.kind == OpKind::Repeat &&
      program.definition(definition.operands[0]).kind == OpKind::Dedup;
  std::string reason =
      isDedup ? "dedup of " + left.name : right.name + " tied to " + left.name;
  auto op = opOf.find({left.value, right.value});
  if (op != opOf.end() && placeOf) {
    std::string place = placeOf(program.op(op->second).range);
    if (!place.empty())
      reason += " at " + place;
  }
  return reason;
}
