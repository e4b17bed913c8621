//===- Fold.h - The canonical form of a set of pieces -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Fewer pieces for the same relation: neighbours joined, blocks whose offsets
// form an arithmetic progression on both sides stacked into one piece with one
// more dimension, repeatedly.
//
//   [4] src{0 : 1} dst{0 : 1}, [4] src{8 : 1} dst{4 : 1}, [4] src{16 : 1} …
//     →  [3, 4] src{0 : 8, 1} dst{0 : 4, 1}
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_FOLD_H
#define AOA_AFFINE_FOLD_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine {

/// Folds `set` to its canonical form, tag by tag. Several ways are tried
/// (neighbours joined before stacking, and after; along small steps first, and
/// large ones) and the shortest result kept. Every piece of the result is as
/// foldDims leaves it; they are sorted by dst offset, then src offset, form and
/// tag. Requires that no two pieces of a tag hold one dst address.
///
/// Always: the same relation; the same result for every order of the pieces.
///
/// Where the pieces of a tag make no more than 4096 runs (as many dst addresses
/// in a row as make equal src steps; single elements elsewhere), the result
/// depends on the relation alone: however it was cut, and every stride lost by
/// cuts that are one index thin. Larger ones fold along the steps that their
/// pieces show: unions of boxes of one tensor under one map come back from any
/// cuts that leave each step to some piece; what else can happen, that fold of
/// a result differs from it included, is rare, never wrong.
///
/// Not claimed: the fewest pieces there could be. A clever cut of small
/// scattered blocks can be shorter than the canonical one.
///
/// Cost: linear where a tag has one piece, or two that lie apart, or one
/// progression in order; near-linear otherwise, whatever the extents.
void fold(PieceSet &set);

} // namespace aoa::affine

#endif // AOA_AFFINE_FOLD_H
