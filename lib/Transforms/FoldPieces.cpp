//===- FoldPieces.cpp - The fewest pieces of every target shard -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Transforms/Lower.h"

#include "aoa/Affine/Fold.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa;
using namespace aoa::ir;

static auto groupOf(const StoragePiece &piece) {
  return std::tuple(piece.source, piece.sourceShard, piece.casts);
}

static void foldShard(std::vector<StoragePiece> &pieces) {
  llvm::sort(pieces, [](const StoragePiece &a, const StoragePiece &b) {
    return groupOf(a) != groupOf(b) ? groupOf(a) < groupOf(b)
                                    : a.piece.dst.offset < b.piece.dst.offset;
  });
  std::vector<StoragePiece> folded;
  for (size_t begin = 0; begin < pieces.size();) {
    size_t end = begin + 1;
    while (end < pieces.size() &&
           groupOf(pieces[end]) == groupOf(pieces[begin]))
      ++end;
    if (end - begin == 1) {
      pieces[begin].piece = affine::foldDims(pieces[begin].piece);
      folded.push_back(std::move(pieces[begin]));
    } else {
      std::vector<affine::Piece> group;
      for (size_t i = begin; i < end; ++i)
        group.push_back(std::move(pieces[i].piece));
      for (affine::Piece &piece : affine::fold(std::move(group)))
        folded.push_back({pieces[begin].sourceShard, pieces[begin].source,
                          pieces[begin].casts, std::move(piece)});
    }
    begin = end;
  }
  llvm::sort(folded, [](const StoragePiece &a, const StoragePiece &b) {
    return a.piece.dst.offset < b.piece.dst.offset;
  });
  pieces = std::move(folded);
}

void aoa::foldPieces(Program &program) {
  for (Result &result : program.results)
    for (TargetShard &shard : result.shards)
      foldShard(shard.pieces);
}
