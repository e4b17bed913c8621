//===- RankSets.cpp - Sets of ranks, each stored once -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Holders.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <functional>

using namespace aoa::affine;

RankSetId RankSets::intern(llvm::ArrayRef<uint32_t> ranks) {
  assert(std::adjacent_find(ranks.begin(), ranks.end(),
                            std::greater_equal<>()) == ranks.end() &&
         "ascending ranks");
  uint64_t hash = llvm::hash_combine_range(ranks.begin(), ranks.end());
  auto [begin, end] = byHash.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (llvm::ArrayRef(all[known->second.index()]) == ranks)
      return known->second;
  RankSetId id(all.size());
  all.push_back(ranks.vec());
  byHash.emplace(hash, id);
  return id;
}

void aoa::affine::printRanks(llvm::raw_ostream &os,
                             llvm::ArrayRef<uint32_t> ranks) {
  os << '{';
  for (size_t i = 0; i != ranks.size();) {
    size_t last = i;
    while (last + 1 != ranks.size() && ranks[last + 1] == ranks[last] + 1)
      ++last;
    os << (i == 0 ? "" : ", ") << ranks[i];
    if (last != i)
      os << ".." << ranks[last];
    i = last + 1;
  }
  os << '}';
}
