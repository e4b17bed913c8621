//===- BoxTree.cpp - Boxes of digits that meet a query ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxTree.h"
#include "FormBox.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace aoa::affine;

/// What only building needs.
struct BoxTree::Build {
  struct Key {
    int64_t center; ///< Twice.
    uint32_t box;
    bool operator<(const Key &other) const {
      return center != other.center ? center < other.center : box < other.box;
    }
  };
  std::vector<int64_t> lows; ///< Digits of each box.
  std::vector<uint32_t> order;
  std::vector<Key> keys;
};

BoxTree::BoxTree(const PieceSet &set, Side side, const Digits &digits)
    : digits(digits) {
  unsigned numDigits = digits.size();
  Build state;
  boxes.reserve(set.size());
  state.lows.reserve(set.size() * numDigits);
  BoxSource source(set, side, digits);
  llvm::SmallVector<int64_t, 16> shape, strides, otherStrides;
  for (size_t i = 0; i < set.size(); ++i)
    source.visit(i, [&](const DigitBox &box) {
      shape.assign(box.extent.begin(), box.extent.end());
      otherStrides.assign(box.otherStrides.begin(), box.otherStrides.end());
      llvm::append_range(shape, box.repeats);
      llvm::append_range(otherStrides, box.repeatStrides);
      strides.assign(shape.size(), 0);
      int64_t address = 0;
      for (unsigned digit = 0; digit < numDigits; ++digit)
        address += box.low[digit] * digits.stride(digit);
      boxes.add(PieceSet::Entry{address, box.otherOffset,
                                boxes.internForm(shape, strides, otherStrides),
                                static_cast<uint32_t>(i)});
      llvm::append_range(state.lows, box.low);
    });
  if (boxes.empty())
    return;
  state.order.resize(boxes.size());
  for (size_t i = 0; i < boxes.size(); ++i)
    state.order[i] = i;
  state.keys.resize(boxes.size());
  bounds.resize((2 * numLeaves(boxes.size()) - 1) * 2 * numDigits);
  build(state, 0, 0, boxes.size());

  if (!llvm::is_sorted(state.order)) {
    std::vector<PieceSet::Entry> sorted;
    sorted.reserve(boxes.size());
    for (uint32_t i : state.order)
      sorted.push_back(boxes.entries()[i]);
    boxes.replaceEntries(std::move(sorted));
  }
}

void BoxTree::setBounds(Build &state, size_t node, size_t begin, size_t end) {
  unsigned numDigits = digits.size();
  int64_t *low = bounds.data() + node * 2 * numDigits;
  int64_t *high = low + numDigits;
  std::fill(low, high, std::numeric_limits<int64_t>::max());
  std::fill(high, high + numDigits, 0);
  for (size_t i = begin; i < end; ++i) {
    uint32_t box = state.order[i];
    llvm::ArrayRef<int64_t> shape = boxes.shapeOf(boxes.entries()[box].form);
    const int64_t *lows = state.lows.data() + size_t(box) * numDigits;
    for (unsigned digit = 0; digit < numDigits; ++digit) {
      low[digit] = std::min(low[digit], lows[digit]);
      high[digit] = std::max(high[digit], lows[digit] + shape[digit]);
    }
  }
}

void BoxTree::build(Build &state, size_t node, size_t begin, size_t end) {
  setBounds(state, node, begin, end);
  if (end - begin <= leafSize)
    return;
  unsigned numDigits = digits.size();
  llvm::SmallVector<double, 8> sizes(numDigits, 0);
  for (size_t i = begin; i < end; ++i) {
    llvm::ArrayRef<int64_t> shape =
        boxes.shapeOf(boxes.entries()[state.order[i]].form);
    for (unsigned digit = 0; digit < numDigits; ++digit)
      sizes[digit] += static_cast<double>(shape[digit]);
  }
  const int64_t *low = bounds.data() + node * 2 * numDigits;
  unsigned axis = 0;
  double furthest = -1;
  for (unsigned digit = 0; digit < numDigits; ++digit) {
    double apart =
        static_cast<double>(low[numDigits + digit] - low[digit]) / sizes[digit];
    if (apart > furthest) {
      furthest = apart;
      axis = digit;
    }
  }

  size_t middle = middleOf(begin, end);
  for (size_t i = begin; i < end; ++i) {
    uint32_t box = state.order[i];
    state.keys[i] = {2 * state.lows[size_t(box) * numDigits + axis] +
                         boxes.shapeOf(boxes.entries()[box].form)[axis],
                     box};
  }
  auto first = state.keys.begin() + begin, last = state.keys.begin() + end;
  if (!std::is_sorted(first, last)) {
    std::nth_element(first, state.keys.begin() + middle, last);
    for (size_t i = begin; i < end; ++i)
      state.order[i] = state.keys[i].box;
  }
  build(state, node + 1, begin, middle);
  build(state, secondChild(node, begin, middle), middle, end);
}

