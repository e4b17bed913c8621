//===- Split.h - One piece cut into several ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   split([5], dim 0, cuts {2, 3})  →  [2], [1], [2]
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_SPLIT_H
#define AOA_AFFINE_SPLIT_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine {

/// Splits `piece` at every boundary in `cuts` along `dim`, in order. The
/// results cover exactly the elements of `piece`, each once. Requires `cuts`
/// sorted and strictly inside the piece. Cost: one piece per cut.
llvm::SmallVector<Piece> split(const Piece &piece, unsigned dim,
                               llvm::ArrayRef<int64_t> cuts);

} // namespace aoa::affine

#endif // AOA_AFFINE_SPLIT_H
