//===- Cover.h - The laws of sets of pieces, with witnesses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a conversion must not break: every element written, none twice, nothing
// outside of its buffer. Proved on boxes and intervals, never element by
// element. A witness is one address and the pieces that meet there. Buffers
// have fewer than 2^62 elements.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_COVER_H
#define AOA_AFFINE_COVER_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine {

/// Whether views cover a space exactly once, and if not one witness.
struct Coverage {
  enum class Kind { Exact, Hole, Overlap, OutOfBounds };
  Kind kind = Kind::Exact;
  int64_t address = 0; ///< The element, unless Exact.
  size_t first = 0;    ///< Piece that holds it (Overlap, OutOfBounds).
  size_t second = 0;   ///< The other one (Overlap); may be `first` for a piece
                       ///< that holds an address twice.
  friend bool operator==(const Coverage &, const Coverage &) = default;
};

/// Proves that the views of `set` on `side` hold every address of a row-major
/// tensor of `shape` exactly once. Empty pieces count for nothing. The witness
/// is the smallest address that is wrong for OutOfBounds before Overlap before
/// Hole, or one of them where that would cost more. Cost: near-linear in the
/// pieces; linear where they are sorted cuts of one axis.
Coverage checkCover(const PieceSet &set, Side side,
                    llvm::ArrayRef<int64_t> shape);

/// The same for a space that is the union of the views of `space` on
/// `spaceSide`, which are disjoint: what padding leaves of a shard. An address
/// in none of them is OutOfBounds.
Coverage checkCover(const PieceSet &set, Side side, const PieceSet &space,
                    Side spaceSide);

/// Proves that no address on `side` is held twice, within [0, numElements);
/// holes are fine. Kinds: Exact, Overlap, OutOfBounds.
Coverage checkDisjoint(const PieceSet &set, Side side, int64_t numElements);

/// Proves that every address in [0, numElements) is held on `side`, however
/// often: a source covers its tensor. Kinds: Exact, Hole, OutOfBounds.
Coverage checkHeld(const PieceSet &set, Side side, int64_t numElements);

/// Returns the first piece with an address outside of [0, numElements) on
/// `side`, if any. Cost: linear.
std::optional<size_t> findOutOfBounds(const PieceSet &set, Side side,
                                      int64_t numElements);

} // namespace aoa::affine

#endif // AOA_AFFINE_COVER_H
