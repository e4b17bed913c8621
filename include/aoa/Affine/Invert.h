//===- Invert.h - The two sides of a relation exchanged ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AFFINE_INVERT_H
#define AOA_AFFINE_INVERT_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine {

/// Returns the pairs (y, x) for all (x, y) of `piece`: src and dst exchanged.
Piece invert(Piece piece);
/// The same for a set; order and tags stay. Cost: linear.
PieceSet invert(const PieceSet &set);

} // namespace aoa::affine

#endif // AOA_AFFINE_INVERT_H
