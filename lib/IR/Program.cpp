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

CastChainId Program::internCasts(llvm::ArrayRef<DType> chain) {
  std::string key(chain.size(), '\0');
  for (size_t i = 0; i != chain.size(); ++i)
    key[i] = static_cast<char>(chain[i]);
  auto [entry, isNew] =
      castChainIndex.try_emplace(std::move(key), castChains.size());
  if (isNew)
    castChains.emplace_back(chain.begin(), chain.end());
  return CastChainId(entry->second);
}

CastChainId Program::appendCast(CastChainId chain, DType from, DType to) {
  llvm::SmallVector<DType, 4> casts;
  if (chain.isNone())
    casts.push_back(from);
  else
    casts.append(castChains[chain.index()].begin(),
                 castChains[chain.index()].end());
  assert(casts.back() == from && "the chain ends where the cast starts");
  casts.push_back(to);
  return internCasts(casts);
}
