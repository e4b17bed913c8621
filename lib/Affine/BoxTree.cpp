//===- BoxTree.cpp - Boxes of digits that meet a query ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxTree.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

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

BoxTree::BoxTree(BoxList &boxes) : boxes(boxes), digits(boxes.digits()) {
  if (boxes.size() == 0)
    return;
  unsigned numDigits = digits.size();
  Build state;
  state.lows.resize(boxes.size() * numDigits);
  state.order.resize(boxes.size());
  for (size_t i = 0; i < boxes.size(); ++i) {
    digits.digitsOf(
        boxes.address(i),
        llvm::MutableArrayRef(state.lows).slice(i * numDigits, numDigits));
    state.order[i] = i;
  }
  state.keys.resize(boxes.size());
  bounds.resize((2 * numLeaves(boxes.size()) - 1) * 2 * numDigits);
  build(state, 0, 0, boxes.size());
  if (!llvm::is_sorted(state.order))
    boxes.reorder(state.order);
}

void BoxTree::setBounds(Build &state, size_t node, size_t begin, size_t end) {
  unsigned numDigits = digits.size();
  int64_t *low = bounds.data() + node * 2 * numDigits;
  int64_t *high = low + numDigits;
  std::fill(low, high, std::numeric_limits<int64_t>::max());
  std::fill(high, high + numDigits, 0);
  for (size_t i = begin; i < end; ++i) {
    uint32_t box = state.order[i];
    llvm::ArrayRef<int64_t> shape = boxes.shape(box);
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
    llvm::ArrayRef<int64_t> shape = boxes.shape(state.order[i]);
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
                         boxes.shape(box)[axis],
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

bool BoxTree::meets(size_t box, const DigitBox &query) const {
  llvm::ArrayRef<int64_t> extent = boxes.shape(box);
  int64_t address = boxes.address(box);
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
      if (meets(i, query))
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
  if (boxes.size() == 0)
    return;
  search(
      0, 0, boxes.size(), query,
      [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          found.push_back(i);
      },
      [&](size_t i) { found.push_back(i); });
  auto key = [&](uint32_t i) {
    return std::tuple(boxes.pieceOf(i), boxes.address(i), boxes.otherOffset(i),
                      i);
  };
  auto isBefore = [&](uint32_t a, uint32_t b) { return key(a) < key(b); };
  if (!std::is_sorted(found.begin(), found.end(), isBefore))
    std::sort(found.begin(), found.end(), isBefore);
}

int64_t BoxTree::count(const DigitBox &query) const {
  int64_t count = 0;
  if (boxes.size() > 0)
    search(
        0, 0, boxes.size(), query,
        [&](size_t begin, size_t end) {
          count += static_cast<int64_t>(end - begin);
        },
        [&](size_t) { ++count; });
  return count;
}
