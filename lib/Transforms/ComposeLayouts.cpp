//===- ComposeLayouts.cpp - From source shards to target shards -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// target ∘ script ∘ source⁻¹, once a layout class: the shards of each source
// tensor composed with the result's pieces of it, and what comes out with the
// shards of the target.
//===----------------------------------------------------------------------===//

#include "FaultPlace.h"
#include "PieceBudget.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Intersect.h"
#include "aoa/Affine/Invert.h"
#include "aoa/IR/ClassKey.h"
#include "aoa/Transforms/Pass.h"
#include "aoa/Transforms/ShardPieces.h"
#include "aoa/Transforms/TransformsDiagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
/// What the shards of a source hold, each element from one of them. A Fill is
/// one shard of one element.
class SourcePieces {
public:
  const PieceSet &of(const StoredValue &stored) {
    auto [entry, isNew] =
        known.try_emplace({stored.shards.identity(), Extents(stored.shape)});
    if (isNew)
      entry->second =
          keepFirst(shardPieces(shardsOf(stored), stored.shape), Side::Dst);
    return entry->second;
  }

private:
  std::map<std::pair<const void *, Extents>, PieceSet> known;
};

class Composer {
public:
  Composer(Program &program, const PassContext &context)
      : program(program), context(context), budget(program, context) {}

  void compose(Result &result);
  /// Whether the plan grew too large: then nothing more need be looked at.
  bool isStopped() const { return stopped; }

private:
  /// Makes the class of `result`; nothing after an error.
  std::optional<LayoutClass> makeClass(const Result &result);
  std::optional<LayoutClass> makeWholeClass(const Result &result);
  /// Composes the result's pieces with the source's shards. The tags of what is
  /// returned are the origins of `made`.
  std::optional<PieceSet> composeSources(const Result &result,
                                         LayoutClass &made);
  bool composeTargets(const Result &result, const PieceSet &toResult,
                      LayoutClass &made);
  void reportHole(const Result &result, ValueId source, const PieceSet &needed);

  Program &program;
  const PassContext &context;
  PieceBudget budget;
  SourcePieces sourcePieces;
  ShardGeometries geometries;
  std::unordered_map<std::string, LayoutClassId> classOf; ///< By key.
  bool stopped = false;
};

void Composer::compose(Result &result) {
  result.slots = slotsOf(program, result.pieces);
  std::string key = classKey(program, result, geometries);
  auto known = classOf.find(key);
  if (known == classOf.end()) {
    std::optional<LayoutClass> made =
        hasWholeBytes(program.value(result.value).dtype)
            ? makeClass(result)
            : makeWholeClass(result);
    if (!made)
      return; // Results of the same class have the same fault, and say so.
    known =
        classOf.emplace(std::move(key), LayoutClassId(program.classes.size()))
            .first;
    budget.spend(*made);
    program.classes.push_back(std::move(*made));
  }
  result.layoutClass = known->second;
  ++program.classes[known->second.index()].numResults;
}

std::optional<LayoutClass> Composer::makeClass(const Result &result) {
  LayoutClass made;
  std::optional<PieceSet> toResult = composeSources(result, made);
  if (!toResult || !composeTargets(result, *toResult, made))
    return std::nullopt;
  return made;
}

std::optional<PieceSet> Composer::composeSources(const Result &result,
                                                 LayoutClass &made) {
  // The result's pieces of each slot; tags: where the origins of the slot's
  // shards begin that get these operations.
  std::vector<PieceSet> bySlot(result.slots.size());
  std::map<std::pair<uint32_t, ElementOpsId>, uint32_t> firstOrigin;
  llvm::DenseMap<uint32_t, uint32_t> slotOf; // By source.
  for (auto [slot, source] : llvm::enumerate(result.slots))
    slotOf[source.index()] = slot;
  for (size_t i = 0; i < result.pieces.size(); ++i) {
    PieceRef piece = result.pieces[i];
    const Origin &origin = program.origins[piece.tag];
    uint32_t slot = slotOf.lookup(origin.source.index());
    auto [first, isNew] =
        firstOrigin.try_emplace({slot, origin.ops}, made.origins.size());
    if (isNew) {
      StoredValue stored = program.storedValue(origin.source);
      ShardList shards = shardsOf(stored);
      for (uint32_t shard = 0; shard < shards.size(); ++shard) {
        ElementOps ops{stored.dtype, {}};
        ops.divide(shards[shard].scale);
        ops.append(program.opsOf(origin.ops, stored.dtype));
        made.origins.push_back({slot, shard, program.internOps(ops)});
      }
    }
    piece.tag = first->second;
    bySlot[slot].add(piece);
  }

  PieceSet toResult;
  for (auto [slot, needed] : llvm::enumerate(bySlot)) {
    PieceSet part = *affine::compose(
        sourcePieces.of(program.storedValue(result.slots[slot])), needed,
        [](PieceSet::Tag shard, PieceSet::Tag first) { return first + shard; });
    if (part.numElements() != needed.numElements()) {
      reportHole(result, result.slots[slot], needed);
      return std::nullopt;
    }
    if (bySlot.size() == 1)
      return part;
    for (size_t i = 0; i < part.size(); ++i)
      toResult.add(part[i]);
  }
  return toResult;
}

