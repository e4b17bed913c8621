//===- Box.cpp - Boxes of a dense index space -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Box.h"

#include <algorithm>
#include <cassert>

using namespace aoa::affine;

int64_t Box::numElements() const {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

Box aoa::affine::wholeBox(llvm::ArrayRef<int64_t> shape) {
  return {Extents(shape.size(), 0), Extents(shape.begin(), shape.end())};
}

std::optional<Box> aoa::affine::intersect(const Box &a, const Box &b) {
  assert(a.rank() == b.rank() && "boxes of one index space");
  Box common;
  for (unsigned i = 0; i < a.rank(); ++i) {
    int64_t begin = std::max(a.offset[i], b.offset[i]);
    int64_t end = std::min(a.offset[i] + a.shape[i], b.offset[i] + b.shape[i]);
    if (begin >= end)
      return std::nullopt;
    common.offset.push_back(begin);
    common.shape.push_back(end - begin);
  }
  return common;
}

std::vector<Box> aoa::affine::subtract(const Box &a, const Box &b) {
  std::optional<Box> common = intersect(a, b);
  if (!common)
    return {a};
  std::vector<Box> rest;
  // What is left of `a` shrinks to the common part axis by axis; the slabs that
  // fall off on both sides are the result.
  Box core = a;
  for (unsigned i = 0; i < a.rank(); ++i) {
    int64_t before = common->offset[i] - core.offset[i];
    int64_t after = core.shape[i] - before - common->shape[i];
    if (before > 0) {
      Box slab = core;
      slab.shape[i] = before;
      rest.push_back(std::move(slab));
    }
    if (after > 0) {
      Box slab = core;
      slab.offset[i] = common->offset[i] + common->shape[i];
      slab.shape[i] = after;
      rest.push_back(std::move(slab));
    }
    core.offset[i] = common->offset[i];
    core.shape[i] = common->shape[i];
  }
  return rest;
}
