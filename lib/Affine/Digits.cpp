//===- Digits.cpp - Addresses as numbers of a mixed radix -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Digits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>
#include <vector>

using namespace aoa::affine;

using Views = llvm::ArrayRef<std::pair<const PieceSet *, Side>>;

/// Calls `visit(extent, stride, form)` for each dimension that moves on the
/// side its set is seen from.
template <typename Visit>
static void forEachDim(const PieceSet &set, Side side, Visit visit) {
  for (PieceSet::Form form = 0; form < set.numForms(); ++form) {
    llvm::ArrayRef<int64_t> shape = set.shapeOf(form);
    llvm::ArrayRef<int64_t> strides = set.stridesOf(form, side);
    if (llvm::is_contained(shape, 0))
      continue;
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (shape[dim] > 1 && strides[dim] > 0)
        visit(shape[dim], strides[dim], form);
  }
}

Digits Digits::ofShape(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 8> strides;
  Extents rowMajor = rowMajorStrides(shape);
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] > 1)
      strides.push_back(rowMajor[dim]);
  if (strides.empty())
    strides.push_back(1);
  return Digits(std::move(strides));
}

/// Returns how many views would be made by peeling the dimensions of each of
/// `strides` (sorted, largest first).
static std::vector<double> costsOfPeeling(Views sets,
                                          llvm::ArrayRef<int64_t> strides) {
  std::vector<double> costs(strides.size());
  for (auto [set, side] : sets) {
    std::vector<double> numPieces(set->numForms());
    for (const PieceSet::Entry &entry : set->entries())
      numPieces[entry.form] += 1;
    forEachDim(*set, side, [&](int64_t extent, int64_t stride, auto form) {
      auto *at = std::lower_bound(strides.begin(), strides.end(), stride,
                                  std::greater<int64_t>());
      costs[at - strides.begin()] +=
          static_cast<double>(extent) * numPieces[form];
    });
  }
  return costs;
}

/// Returns those of `strides` that nest, the costliest to peel first chosen.
static llvm::SmallVector<int64_t, 8>
chooseNesting(Views sets, llvm::ArrayRef<int64_t> strides) {
  std::vector<double> costs = costsOfPeeling(sets, strides);
  std::vector<unsigned> order(strides.size());
  for (unsigned i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return costs[a] != costs[b] ? costs[a] > costs[b] : a < b;
  });
  llvm::SmallVector<int64_t, 8> chosen = {1};
  for (unsigned i : order) {
    int64_t stride = strides[i];
    // Larger ones stand before `at`.
    auto *at = std::lower_bound(chosen.begin(), chosen.end(), stride,
                                std::greater<int64_t>());
    if (at != chosen.end() && *at == stride)
      continue;
    bool nests = (at == chosen.begin() || at[-1] % stride == 0) &&
                 (at == chosen.end() || stride % *at == 0);
    if (nests)
      chosen.insert(at, stride);
  }
  return chosen;
}

std::optional<Digits> Digits::ofNesting(llvm::ArrayRef<int64_t> strides) {
  llvm::SmallVector<int64_t, 8> sorted = {1};
  // Insertion: strides mostly come sorted, and few.
  for (int64_t stride : strides) {
    size_t at = 0;
    while (sorted[at] > stride)
      ++at;
    if (sorted[at] == stride)
      continue;
    if (stride % sorted[at] != 0 || (at > 0 && sorted[at - 1] % stride != 0))
      return std::nullopt;
    sorted.insert(sorted.begin() + at, stride);
  }
  return Digits(std::move(sorted));
}

Digits Digits::ofViews(Views sets) {
  std::vector<int64_t> strides;
  size_t numSorted = 0;
  auto sortStrides = [&] {
    llvm::sort(strides, std::greater<int64_t>());
    strides.erase(llvm::unique(strides), strides.end());
    numSorted = strides.size();
  };
  for (auto [set, side] : sets)
    forEachDim(*set, side, [&](int64_t, int64_t stride, auto) {
      if (!strides.empty() && strides.back() == stride)
        return;
      strides.push_back(stride);
      // Forms repeat each other's strides: the list stays short.
      if (strides.size() > 2 * numSorted + 64)
        sortStrides();
    });
  sortStrides();
  if (std::optional<Digits> digits = ofNesting(strides))
    return *digits;
  return Digits(chooseNesting(sets, strides));
}

bool Digits::holdAll(Views sets) const {
  bool all = true;
  for (auto [set, side] : sets)
    forEachDim(*set, side, [&](int64_t, int64_t stride, auto) {
      all = all && llvm::is_contained(strides, stride);
    });
  return all;
}

void Digits::digitsOf(int64_t address,
                      llvm::MutableArrayRef<int64_t> digits) const {
  assert(digits.size() == strides.size() && "one number a digit");
  for (unsigned i = 0; i + 1 < strides.size(); ++i) {
    digits[i] = address / strides[i];
    address -= digits[i] * strides[i];
  }
  digits.back() = address;
}
