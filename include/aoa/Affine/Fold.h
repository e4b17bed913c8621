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

/// Folds `set` to its canonical form, tag by tag: deterministic, idempotent,
/// the same for every order of the pieces and for every way to cut them along
/// their dimensions. Two ways to fold are tried (neighbours joined before
/// stacking, and after) and the shorter result kept. Every piece of the result
/// is as foldDims leaves it; they are sorted by dst offset, then src offset,
/// form and tag. Requires that no two pieces of a tag hold one dst address.
/// Cost: near-linear in the pieces.
void fold(PieceSet &set);

/// The same for pieces of one tag.
std::vector<Piece> fold(std::vector<Piece> pieces);

} // namespace aoa::affine

#endif // AOA_AFFINE_FOLD_H
