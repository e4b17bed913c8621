//===- PieceBudget.cpp - Refusing plans that would never end ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "PieceBudget.h"

#include "FaultPlace.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Transforms/ShardPieces.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

#include <set>

using namespace aoa;
using namespace aoa::ir;

/// Says how shards cut a tensor: `65536 shards, 65536 parts of dimension 0`.
static std::string describeCut(const ShardList &shards, size_t rank) {
  std::string text = std::to_string(shards.size()) +
                     (shards.size() == 1 ? " shard" : " shards");
  const char *separator = ": ";
  for (size_t dim = 0; dim < rank; ++dim) {
    std::set<int64_t> begins;
    for (const Shard &shard : shards)
      for (const Block &block : shard.blocks)
        begins.insert(block.fullOffset[dim]);
    if (begins.size() < 2)
      continue;
    text += separator + std::to_string(begins.size()) + " parts of dimension " +
            std::to_string(dim);
    separator = ", ";
  }
  return text;
}

bool PieceBudget::refuse(const Result &result) {
  const Value &value = program.value(result.value);
  size_t numSourceShards = 0;
  for (ValueId source : result.slots)
    numSourceShards += shardsOf(program.storedValue(source)).size();
  Diagnostic diagnostic = errorAt(
      diag::TooManyPieces, program.definition(result.value), context.script,
      "with `" + result.name + "` " + formatShape(value.shape) +
          " the plan has more pieces than the " +
          std::to_string(context.maxPieces) + " of --max-pieces: " +
          std::to_string(numSourceShards) + " source shards meet " +
          std::to_string(result.shards.size()) + " target shards");
  if (!result.slots.empty()) {
    StoredValue stored = program.storedValue(result.slots.front());
    diagnostic.notes.push_back(
        {{},
         "the source holds `" + stored.name.str() + "` in " +
             describeCut(shardsOf(stored), stored.shape.size())});
  }
  diagnostic.notes.push_back(
      {{},
       "the target holds `" + result.name + "` in " +
           describeCut(result.shards, value.shape.size())});
  context.sink.report(std::move(diagnostic));
  return false;
}

bool PieceBudget::allowComposing(const Result &result,
                                 const affine::PieceSet &toResult,
                                 const affine::PieceSet &targets) {
  int64_t left = context.maxPieces - numPieces;
  // What cannot exceed the budget need not be counted.
  std::optional<int64_t> most =
      checkedMul(static_cast<int64_t>(toResult.size()),
                 static_cast<int64_t>(targets.size()));
  return (most && *most <= left) ||
         affine::countComposed(toResult, targets, left + 1) <= left ||
         refuse(result);
}

bool PieceBudget::allowInstance(const Result &result) {
  spend(program.classes[result.layoutClass.index()]);
  return numPieces <= context.maxPieces || refuse(result);
}
