//===- OpRelation.cpp - Which elements an operation makes of which --------===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/OpRelation.h"

#include "aoa/Affine/Invert.h"
#include "aoa/Primitives/Primitives.h"

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
bool addsAxis(const Op &op) {
  return op.kind == OpKind::Stack || op.kind == OpKind::Unstack;
}

/// A part of the tensor that is cut or joined, which begins at `begin`.
Piece partPiece(const Op &op, llvm::ArrayRef<int64_t> whole,
                llvm::ArrayRef<int64_t> part, int64_t begin) {
  if (addsAxis(op))
    return primitives::slicePiece(whole, op.axis, begin, 1);
  if (op.groups == 1)
    return primitives::slicePiece(whole, op.axis, begin, part[op.axis]);
  return primitives::groupedSlicePiece(whole, op.axis, op.groups, begin,
                                       part[op.axis] / op.groups);
}

/// How far the next part begins behind this one.
int64_t extentOfPart(const Op &op, llvm::ArrayRef<int64_t> part) {
  return addsAxis(op) ? 1 : part[op.axis] / op.groups;
}
} // namespace

void aoa::forEachOperandPiece(const Program &program, const Op &op,
                              VisitOperandPiece visit) {
  auto shapeOf = [&](ValueId value) -> llvm::ArrayRef<int64_t> {
    return program.value(value).shape;
  };
  switch (op.kind) {
  case OpKind::Source:
  case OpKind::Fill:
  case OpKind::Add:
  case OpKind::Compare:
  case OpKind::Remove:
    return;
  case OpKind::Rename:
  case OpKind::Reshape: // The same elements in the same order.
  case OpKind::Cast:
  case OpKind::Scale:
  case OpKind::Plus:
    visit(0, 0, foldDims(identityPiece(shapeOf(op.results[0]))));
    return;
  case OpKind::Merge:
  case OpKind::Stack: {
    int64_t at = 0;
    for (unsigned operand = 0; operand < op.operands.size(); ++operand) {
      llvm::ArrayRef<int64_t> part = shapeOf(op.operands[operand]);
      visit(0, operand,
            invert(partPiece(op, shapeOf(op.results[0]), part, at)));
      at += extentOfPart(op, part);
    }
    return;
  }
  case OpKind::Split:
  case OpKind::Unstack: {
    int64_t at = 0;
    for (unsigned result = 0; result < op.results.size(); ++result) {
      llvm::ArrayRef<int64_t> part = shapeOf(op.results[result]);
      visit(result, 0, partPiece(op, shapeOf(op.operands[0]), part, at));
      at += extentOfPart(op, part);
    }
    return;
  }
  case OpKind::Pad: {
    llvm::ArrayRef<int64_t> inner = shapeOf(op.operands[0]);
    llvm::ArrayRef<int64_t> shape = shapeOf(op.results[0]);
    visit(0, 0, invert(primitives::boxPiece(shape, op.begin, inner)));
    for (const Piece &around : primitives::aroundBox(shape, op.begin, inner))
      visit(0, 1, around);
    return;
  }
  case OpKind::Transpose:
    visit(0, 0, primitives::transposePiece(shapeOf(op.operands[0]), op.perm));
    return;
  case OpKind::Rearrange:
    visit(0, 0, primitives::transposePiece(op.shape, op.perm));
    return;
  case OpKind::Slice:
    visit(0, 0,
          primitives::boxPiece(shapeOf(op.operands[0]), op.begin,
                               shapeOf(op.results[0])));
    return;
  case OpKind::Repeat:
    visit(0, 0,
          primitives::repeatPiece(shapeOf(op.operands[0]), op.axis, op.count,
                                  op.block));
    return;
  case OpKind::Dedup:
    visit(0, 0,
          primitives::dedupPiece(shapeOf(op.operands[0]), op.axis, op.count,
                                 op.block));
    return;
  }
}
