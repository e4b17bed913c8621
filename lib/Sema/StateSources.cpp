//===- StateSources.cpp - What each value is made of ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StateSources.h"

#include "llvm/ADT/DenseMap.h"
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

std::optional<StateSources>
StateSources::of(const ir::Program &program,
                 llvm::ArrayRef<const ast::Statement *> ties) {
  StateSources sources;
  sources.setOfValue.resize(program.values.size());
  // What each tie has compared with the tensor that it takes.
  llvm::DenseMap<const ast::Statement *, llvm::SmallVector<ValueId, 2>> tied;
  for (auto [index, op] : llvm::enumerate(program.ops)) {
    const ast::Statement *tie = index < ties.size() ? ties[index] : nullptr;
    if (tie && op.kind == OpKind::Compare)
      tied[tie].push_back(op.operands.back());
    if (op.results.empty())
      continue;
    SetId set;
    if (op.operands.empty()) {
      set = SetId(sources.sets.size());
      sources.sets.push_back({op.results.front()});
      ++sources.numElements;
    } else {
      llvm::SmallVector<ValueId, 4> operands(op.operands.begin(),
                                             op.operands.end());
      if (op.kind == OpKind::Pad)
        operands.truncate(1);
      if (tie)
        llvm::append_range(operands, tied.lookup(tie));
      if (!sources.join(operands, set))
        return std::nullopt;
    }
    for (ValueId id : op.results)
      sources.setOfValue[id.index()] = set;
  }
  return sources;
}
