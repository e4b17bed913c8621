//===- KeepFirst.cpp - Replicas counted once --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Whole replicas, of which there are as many as ranks, are found by hashing
// their views. Only what is left is looked at for partial overlaps.
//===----------------------------------------------------------------------===//

#include "AxisCuts.h"
#include "BoxRemains.h"
#include "aoa/Affine/Intersect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa::affine;

static bool hasEmptyForms(const PieceSet &set) {
  for (PieceSet::Form form = 0; form < set.numForms(); ++form)
    if (llvm::is_contained(set.shapeOf(form), 0))
      return true;
  return false;
}

/// Returns a number for each form: that of the addresses it holds on `side`
/// from its offset on, as far as folding tells.
static std::vector<PieceSet::Form> numberViews(const PieceSet &set, Side side) {
  PieceSet views;
  std::vector<PieceSet::Form> numbers;
  numbers.reserve(set.numForms());
  for (PieceSet::Form form = 0; form < set.numForms(); ++form) {
    Piece view;
    llvm::ArrayRef<int64_t> shape = set.shapeOf(form);
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      int64_t stride = set.stridesOf(form, side)[dim];
      if (stride == 0 && shape[dim] != 0)
        continue;
      view.shape.push_back(shape[dim]);
      view.src.strides.push_back(stride);
    }
    view.dst = view.src;
    view = foldDims(view);
    numbers.push_back(
        views.internForm(view.shape, view.src.strides, view.dst.strides));
  }
  return numbers;
}

/// Returns `set` without empty pieces and without those whose view on `side` is
/// that of an earlier one.
static PieceSet dropReplicas(const PieceSet &set, Side side) {
  std::vector<PieceSet::Form> views = numberViews(set, side);
  llvm::DenseSet<std::pair<int64_t, PieceSet::Form>> seen;
  seen.reserve(set.size());
  PieceSet first;
  for (size_t i = 0; i < set.size(); ++i) {
    const PieceSet::Entry &entry = set.entries()[i];
    PieceRef piece = set.ref(entry);
    if (!piece.isEmpty() &&
        seen.insert({piece.offset(side), views[entry.form]}).second)
      first.add(piece);
  }
  return first;
}

PieceSet aoa::affine::keepFirst(const PieceSet &set, Side side) {
  // Most often no two pieces share anything: cuts of one axis in order.
  Digits digits = Digits::ofViews({{&set, side}});
  if (!hasEmptyForms(set) && findAxisCuts(set, side, digits))
    return set;
  PieceSet first = dropReplicas(set, side);
  digits = Digits::ofViews({{&first, side}});
  if (findAxisCuts(first, side, digits))
    return first;
  BoxList boxes(first, side, digits);
  BoxTree tree(boxes);
  BoxRemains remains(first, side, tree, digits);
  PieceSet result;
  for (size_t i = 0; i < first.size(); ++i)
    remains.add(i, static_cast<uint32_t>(i), result);
  return result;
}
