//===- BoxToPiece.cpp - A box map as strided views --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/IR/BoxToPiece.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::affine;

static int64_t dot(llvm::ArrayRef<int64_t> offset,
                   llvm::ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (size_t i = 0; i != offset.size(); ++i)
    sum += offset[i] * strides[i];
  return sum;
}

Piece ir::toPiece(const BoxMap &map, llvm::ArrayRef<int64_t> srcShape,
                  llvm::ArrayRef<int64_t> dstShape) {
  assert(map.perm.size() == srcShape.size() &&
         map.perm.size() == dstShape.size() && "a box map keeps the rank");
  Extents srcStrides = rowMajorStrides(srcShape);
  Piece piece{map.dst.shape, {}, {}};
  piece.dst.strides = rowMajorStrides(dstShape);
  piece.dst.offset = dot(map.dst.offset, piece.dst.strides);
  piece.src.offset = dot(map.srcOffset, srcStrides);
  for (unsigned axis : map.perm)
    piece.src.strides.push_back(srcStrides[axis]);
  return piece;
}
