//===- Emit.cpp - Adding pieces to a set ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Scale.h"
#include "aoa/Affine/PieceSet.h"

using namespace aoa::affine;
using namespace aoa::bench;

/// Adds chunks of a matrix whose shapes come round every `numForms`.
template <int64_t numForms>
static int64_t emit(int64_t numPieces, Clock &clock) {
  clock.start();
  PieceSet set;
  set.reserve(numPieces);
  Piece piece{{8, 0}, {0, {4096, 1}}, {0, {0, 1}}};
  for (int64_t i = 0; i < numPieces; ++i) {
    int64_t width = 64 + i % numForms;
    piece.shape[1] = piece.dst.strides[0] = width;
    piece.src.offset = i * 64;
    piece.dst.offset = i * 8;
    set.add(piece, i % 16);
  }
  clock.stop();
  return set.size();
}
AOA_SCALE("emit/one form", emit<1>);
AOA_SCALE("emit/3 forms", emit<3>);
AOA_SCALE("emit/1000 forms", emit<1000>);
