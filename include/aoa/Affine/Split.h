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

/// Returns elements [begin, end) of a row-major block of `shape`, counted
/// row-major, as boxes: offsets and shapes in index space. At most
/// 2·rank − 1 boxes, in order; ranges of whole rows are one. Requires
/// 0 <= begin <= end <= number of elements.
struct RangeBox {
  Extents offset, shape;
};
llvm::SmallVector<RangeBox> boxesOfRange(llvm::ArrayRef<int64_t> shape,
                                         int64_t begin, int64_t end);

} // namespace aoa::affine

#endif // AOA_AFFINE_SPLIT_H
