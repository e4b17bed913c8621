//===- Chunks.cpp - Many tensors in chunks against other chunks -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Tensors in 1,024 source chunks against 1,024 target chunks on one axis, no
// two tensors alike: composed, proved to cover everything once, folded. The
// pieces of all tensors are kept, as in a program. 1,024 tensors are 2.1
// million pieces.
//===----------------------------------------------------------------------===//

#include "Scale.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Affine/Cover.h"
#include "aoa/Affine/Fold.h"
#include "aoa/Affine/Invert.h"
#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <random>

using namespace aoa::affine;
using namespace aoa::bench;

constexpr int64_t numChunks = 1024;

/// Chunks of rows of 64 elements that begin and end at `bounds`: src is the
/// source's buffer, dst the tensor.
static PieceSet chunksAt(llvm::ArrayRef<int64_t> bounds) {
  PieceSet set;
  set.reserve(numChunks);
  for (size_t i = 0; i + 1 < bounds.size(); ++i)
    if (bounds[i] != bounds[i + 1])
      set.add(
          {{(bounds[i + 1] - bounds[i]) * 64}, {0, {1}}, {bounds[i] * 64, {1}}},
          i);
  return set;
}

/// How balanced, how ceil cuts, and boundaries drawn at random.
static std::vector<int64_t> balanced(int64_t rows, std::mt19937_64 &) {
  std::vector<int64_t> bounds;
  for (int64_t i = 0; i <= numChunks; ++i)
    bounds.push_back(i * (rows / numChunks) + std::min(i, rows % numChunks));
  return bounds;
}
static std::vector<int64_t> byCeil(int64_t rows, std::mt19937_64 &) {
  std::vector<int64_t> bounds;
  for (int64_t i = 0; i <= numChunks; ++i)
    bounds.push_back(std::min(i * (rows / numChunks + 1), rows));
  return bounds;
}
static std::vector<int64_t> anywhere(int64_t rows, std::mt19937_64 &random) {
  std::vector<int64_t> bounds = {0, rows};
  for (int64_t i = 1; i < numChunks; ++i)
    bounds.push_back(static_cast<int64_t>(random() % rows));
  llvm::sort(bounds);
  return bounds;
}

using Cut = std::vector<int64_t> (&)(int64_t rows, std::mt19937_64 &random);

struct Tensor {
  int64_t rows;
  std::vector<int64_t> sourceBounds, targetBounds;
};

static int64_t reshard(int64_t numPieces, Clock &clock, Cut from, Cut to) {
  std::mt19937_64 random(1);
  std::vector<Tensor> tensors;
  for (int64_t i = 0; i < numPieces / numChunks; ++i) {
    int64_t rows = 1'000'000 + i;
    tensors.push_back({rows, from(rows, random), to(rows, random)});
  }
  std::vector<PieceSet> transfers;
  int64_t made = 0;
  clock.start();
  for (const auto &[rows, sourceBounds, targetBounds] : tensors) {
    if (made >= numPieces)
      break;
    PieceSet source = chunksAt(sourceBounds);
    PieceSet target = invert(chunksAt(targetBounds));
    // All chunks of the target behind each other: one proof for them all.
    for (PieceSet::Entry &chunk : target.entries())
      chunk.dstOffset = chunk.srcOffset;
    PieceSet all = *compose(source, target, [](uint32_t chunk, uint32_t into) {
      return into * numChunks + chunk;
    });
    if (checkCover(source, Side::Dst, {rows, 64}).kind !=
            Coverage::Kind::Exact ||
        checkCover(all, Side::Dst, {rows, 64}).kind != Coverage::Kind::Exact)
      std::abort();
    fold(all);
    all.shrinkToFit();
    made += static_cast<int64_t>(all.size());
    transfers.push_back(std::move(all));
  }
  clock.stop();
  return made;
}

static int64_t rules(int64_t numPieces, Clock &clock) {
  return reshard(numPieces, clock, byCeil, balanced);
}
static int64_t bounds(int64_t numPieces, Clock &clock) {
  return reshard(numPieces, clock, anywhere, anywhere);
}
AOA_SCALE("1024 chunks/by rule", rules);
AOA_SCALE("1024 chunks/anywhere", bounds);
