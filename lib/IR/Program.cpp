//===- Program.cpp - A conversion as a graph of primitives ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IR/Program.h"

using namespace aoa;
using namespace aoa::ir;

llvm::StringRef ir::keyword(OpKind kind) {
  switch (kind) {
  case OpKind::Source:
    return "source";
#define AOA_PRIMITIVE(NAME, KEYWORD, FORM, SUMMARY)                            \
  case OpKind::NAME:                                                           \
    return KEYWORD;
#include "aoa/Primitives/Primitives.def"
  }
  llvm_unreachable("all kinds are listed");
}

const Tensor &Program::sourceTensor(ValueId id) const {
  assert(definition(id).kind == OpKind::Source && "not a source's value");
  const Tensor *tensor = source->find(value(id).name);
  assert(tensor && "a source's value carries the tensor's name");
  return *tensor;
}

StoredValue Program::storedValue(ValueId id) const {
  if (isFill(id))
    return {value(id).name, value(id).dtype, {}, {}};
  const Tensor &tensor = sourceTensor(id);
  return {tensor.name, tensor.dtype, tensor.shape, tensor.shards};
}

ElementOpsId Program::internOps(const ElementOps &ops) {
  if (ops.isIdentity())
    return ElementOpsId::none();
  auto [entry, isNew] =
      opsIndex.try_emplace(format(ops), ElementOpsId(elementOps.size()));
  if (isNew)
    elementOps.push_back(ops);
  return entry->second;
}

ElementOps Program::opsOf(ElementOpsId id, DType from) const {
  return id.isNone() ? ElementOps{from, {}} : elementOps[id.index()];
}

affine::PieceSet::Tag Program::internOrigin(const Origin &origin) {
  auto [entry, isNew] = originIndex.try_emplace(origin, origins.size());
  if (isNew)
    origins.push_back(origin);
  return entry->second;
}

int64_t LayoutClass::numPieces() const {
  int64_t count = 0;
  for (const affine::PieceSet &shard : shards)
    count += static_cast<int64_t>(shard.size());
  return count;
}
