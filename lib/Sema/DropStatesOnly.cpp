//===- DropStatesOnly.cpp - Tensors that the source does not have -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0
#include "DropStatesOnly.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::sema;
using ir::ValueId;

/// The values that are made of a tensor of which the source has states only.
static std::vector<bool> findStatesOnly(const ir::Program &program,
                                        const ModelEnds &ends) {
  std::vector<bool> is(program.values.size(), false);
  for (const ir::Op &op : program.ops) {
    bool made =
        llvm::any_of(op.operands, [&](ValueId id) { return is[id.index()]; });
    if (op.kind == ir::OpKind::Source) {
      const auto *model =
          ends.sourceStates.findModel(program.value(op.results.front()).name);
      made = model && model->hasStatesOnly;
    }
    for (ValueId id : op.results)
      is[id.index()] = made;
  }
  return is;
}

void sema::dropStatesOnly(ir::Program &program, const ModelEnds &ends) {
  std::vector<bool> isGone = findStatesOnly(program, ends);
  llvm::erase_if(program.results, [&](const ir::Result &result) {
    const auto *listed = ends.targetStates.findModel(result.name);
    return isGone[result.value.index()] || (listed && listed->hasStatesOnly);
  });
  if (!llvm::is_contained(isGone, true))
    return;

  std::vector<ir::Value> values;
  std::vector<ValueId> newId(program.values.size());
  std::vector<ir::Op> ops;
  for (ir::Op &op : program.ops) {
    auto gone = [&](ValueId id) { return isGone[id.index()]; };
    if (llvm::any_of(op.operands, gone) || llvm::any_of(op.results, gone))
      continue;
    for (ValueId &id : op.operands) {
      id = newId[id.index()];
      ++values[id.index()].numUses;
    }
    for (ValueId &id : op.results) {
      newId[id.index()] = ValueId(values.size());
      ir::Value value = std::move(program.values[id.index()]);
      value.definition = ir::OpId(ops.size());
      value.numUses = 0;
      values.push_back(std::move(value));
      id = newId[id.index()];
    }
    ops.push_back(std::move(op));
  }
  program.values = std::move(values);
  program.ops = std::move(ops);
  for (ir::Result &result : program.results)
    result.value = newId[result.value.index()];
}
