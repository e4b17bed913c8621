//===- BoxMap.cpp - Boxes of one tensor as boxes of another -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Box.h"

#include <cassert>

using namespace aoa::affine;

Box BoxMap::src() const {
  Box box{srcOffset, Extents(srcOffset.size(), 0)};
  for (unsigned i = 0; i < perm.size(); ++i)
    box.shape[perm[i]] = dst.shape[i];
  return box;
}

BoxMap aoa::affine::identityMap(llvm::ArrayRef<int64_t> shape) {
  BoxMap map;
  map.dst = wholeBox(shape);
  map.srcOffset.assign(shape.size(), 0);
  for (unsigned i = 0; i < shape.size(); ++i)
    map.perm.push_back(i);
  return map;
}

std::optional<BoxMap> aoa::affine::restrictDst(const BoxMap &map,
                                               const Box &dst) {
  std::optional<Box> common = intersect(map.dst, dst);
  if (!common)
    return std::nullopt;
  BoxMap part = map;
  for (unsigned i = 0; i < map.perm.size(); ++i)
    part.srcOffset[map.perm[i]] += common->offset[i] - map.dst.offset[i];
  part.dst = std::move(*common);
  return part;
}

std::optional<BoxMap> aoa::affine::restrictSrc(const BoxMap &map,
                                               const Box &src) {
  std::optional<Box> common = intersect(map.src(), src);
  if (!common)
    return std::nullopt;
  BoxMap part = map;
  for (unsigned i = 0; i < map.perm.size(); ++i) {
    unsigned axis = map.perm[i];
    part.dst.offset[i] += common->offset[axis] - map.srcOffset[axis];
    part.dst.shape[i] = common->shape[axis];
  }
  part.srcOffset = std::move(common->offset);
  return part;
}
