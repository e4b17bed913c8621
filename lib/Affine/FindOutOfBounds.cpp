//===- FindOutOfBounds.cpp - Pieces that leave their buffer -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SideForms.h"
#include "aoa/Affine/Cover.h"

#include <algorithm>

using namespace aoa::affine;

int64_t aoa::affine::findLastAddress(const PieceSet &set, Side side) {
  int64_t last = -1;
  FormCache<int64_t> reaches;
  for (const PieceSet::Entry &entry : set.entries()) {
    int64_t reach = reaches.get(entry.form, [&](PieceSet::Form form) {
      return reachOf(set, form, side);
    });
    if (reach >= 0)
      last = std::max(last, offsetOf(entry, side) + reach);
  }
  return last;
}

std::optional<size_t> aoa::affine::findOutOfBounds(const PieceSet &set,
                                                   Side side,
                                                   int64_t numElements) {
  FormCache<int64_t> reaches;
  for (size_t i = 0; i < set.size(); ++i) {
    const PieceSet::Entry &entry = set.entries()[i];
    int64_t reach = reaches.get(entry.form, [&](PieceSet::Form form) {
      return reachOf(set, form, side);
    });
    if (reach >= 0 && offsetOf(entry, side) + reach >= numElements)
      return i;
  }
  return std::nullopt;
}
