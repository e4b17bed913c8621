//===- ComposeLayouts.cpp - From source shards to target shards -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// target ∘ script ∘ source⁻¹ on boxes: each block of a target shard meets the
// result's pieces, each of those the regions of its source tensor; both by
// interval index. What meets is one strided block from a source shard into a
// target shard.
//===----------------------------------------------------------------------===//

#include "aoa/Transforms/Lower.h"

#include "FaultPlace.h"
#include "PlaceResults.h"
#include "SourceRegions.h"
#include "aoa/IR/BoxToPiece.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

#include <memory>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;

namespace {
class Composer {
public:
  Composer(Program &program, const ast::Script &script, DiagnosticSink &sink)
      : program(program), script(script), sink(sink),
        regionsOf(program.values.size()) {}

  void compose(Result &result);

private:
  const SourceRegions &regions(ValueId source);
  /// Adds the pieces of one block of `shard`. Returns whether source shards
  /// hold all of it.
  bool composeBlock(const Result &result, const BoxIndex *index,
                    TargetShard &shard, const Block &block);
  /// Adds what fills `map.dst`, all inside `block`.
  bool composePiece(const Result &result, const WholePiece &piece,
                    const BoxMap &map, TargetShard &shard, const Block &block);
  void reportHole(const Result &result, const WholePiece &piece,
                  const BoxMap &map);
  void composeSubByte(Result &result);

  Program &program;
  const ast::Script &script;
  DiagnosticSink &sink;
  std::vector<std::unique_ptr<SourceRegions>> regionsOf; ///< By value.
};

const SourceRegions &Composer::regions(ValueId source) {
  std::unique_ptr<SourceRegions> &known = regionsOf[source.index()];
  if (!known)
    known = std::make_unique<SourceRegions>(program.sourceTensor(source));
  return *known;
}

void Composer::compose(Result &result) {
  if (!hasWholeBytes(program.value(result.value).dtype))
    return composeSubByte(result);
  std::optional<BoxIndex> index;
  bool isOneBlock =
      result.shards.size() == 1 && result.shards[0].blocks.size() == 1;
  if (result.pieces.size() > 1 && !isOneBlock) {
    std::vector<Box> boxes;
    for (const WholePiece &piece : result.pieces)
      boxes.push_back(piece.map.dst);
    index.emplace(std::move(boxes));
  }
  for (TargetShard &shard : result.shards)
    for (const Block &block : shard.blocks)
      if (!composeBlock(result, index ? &*index : nullptr, shard, block))
        return; // Every shard that needs the element would say the same.
}

bool Composer::composeBlock(const Result &result, const BoxIndex *index,
                            TargetShard &shard, const Block &block) {
  Box box = fullBox(block);
  bool complete = true;
  auto compose = [&](unsigned i) {
    const WholePiece &piece = result.pieces[i];
    if (!complete)
      return;
    if (std::optional<BoxMap> map = restrictDst(piece.map, box))
      complete = composePiece(result, piece, *map, shard, block);
  };
  if (index)
    index->visit(box, compose);
  else
    for (unsigned i = 0; i < result.pieces.size(); ++i)
      compose(i);
  return complete;
}

/// Moves an offset in the full tensor to where `block` lies in its shard.
static void moveToShard(Extents &offset, const Block &block) {
  for (unsigned i = 0; i < offset.size(); ++i)
    offset[i] += block.localOffset[i] - block.fullOffset[i];
}

bool Composer::composePiece(const Result &result, const WholePiece &piece,
                            const BoxMap &map, TargetShard &shard,
                            const Block &block) {
  const SourceRegions &source = regions(piece.source);
  int64_t missing = map.dst.numElements();
  source.visit(map.src(), [&](const SourceRegions::Region &region,
                              const Box &box) {
    std::optional<BoxMap> part = restrictSrc(map, box);
    if (!part)
      return;
    missing -= part->dst.numElements();
    const Shard &from = source.shards()[region.shard];
    moveToShard(part->dst.offset, block);
    moveToShard(part->srcOffset, from.blocks[region.block]);
    shard.pieces.push_back({region.shard, piece.source, piece.casts,
                            toPiece(*part, from.localShape, shard.localShape)});
  });
  if (missing == 0)
    return true;
  reportHole(result, piece, map);
  return false;
}

void Composer::reportHole(const Result &result, const WholePiece &piece,
                          const BoxMap &map) {
  std::vector<Box> held;
  Box needed = map.src();
  regions(piece.source).visit(needed, [&](const auto &, const Box &box) {
    held.push_back(*intersect(needed, box));
  });
  CoverResult cover = checkCover(held, needed);
  Diagnostic hole = errorAt(
      diag::SourceHole, program.definition(result.value), script,
      "no shard of the source holds element " + formatShape(cover.index) +
          " of `" + program.value(piece.source).name + "`, which `" +
          result.name + "` is made of");
  sink.report(std::move(hole));
}

void Composer::composeSubByte(Result &result) {
  const Value &value = program.value(result.value);
  auto refuse = [&](const std::string &what) {
    sink.report(
        errorAt(diag::SubByteCut, program.definition(result.value), script,
                "`" + result.name + "` of " + std::string(nameOf(value.dtype)) +
                    " " + formatShape(value.shape) + " " + what +
                    ", but elements smaller than a byte are moved as "
                    "whole tensors only"));
  };
  if (result.pieces.empty())
    return;
  const WholePiece &piece = result.pieces[0];
  if (result.pieces.size() > 1 || piece.map != identityMap(value.shape) ||
      program.value(piece.source).shape != value.shape)
    return refuse("is split, merged or transposed");
  const Tensor &tensor = program.sourceTensor(piece.source);
  std::optional<uint32_t> whole = regions(piece.source).findWhole(tensor);
  if (!whole)
    return refuse("is held in parts by the shards of `" + tensor.name + "`");
  for (TargetShard &shard : result.shards) {
    if (!isWhole(shard.blocks, shard.localShape, value.shape))
      return refuse("would be cut to " + formatShape(shard.localShape) +
                    " for rank " + std::to_string(shard.ranks.front()));
    shard.pieces.push_back({*whole, piece.source, piece.casts,
                            toPiece(piece.map, value.shape, shard.localShape)});
  }
}
} // namespace

void aoa::composeLayouts(Program &program, const Target &target,
                         const ast::Script &script, DiagnosticSink &sink) {
  placeResults(program, target, script, sink);
  Composer composer(program, script, sink);
  for (Result &result : program.results)
    if (!result.leftToCaller)
      composer.compose(result);
}
