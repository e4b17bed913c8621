//===- OpRelation.h - Which elements an operation makes of which -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0
//
// The one rule for where operations take elements from: lowering composes these
// pieces, and who follows single elements through a program uses the same ones.
//
//   merge a [2, 4], b [1, 4] -> c [3, 4], axis 0
//     →  operand 0: piece [2, 4] a{0 : 4, 1} c{0 : 4, 1}
//        operand 1: piece [1, 4] b{0 : 4, 1} c{8 : 4, 1}
//===----------------------------------------------------------------------===//
#ifndef AOA_TRANSFORMS_OPRELATION_H
#define AOA_TRANSFORMS_OPRELATION_H

#include "aoa/IR/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace aoa {

/// Called with the number of a result, the number of an operand, and pieces
/// whose src are elements of that operand and whose dst are elements of that
/// result, both whole and row-major.
using VisitOperandPiece = llvm::function_ref<void(
    unsigned result, unsigned operand, const affine::Piece &piece)>;

/// Calls `visit` for the pieces of `op`, by results and then by operands: every
/// element of every result is in one of them, once. Several elements may come
/// from one (src strides of 0), elements of an operand may go nowhere; pieces
/// may be empty. What takes no elements from operands (Source, Fill, Add) has
/// no pieces, and neither has what only looks at them (Compare, Remove). Cost:
/// linear in operands and results.
void forEachOperandPiece(const ir::Program &program, const ir::Op &op,
                         VisitOperandPiece visit);

} // namespace aoa

#endif // AOA_TRANSFORMS_OPRELATION_H
