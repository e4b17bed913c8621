//===- BoxToPiece.h - A box map as strided views ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Boxes live in index spaces, pieces in flat buffers. Where both tensors lie
// row-major, a box map is exactly one piece:
//
//   dst box {[0, 0], [2, 1]}, src offset [1, 0], perm [1, 0],
//   src [2, 2], dst [2, 1]
//     →  piece [2, 1]  src{2 : 1, 2}  dst{0 : 1, 1}
//===----------------------------------------------------------------------===//
#ifndef AOA_IR_BOXTOPIECE_H
#define AOA_IR_BOXTOPIECE_H

#include "aoa/Affine/Box.h"
#include "aoa/Affine/Piece.h"

namespace aoa::ir {

using affine::rowMajorStrides;

/// Returns the piece of `map` between two row-major tensors. The dimensions are
/// those of the destination box, unfolded. Requires boxes inside the shapes,
/// whose sizes fit in int64_t.
affine::Piece toPiece(const affine::BoxMap &map,
                      llvm::ArrayRef<int64_t> srcShape,
                      llvm::ArrayRef<int64_t> dstShape);

} // namespace aoa::ir

#endif // AOA_IR_BOXTOPIECE_H
