//===- Subtract.cpp - The part of a set outside of a region -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxRemains.h"
#include "aoa/Affine/Intersect.h"

using namespace aoa::affine;

PieceSet aoa::affine::subtract(const PieceSet &set, Side side,
                               const PieceSet &region, Side regionSide) {
  Digits digits = Digits::ofViews({{&set, side}, {&region, regionSide}});
  BoxList boxes(region, regionSide, digits);
  BoxTree tree(boxes);
  BoxRemains remains(set, side, tree, digits);
  PieceSet result;
  for (size_t i = 0; i < set.size(); ++i)
    remains.add(i, UINT32_MAX, result);
  return result;
}
