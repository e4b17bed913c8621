//===- AxisCuts.cpp - Sets that are sorted cuts of one axis -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "AxisCuts.h"

using namespace aoa::affine;

/// Returns the one digit in which `a` and `b` differ, if it is one.
static std::optional<unsigned> theDifference(llvm::ArrayRef<int64_t> a,
                                             llvm::ArrayRef<int64_t> b) {
  std::optional<unsigned> axis;
  for (unsigned i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    if (axis)
      return std::nullopt;
    axis = i;
  }
  return axis;
}

static bool agreesBut(unsigned axis, llvm::ArrayRef<int64_t> a,
                      llvm::ArrayRef<int64_t> b) {
  return a.take_front(axis) == b.take_front(axis) &&
         a.drop_front(axis + 1) == b.drop_front(axis + 1);
}

std::optional<AxisCuts> aoa::affine::findAxisCuts(const PieceSet &set,
                                                  Side side,
                                                  const Digits &digits) {
  AxisCuts cuts;
  FormBox form(digits);
  PieceSet::Form current = UINT32_MAX;
  int64_t stride = 1, radix = 0, base = 0, reached = 0;
  for (const PieceSet::Entry &entry : set.entries()) {
    bool isNewForm = entry.form != current;
    if (isNewForm) {
      form.setForm(set.ref(entry), side);
      current = entry.form;
      if (!form.isEmpty() && !form.isPlain())
        return std::nullopt;
    }
    if (form.isEmpty())
      continue;

    int64_t address = side == Side::Src ? entry.srcOffset : entry.dstOffset;
    if (!cuts.axis) {
      std::optional<DigitBox> box = form.at(address, 0);
      if (!box)
        return std::nullopt;
      if (cuts.low.empty()) {
        cuts.low.assign(box->low.begin(), box->low.end());
        cuts.extent.assign(box->extent.begin(), box->extent.end());
        continue;
      }
      cuts.axis = theDifference(cuts.low, box->low);
      if (!cuts.axis)
        return std::nullopt;
      stride = digits.stride(*cuts.axis);
      radix = digits.radix(*cuts.axis);
      for (unsigned i = 0; i < digits.size(); ++i)
        base += i == *cuts.axis ? 0 : cuts.low[i] * digits.stride(i);
      reached = cuts.low[*cuts.axis] + cuts.extent[*cuts.axis];
      isNewForm = true;
    }
    if (isNewForm && !agreesBut(*cuts.axis, form.extent(), cuts.extent))
      return std::nullopt;
    // The other digits being those of `base`, what is left is the axis'.
    int64_t begin = address - base;
    if (stride != 1) {
      if (begin % stride != 0)
        return std::nullopt;
      begin /= stride;
    }
    int64_t extent = form.extent()[*cuts.axis];
    if (begin < reached || extent > radix - begin)
      return std::nullopt;
    reached = begin + extent;
  }
  if (cuts.low.empty())
    return std::nullopt;
  return cuts;
}

CutCursor::CutCursor(const PieceSet &set, Side side, const Digits &digits,
                     const AxisCuts &cuts, unsigned axis,
                     llvm::ArrayRef<int64_t> low)
    : set(set), at(set.entries().begin()), last(set.entries().end()),
      side(side), axis(axis), stride(digits.stride(axis)), base(0),
      fromCorner(digits.size(), 0), form(digits) {
  for (unsigned i = 0; i < digits.size(); ++i) {
    if (i == axis)
      continue;
    base += cuts.low[i] * digits.stride(i);
    fromCorner[i] = low[i] - cuts.low[i];
  }
  load();
}

void CutCursor::fill(Slot &slot) {
  setBox();
  slot = {at->form, 0, 0, 0};
  if (form.isEmpty())
    return;
  slot.extent = form.extent()[axis];
  slot.otherStride = form.strides()[axis];
  for (unsigned i = 0; i < fromCorner.size(); ++i)
    slot.toLow += fromCorner[i] * form.strides()[i];
}
