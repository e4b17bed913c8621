//===- AxisSweep.cpp - Two sorted cuts of one axis, composed ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "AxisSweep.h"
#include "Meeting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace aoa::affine;

std::optional<AxisSweep> AxisSweep::make(const PieceSet &aToB,
                                         const PieceSet &bToC,
                                         const Digits &digits) {
  AxisSweep sweep(aToB, bToC, digits);
  std::optional<AxisCuts> a = findAxisCuts(aToB, Side::Dst, digits);
  if (!a)
    return std::nullopt;
  std::optional<AxisCuts> c = findAxisCuts(bToC, Side::Src, digits);
  if (!c || (a->axis && c->axis && *a->axis != *c->axis))
    return std::nullopt;
  sweep.cutsOfA = std::move(*a);
  sweep.cutsOfC = std::move(*c);
  if (std::optional<unsigned> axis =
          sweep.cutsOfA.axis ? sweep.cutsOfA.axis : sweep.cutsOfC.axis)
    sweep.axis = *axis;
  for (unsigned i = 0; i < digits.size(); ++i) {
    auto begin = [&](const AxisCuts &cuts) { return cuts.low[i]; };
    auto end = [&](const AxisCuts &cuts) {
      return cuts.low[i] + cuts.extent[i];
    };
    int64_t low = std::max(begin(sweep.cutsOfA), begin(sweep.cutsOfC));
    int64_t high = std::min(end(sweep.cutsOfA), end(sweep.cutsOfC));
    sweep.low.push_back(low);
    sweep.extent.push_back(i == sweep.axis ? 1 : high - low);
  }
  return sweep;
}

template <typename Visit> void AxisSweep::sweep(Visit visit) const {
  if (llvm::any_of(extent, [](int64_t extent) { return extent < 1; }))
    return;
  CutCursor a(aToB, Side::Dst, digits, cutsOfA, axis, low);
  CutCursor c(bToC, Side::Src, digits, cutsOfC, axis, low);
  while (!a.atEnd() && !c.atEnd()) {
    int64_t begin = std::max(a.begin, c.begin);
    int64_t end = std::min(a.end, c.end);
    if (begin < end && !visit(a, c, begin, end))
      return;
    bool stepA = a.end <= c.end, stepC = c.end <= a.end;
    if (stepA)
      a.next();
    if (stepC)
      c.next();
  }
}

int64_t AxisSweep::count(int64_t limit) const {
  int64_t count = 0;
  if (limit > 0)
    sweep([&](CutCursor &, CutCursor &, int64_t, int64_t) {
      return ++count < limit;
    });
  return count;
}

void AxisSweep::compose(CombineTags combine, PieceSet &result) const {
  // Pieces of one pair of forms and of one length are of one form.
  struct Slot {
    int64_t length = 0;
    PieceSet::Form a = 0, c = 0, form = 0;
  };
  constexpr size_t numSlots = 1024;
  std::vector<Slot> slots(numSlots);
  // Where all differ, the set's table of forms is large and each look at it
  // waits for memory: some wait together.
  struct Pending {
    size_t piece;
    Slot slot;
    Meeting meeting;
  };
  std::array<Pending, 16> pending;
  size_t numPending = 0;
  auto slotFor = [&](const Slot &key) -> Slot & {
    return slots[(static_cast<uint64_t>(key.length) + 31 * key.a +
                  517 * key.c) %
                 numSlots];
  };
  auto settle = [&] {
    for (Pending &each :
         llvm::MutableArrayRef(pending).take_front(numPending)) {
      each.slot.form = result.internForm(
          each.meeting.shape, each.meeting.srcStrides, each.meeting.dstStrides);
      result.entries()[each.piece].form = each.slot.form;
      slotFor(each.slot) = each.slot;
    }
    numPending = 0;
  };
  llvm::SmallVector<int64_t, 8> shape(extent);
  sweep([&](CutCursor &a, CutCursor &c, int64_t begin, int64_t end) {
    const PieceSet::Entry &ofA = a.entry(), &ofC = c.entry();
    Slot key{end - begin, ofA.form, ofC.form, 0};
    const Slot &slot = slotFor(key);
    if (slot.length == key.length && slot.a == key.a && slot.c == key.c) {
      key.form = slot.form;
    } else {
      Pending &next = pending[numPending++];
      next.piece = result.size();
      next.slot = key;
      shape[axis] = key.length;
      next.meeting.insertAll(shape, a.formBox().box(low, 0),
                             c.formBox().box(low, 0));
      result.prefetchForm(next.meeting.shape, next.meeting.srcStrides,
                          next.meeting.dstStrides);
    }
    result.add(
        PieceSet::Entry{a.otherOffset + (begin - a.begin) * a.otherStride,
                        c.otherOffset + (begin - c.begin) * c.otherStride,
                        key.form, combine(ofA.tag, ofC.tag)});
    if (numPending == pending.size())
      settle();
    return true;
  });
  settle();
}
