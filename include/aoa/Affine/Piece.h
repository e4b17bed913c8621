//===- Piece.h - One block of elements seen through two views ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A piece is a block seen through two views of one shape:
//
//   piece [8, 128]  src{0 : 256, 1}  dst{0 : 128, 1}
//
// Element i of the block is src.offset + Σ i·src.strides on one side and
// dst.offset + Σ i·dst.strides on the other. As a relation it is the set of the
// pairs (src address, dst address) of its elements. Permuting, slicing,
// stacking, interleaving and sharding are all pieces; they differ in numbers.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_PIECE_H
#define AOA_AFFINE_PIECE_H

#include "aoa/Affine/StridedView.h"
#include "aoa/Support/Error.h"

namespace aoa::affine {

enum class Side : uint8_t { Src, Dst };

struct Piece {
  Extents shape;
  StridedView src;
  StridedView dst;

  unsigned rank() const { return shape.size(); }
  bool isEmpty() const;
  int64_t numElements() const;
  const StridedView &view(Side side) const {
    return side == Side::Src ? src : dst;
  }
  friend bool operator==(const Piece &, const Piece &) = default;
};

/// Returns the piece that takes a whole row-major tensor to itself.
Piece identityPiece(llvm::ArrayRef<int64_t> shape);

/// Prints `piece [8, 128] NAME{0 : 256, 1} NAME{0 : 128, 1}`.
void print(llvm::raw_ostream &os, const Piece &piece, llvm::StringRef srcName,
           llvm::StringRef dstName);

/// Checks what every operation of this library requires of a piece that comes
/// from outside: one extent and two strides a dimension, nothing negative, and
/// on both sides every address, and the number of elements, below 2^62: sums of
/// two such numbers do not overflow, so operations on checked pieces cannot.
/// Fails with the piece and the side.
Expected<void> checkPiece(const Piece &piece);

/// Folds one piece: dimensions of extent 1 dropped, neighbours merged where
/// both views continue, the rest ordered by dst stride, largest first. Same
/// relation, fewest dimensions. An empty piece becomes [0]. Cost: O(d log d).
Piece foldDims(const Piece &piece);

} // namespace aoa::affine

#endif // AOA_AFFINE_PIECE_H
