//===- Compose.h - One relation after another -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   aToB  piece [4, 2]  a{0 : 2, 1}  b{1 : 4, 1}     b: columns 1-2 of [4, 4]
//   bToC  piece [2, 4]  b{0 : 4, 1}  c{0 : 1, 2}     b: rows 0-1, transposed
//     →   piece [2, 2]  a{0 : 1, 2}  c{2 : 2, 1}
//
// The pairs (a, c) for which there is a b with (a, b) in the one and (b, c) in
// the other relation. Views of b are boxes of digits (Digits.h): folded pieces
// are composed as they are where their strides nest.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_COMPOSE_H
#define AOA_AFFINE_COMPOSE_H

#include "aoa/Affine/PieceSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace aoa::affine {

/// Makes the tag of a composed piece from those of its two parents.
using CombineTags =
    llvm::function_ref<PieceSet::Tag(PieceSet::Tag, PieceSet::Tag)>;

struct ComposeOptions {
  /// More pieces than this are refused before they are made.
  int64_t maxPieces = INT64_MAX;
};

/// Composes two sets: src of the result is src of `aToB`, dst is dst of `bToC`.
/// No element of the result is there twice that is not given twice by the
/// parents. Pieces come in a defined order that depends on the sets alone
/// (where both are cut digit by digit, that of the middle buffer's addresses);
/// they are not folded, but dimensions are (foldDims). Requires checked pieces,
/// and no stride 0 on the dst side of `aToB` (on src sides there may be: what
/// is read again and again). Fails with Limit (see options). Cost: near-linear
/// in both sets and the result; linear where both are sorted cuts of one axis.
Expected<PieceSet> compose(const PieceSet &aToB, const PieceSet &bToC,
                           CombineTags combine,
                           const ComposeOptions &options = {});

/// The same for two pieces: calls `visit` for each piece of the result. Made
/// for many calls: no allocation where both are boxes of one tensor.
void compose(const Piece &aToB, const Piece &bToC,
             llvm::function_ref<void(const Piece &)> visit);

/// How many pieces compose would return, or `limit` if that is less. Allocates
/// nothing that grows with the result.
int64_t countComposed(const PieceSet &aToB, const PieceSet &bToC,
                      int64_t limit = INT64_MAX);

} // namespace aoa::affine

#endif // AOA_AFFINE_COMPOSE_H
