//===- Piece.h - One block of elements seen through two views ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A strided view is what `as_strided` takes: {offset : strides} over a flat
// buffer, in elements. A piece is a block seen through two views of one shape:
//
//   piece [8, 128]  src{0 : 256, 1}  dst{0 : 128, 1}
//
// Element i of the block is src.offset + Σ i·src.strides on one side and
// dst.offset + Σ i·dst.strides on the other.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_PIECE_H
#define AOA_AFFINE_PIECE_H

#include "aoa/Affine/Box.h"
#include "llvm/Support/raw_ostream.h"

namespace aoa::affine {

struct StridedView {
  int64_t offset = 0;
  Extents strides;
  friend bool operator==(const StridedView &, const StridedView &) = default;
};

struct Piece {
  Extents shape;
  StridedView src;
  StridedView dst;

  int64_t numElements() const;
  friend bool operator==(const Piece &, const Piece &) = default;
};

/// Prints `piece [8, 128] NAME{0 : 256, 1} NAME{0 : 128, 1}`.
void print(llvm::raw_ostream &os, const Piece &piece, llvm::StringRef srcName,
           llvm::StringRef dstName);

/// Folds one piece: dimensions of extent 1 dropped, neighbours merged where
/// both views continue, the rest ordered by dst stride, largest first. Same
/// relation, fewest dimensions. Cost: O(d log d).
Piece foldDims(const Piece &piece);

/// Folds a set: each piece by foldDims, then pieces that differ only in offsets
/// which form an arithmetic progression on both sides stacked into one with one
/// more dimension, repeatedly. Pieces must belong to one pair of buffers and
/// element operations. Deterministic, sorted by dst offset. Cost: O(n log n) a
/// round.
std::vector<Piece> fold(std::vector<Piece> pieces);

} // namespace aoa::affine

#endif // AOA_AFFINE_PIECE_H
