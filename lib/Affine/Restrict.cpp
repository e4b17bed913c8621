//===- Restrict.cpp - The part of a set within a region ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Intersect.h"

#include <cassert>

using namespace aoa;
using namespace aoa::affine;

/// Returns the relation that takes each address that `region` holds on `side`
/// to itself.
static PieceSet identityOn(const PieceSet &region, Side side) {
  PieceSet identity;
  identity.reserve(region.size());
  Extents shape, strides;
  for (size_t i = 0; i < region.size(); ++i) {
    PieceRef piece = region[i];
    shape.clear();
    strides.clear();
    for (unsigned dim = 0; dim < piece.rank(); ++dim) {
      // A repeat sees what is there already, unless it sees nothing.
      if (piece.strides(side)[dim] == 0 && piece.shape[dim] != 0)
        continue;
      shape.push_back(piece.shape[dim]);
      strides.push_back(piece.strides(side)[dim]);
    }
    identity.add(PieceRef{shape, strides, strides, piece.offset(side),
                          piece.offset(side), 0});
  }
  return identity;
}

PieceSet aoa::affine::restrict(const PieceSet &set, Side side,
                               const PieceSet &region, Side regionSide) {
  PieceSet identity = identityOn(region, regionSide);
  auto first = [](PieceSet::Tag a, PieceSet::Tag) { return a; };
  auto second = [](PieceSet::Tag, PieceSet::Tag b) { return b; };
  Expected<PieceSet> part = side == Side::Dst ? compose(set, identity, first)
                                              : compose(identity, set, second);
  assert(part && "without a limit it cannot be met");
  return std::move(*part);
}
