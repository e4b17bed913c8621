//===- Invert.cpp - The two sides of a relation exchanged -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Invert.h"

using namespace aoa::affine;

Piece aoa::affine::invert(Piece piece) {
  std::swap(piece.src, piece.dst);
  return piece;
}

PieceSet aoa::affine::invert(const PieceSet &set) { return set.inverted(); }
