//===- StateSources.cpp - What each value is made of ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StateSources.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::sema;
using ir::OpKind;
using ir::ValueId;

static constexpr size_t maxElements = 50'000'000;

bool StateSources::join(llvm::ArrayRef<ValueId> operands, SetId &result) {
  llvm::SmallVector<SetId, 4> parts;
  for (ValueId id : operands)
    if (!llvm::is_contained(parts, setOf(id)) || parts.size() > 16)
      parts.push_back(setOf(id));
  if (parts.size() == 1) {
    result = parts.front();
    return true;
  }
  std::vector<ValueId> all;
  for (SetId part : parts) {
    numElements += sets[part.index()].size();
    if (numElements > maxElements)
      return false;
    llvm::append_range(all, sets[part.index()]);
  }
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  result = SetId(sets.size());
  sets.push_back(std::move(all));
  return true;
}

std::optional<StateSources> StateSources::of(const ir::Program &program) {
  StateSources sources;
  sources.setOfValue.resize(program.values.size());
  for (const ir::Op &op : program.ops) {
    if (op.results.empty())
      continue;
    SetId set;
    if (op.operands.empty()) {
      set = SetId(sources.sets.size());
      sources.sets.push_back({op.results.front()});
      ++sources.numElements;
    } else {
      llvm::ArrayRef<ValueId> operands = op.operands;
      if (op.kind == OpKind::Pad)
        operands = operands.take_front();
      if (!sources.join(operands, set))
        return std::nullopt;
    }
    for (ValueId id : op.results)
      sources.setOfValue[id.index()] = set;
  }
  return sources;
}
