//===- SideBoxes.cpp - One side of a set as boxes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SideBoxes.h"

#include "aoa/Support/CheckedMath.h"

#include <numeric>

using namespace aoa;
using namespace aoa::affine;

SideAxes SideAxes::make(SideViews views, Digits digits, int64_t numElements) {
  SideAxes result{std::move(digits), numElements, 0, true, {}};
  result.firstExtent = ceilDiv(numElements, result.digits.stride(0));
  llvm::SmallVector<bool, 8> differs(result.digits.size(), false);
  for (auto [set, side] : views)
    for (PieceSet::Form form = 0; form < set->numForms(); ++form) {
      auto extents = DigitExtents::of(*set, form, side, result.digits);
      if (extents.isEmpty)
        continue;
      result.allBoxes &= extents.isBox;
      for (unsigned digit = 0; digit < result.digits.size(); ++digit)
        differs[digit] |= extents.extents[digit] != result.extentOf(digit);
    }
  for (unsigned digit = 0; digit < result.digits.size(); ++digit)
    if (differs[digit])
      result.axes.push_back(digit);
  if (result.axes.empty())
    result.axes.push_back(0);
  if (!result.allBoxes || !result.isWhole())
    result.useAllDigits();
  return result;
}

SideAxes SideAxes::of(SideViews views, int64_t numElements) {
  return make(views, Digits::ofViews(views), numElements);
}

SideAxes SideAxes::ofUpTo(SideViews views, int64_t numElements) {
  Digits digits = Digits::ofViews(views);
  int64_t round = digits.stride(0);
  return make(views, std::move(digits), ceilDiv(numElements, round) * round);
}

void SideAxes::useAllDigits() {
  axes.resize(digits.size());
  std::iota(axes.begin(), axes.end(), 0);
}

int64_t SideAxes::addressOf(llvm::ArrayRef<int64_t> coordinates) const {
  int64_t address = 0;
  for (unsigned axis = 0; axis < axes.size(); ++axis)
    address += coordinates[axis] * digits.stride(axes[axis]);
  return address;
}

bool SideAxes::areSmall() const {
  return llvm::all_of(axes, [&](unsigned digit) {
    return extentOf(digit) <= int64_t(UINT32_MAX);
  });
}

template <typename Coord>
SideBoxes<Coord> SideBoxes<Coord>::of(const PieceSet &set, Side side,
                                      SideAxes &axes) {
  SideBoxes result;
  if (!result.tryToAdd(set, side, axes)) {
    axes.useAllDigits();
    result = {};
    result.tryToAdd(set, side, axes);
  }
  return result;
}

/// Returns whether every view takes the whole of the digits left out.
template <typename Coord>
bool SideBoxes<Coord>::tryToAdd(const PieceSet &set, Side side,
                                const SideAxes &axes) {
  const Digits &digits = axes.digits;
  numAxes = axes.axes.size();
  bounds.reserve(set.size() * 2 * numAxes);
  FormCache<DigitExtents> forms;
  llvm::SmallVector<int64_t, 8> low(digits.size());
  for (size_t i = 0; i < set.size(); ++i) {
    const PieceSet::Entry &entry = set.entries()[i];
    const DigitExtents &form =
        forms.get(entry.form, [&](PieceSet::Form missing) {
          return DigitExtents::of(set, missing, side, digits);
        });
    if (form.isEmpty)
      continue;
    bool isBox = form.isBox;
    if (isBox) {
      digits.digitsOf(offsetOf(entry, side), low);
      for (unsigned digit = 0; digit < digits.size(); ++digit)
        isBox &= low[digit] + form.extents[digit] <= axes.extentOf(digit);
    }
    if (isBox)
      addBox(axes, low, form.extents, i);
    else if (!add(axes, set.ref(entry), side, i))
      return false;
  }
  return true;
}

template <typename Coord>
bool SideBoxes<Coord>::add(const SideAxes &axes, const PieceRef &piece,
                           Side side, uint32_t owner) {
  bool isWhole = true;
  forEachDigitBox(piece, side, axes.digits, [&](const DigitBox &box) {
    for (unsigned digit = 0, axis = 0; digit < axes.digits.size(); ++digit) {
      if (axis < axes.axes.size() && axes.axes[axis] == digit)
        ++axis;
      else
        isWhole &= box.extent[digit] == axes.extentOf(digit);
    }
    addBox(axes, box.low, box.extent, owner);
    if (!box.repeats.empty() && !firstRepeated)
      firstRepeated = owner;
  });
  return isWhole;
}

template <typename Coord>
void SideBoxes<Coord>::addBox(const SideAxes &axes, llvm::ArrayRef<int64_t> low,
                              llvm::ArrayRef<int64_t> extent, uint32_t owner) {
  if (owners.empty() && size() != owner) {
    owners.resize(size());
    std::iota(owners.begin(), owners.end(), 0);
  }
  // Empty owners of no box and owner 0 are the identity, too.
  if (!owners.empty() || size() != owner)
    owners.push_back(owner);
  for (unsigned digit : axes.axes) {
    bounds.push_back(static_cast<Coord>(low[digit]));
    bounds.push_back(static_cast<Coord>(low[digit] + extent[digit]));
  }
}

template <typename Coord>
void SideBoxes<Coord>::fillUp(const SideAxes &axes, uint32_t owner) {
  int64_t end = axes.firstExtent * axes.digits.stride(0);
  if (end == axes.numElements)
    return;
  int64_t shape[] = {end - axes.numElements}, strides[] = {1};
  add(axes, {shape, strides, strides, axes.numElements, 0, 0}, Side::Src,
      owner);
}

template <typename Coord>
llvm::SmallVector<Coord, 8> SideBoxes<Coord>::wholeOf(const SideAxes &axes) {
  llvm::SmallVector<Coord, 8> whole;
  for (unsigned digit : axes.axes) {
    whole.push_back(0);
    whole.push_back(static_cast<Coord>(axes.extentOf(digit)));
  }
  return whole;
}

template struct aoa::affine::SideBoxes<uint32_t>;
template struct aoa::affine::SideBoxes<int64_t>;