bool BoxTree::meets(const PieceSet::Entry &box, const DigitBox &query) const {
  llvm::ArrayRef<int64_t> extent = boxes.shapeOf(box.form);
  int64_t address = box.srcOffset;
  unsigned last = digits.size() - 1;
  for (unsigned digit = 0; digit < last; ++digit) {
    int64_t low = address / digits.stride(digit);
    address -= low * digits.stride(digit);
    if (low >= query.low[digit] + query.extent[digit] ||
        query.low[digit] >= low + extent[digit])
      return false;
  }
  return address < query.low[last] + query.extent[last] &&
         query.low[last] < address + extent[last];
}

template <typename All, typename One>
void BoxTree::search(size_t node, size_t begin, size_t end,
                     const DigitBox &query, All all, One one) const {
  unsigned numDigits = digits.size();
  const int64_t *low = bounds.data() + node * 2 * numDigits;
  const int64_t *high = low + numDigits;
  bool isInside = true;
  for (unsigned digit = 0; digit < numDigits; ++digit) {
    int64_t queryLow = query.low[digit];
    int64_t queryHigh = queryLow + query.extent[digit];
    if (high[digit] <= queryLow || low[digit] >= queryHigh)
      return;
    isInside &= queryLow <= low[digit] && high[digit] <= queryHigh;
  }
  if (isInside) {
    all(begin, end);
    return;
  }
  if (end - begin <= leafSize) {
    for (size_t i = begin; i < end; ++i)
      if (meets(boxes.entries()[i], query))
        one(i);
    return;
  }
  size_t middle = middleOf(begin, end);
  search(node + 1, begin, middle, query, all, one);
  search(secondChild(node, begin, middle), middle, end, query, all, one);
}

void BoxTree::find(const DigitBox &query,
                   llvm::SmallVectorImpl<uint32_t> &found) const {
  found.clear();
  if (boxes.empty())
    return;
  search(
      0, 0, boxes.size(), query,
      [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          found.push_back(i);
      },
      [&](size_t i) { found.push_back(i); });
  auto entries = boxes.entries();
  auto isBefore = [&](uint32_t a, uint32_t b) {
    if (entries[a].tag != entries[b].tag)
      return entries[a].tag < entries[b].tag;
    if (entries[a].srcOffset != entries[b].srcOffset)
      return entries[a].srcOffset < entries[b].srcOffset;
    return entries[a].dstOffset != entries[b].dstOffset
               ? entries[a].dstOffset < entries[b].dstOffset
               : a < b;
  };
  if (!std::is_sorted(found.begin(), found.end(), isBefore))
    std::sort(found.begin(), found.end(), isBefore);
}

int64_t BoxTree::count(const DigitBox &query) const {
  int64_t count = 0;
  if (!boxes.empty())
    search(
        0, 0, boxes.size(), query,
        [&](size_t begin, size_t end) {
          count += static_cast<int64_t>(end - begin);
        },
        [&](size_t) { ++count; });
  return count;
}

DigitBox BoxTree::box(uint32_t number,
                      llvm::MutableArrayRef<int64_t> low) const {
  const PieceSet::Entry &entry = boxes.entries()[number];
  unsigned numDigits = digits.size();
  digits.digitsOf(entry.srcOffset, low);
  llvm::ArrayRef<int64_t> shape = boxes.shapeOf(entry.form);
  llvm::ArrayRef<int64_t> strides = boxes.stridesOf(entry.form, Side::Dst);
  return {low,
          shape.take_front(numDigits),
          strides.take_front(numDigits),
          entry.dstOffset,
          shape.drop_front(numDigits),
          strides.drop_front(numDigits)};
}
