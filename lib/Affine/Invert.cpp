//===- Invert.cpp - The two sides of a relation exchanged -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Invert.h"

using namespace aoa::affine;

Piece aoa::affine::invert(Piece piece) {
  std::swap(piece.src, piece.dst);
  return piece;
}

PieceSet aoa::affine::invert(const PieceSet &set) {
  PieceSet inverse;
  inverse.reserve(set.size());
  // Forms are numbered as in `set`: what differs there differs here.
  for (PieceSet::Form form = 0; form < set.numForms(); ++form)
    inverse.internForm(set.shapeOf(form), set.stridesOf(form, Side::Dst),
                       set.stridesOf(form, Side::Src));
  for (const PieceSet::Entry &entry : set.entries())
    inverse.add(PieceSet::Entry{entry.dstOffset, entry.srcOffset, entry.form,
                                entry.tag});
  return inverse;
}
