//===- Split.cpp - One piece cut at planes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Split.h"

#include <cassert>

using namespace aoa::affine;

llvm::SmallVector<Piece> aoa::affine::split(const Piece &piece, unsigned dim,
                                            llvm::ArrayRef<int64_t> cuts) {
  assert(dim < piece.rank() && "a dimension of the piece");
  llvm::SmallVector<Piece> parts;
  parts.reserve(cuts.size() + 1);
  int64_t begin = 0;
  auto addPart = [&](int64_t end) {
    assert(begin <= end && "cuts are sorted and inside the piece");
    Piece part = piece;
    part.shape[dim] = end - begin;
    part.src.offset += begin * part.src.strides[dim];
    part.dst.offset += begin * part.dst.strides[dim];
    parts.push_back(std::move(part));
    begin = end;
  };
  for (int64_t cut : cuts)
    addPart(cut);
  addPart(piece.shape[dim]);
  return parts;
}
