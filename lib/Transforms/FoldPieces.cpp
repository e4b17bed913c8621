//===- FoldPieces.cpp - The fewest pieces of every class --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "PieceBudget.h"
#include "aoa/Affine/Fold.h"
#include "aoa/Transforms/Pass.h"

using namespace aoa;
using namespace aoa::ir;

void aoa::foldPieces(Program &program, PassContext &context) {
  for (LayoutClass &layoutClass : program.classes)
    for (affine::PieceSet &shard : layoutClass.shards)
      affine::fold(shard);
  PieceBudget budget(program, context);
  for (const Result &result : program.results)
    if (!result.layoutClass.isNone() && !budget.allowInstance(result))
      return;
}