void Composer::reportHole(const Result &result, ValueId source,
                          const PieceSet &needed) {
  StoredValue stored = program.storedValue(source);
  PieceSet missing =
      subtract(needed, Side::Src, sourcePieces.of(stored), Side::Dst);
  int64_t address = INT64_MAX;
  for (const PieceSet::Entry &entry : missing.entries())
    address = std::min(address, entry.srcOffset);
  context.sink.report(errorAt(
      diag::SourceHole, program.definition(result.value), context.script,
      "no shard of the source holds element " +
          formatShape(indexOf(address, stored.shape)) + " of `" +
          stored.name.str() + "`, which `" + result.name + "` is made of"));
}

bool Composer::composeTargets(const Result &result, const PieceSet &toResult,
                              LayoutClass &made) {
  const Value &value = program.value(result.value);
  PieceSet targets = invert(shardPieces(result.shards, value.shape));
  if (!budget.allowComposing(result, toResult, targets)) {
    stopped = true;
    return false;
  }

  // Each scale of target shards gets origins of its own.
  size_t numOrigins = made.origins.size();
  llvm::SmallVector<double, 1> scales;
  std::vector<uint32_t> scaleOf;
  for (const Shard &shard : result.shards) {
    auto *known = llvm::find(scales, shard.scale);
    scaleOf.push_back(known - scales.begin());
    if (known == scales.end())
      scales.push_back(shard.scale);
  }
  std::vector<StorageOrigin> unscaled = std::move(made.origins);
  made.origins.clear();
  for (double scale : scales)
    for (StorageOrigin origin : unscaled) {
      if (scale != 1) {
        DType from = program.value(result.slots[origin.slot]).dtype;
        ElementOps ops = program.opsOf(origin.ops, from);
        ops.multiply(scale);
        origin.ops = program.internOps(ops);
      }
      made.origins.push_back(origin);
    }

  // A tag that says both origin and target shard has 32 bits: as many shards at
  // a time as fit.
  made.shards.resize(result.shards.size());
  uint64_t step = numOrigins == 0 ? UINT32_MAX : UINT32_MAX / numOrigins;
  for (uint64_t begin = 0; begin < result.shards.size(); begin += step) {
    uint64_t end = std::min<uint64_t>(begin + step, result.shards.size());
    PieceSet some;
    const PieceSet *part = &targets;
    if (end - begin != result.shards.size()) {
      for (size_t i = 0; i < targets.size(); ++i)
        if (targets[i].tag >= begin && targets[i].tag < end)
          some.add(targets[i]);
      part = &some;
    }
    PieceSet composed = *affine::compose(
        toResult, *part, [&](PieceSet::Tag origin, PieceSet::Tag shard) {
          return static_cast<PieceSet::Tag>((shard - begin) * numOrigins +
                                            origin);
        });
    for (size_t i = 0; i < composed.size(); ++i) {
      PieceRef piece = composed[i];
      uint64_t shard = begin + piece.tag / numOrigins;
      piece.tag = piece.tag % numOrigins + scaleOf[shard] * numOrigins;
      made.shards[shard].add(piece);
    }
  }
  for (PieceSet &shard : made.shards)
    shard.shrinkToFit();
  return true;
}

std::optional<LayoutClass> Composer::makeWholeClass(const Result &result) {
  const Value &value = program.value(result.value);
  auto refuse = [&](const std::string &what) -> std::optional<LayoutClass> {
    context.sink.report(errorAt(
        diag::SubByteCut, program.definition(result.value), context.script,
        "`" + result.name + "` of " + std::string(nameOf(value.dtype)) + " " +
            formatShape(value.shape) + " " + what +
            ", but elements smaller than a byte are moved as whole tensors "
            "only"));
    return std::nullopt;
  };
  LayoutClass made;
  made.shards.resize(result.shards.size());
  if (result.pieces.empty())
    return made;
  Piece whole = foldDims(identityPiece(value.shape));
  StoredValue stored = program.storedValue(result.slots[0]);
  if (result.pieces.size() > 1 || result.pieces[0].piece() != whole ||
      whole.numElements() != identityPiece(stored.shape).numElements())
    return refuse("is split, merged or transposed");
  ShardList shards = shardsOf(stored);
  auto source = llvm::find_if(shards.all(), [&](const Shard &shard) {
    return isWhole(shard, stored.shape);
  });
  if (source == shards.end())
    return refuse("is held in parts by the shards of `" + stored.name.str() +
                  "`");
  made.origins.push_back({0, static_cast<uint32_t>(source - shards.begin()),
                          program.origins[result.pieces[0].tag].ops});
  for (auto [shard, pieces] : llvm::zip(result.shards, made.shards)) {
    if (!isWhole(shard, value.shape))
      return refuse("would be cut to " + formatShape(shard.localShape) +
                    " for rank " + std::to_string(shard.ranks.front()));
    pieces.add(whole);
  }
  return made;
}
} // namespace

void aoa::composeLayouts(Program &program, PassContext &context) {
  Composer composer(program, context);
  for (Result &result : program.results) {
    if (result.leftToCaller || composer.isStopped())
      continue;
    if (result.shards.empty() && !result.pieces.empty())
      context.sink.report(
          errorAt(diag::UnplacedTensor, program.definition(result.value),
                  context.script,
                  "nothing says who holds `" + result.name +
                      "`; place-results comes before compose-layouts"));
    else
      composer.compose(result);
  }
  program.stage = Stage::Transfers;
}
