//===- BoxList.cpp - The boxes of a set in little memory --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxList.h"
#include "FormBox.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;

BoxList::BoxList(const PieceSet &set, Side side, const Digits &digits)
    : theDigits(digits) {
  boxes.reserve(set.size());
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
      for (unsigned digit = 0; digit < digits.size(); ++digit)
        address += box.low[digit] * digits.stride(digit);
      boxes.add(PieceSet::Entry{address, box.otherOffset,
                                boxes.internForm(shape, strides, otherStrides),
                                static_cast<PieceSet::Tag>(i)});
    });
}

DigitBox BoxList::box(size_t i, llvm::MutableArrayRef<int64_t> low) const {
  unsigned numDigits = theDigits.size();
  theDigits.digitsOf(address(i), low);
  llvm::ArrayRef<int64_t> extents = shape(i), strides = otherStrides(i);
  return {low,
          extents.take_front(numDigits),
          strides.take_front(numDigits),
          otherOffset(i),
          extents.drop_front(numDigits),
          strides.drop_front(numDigits)};
}

void BoxList::sort() {
  auto isBefore = [](const PieceSet::Entry &a, const PieceSet::Entry &b) {
    return std::tie(a.srcOffset, a.tag, a.dstOffset, a.form) <
           std::tie(b.srcOffset, b.tag, b.dstOffset, b.form);
  };
  auto entries = boxes.entries();
  if (!std::is_sorted(entries.begin(), entries.end(), isBefore))
    std::sort(entries.begin(), entries.end(), isBefore);
}

void BoxList::reorder(llvm::ArrayRef<uint32_t> order) {
  std::vector<PieceSet::Entry> entries;
  entries.reserve(order.size());
  for (uint32_t i : order)
    entries.push_back(boxes.entries()[i]);
  boxes.replaceEntries(std::move(entries));
}

bool BoxList::isNestedBands() const {
  unsigned numDigits = theDigits.size();
  llvm::SmallVector<int64_t, 8> low(numDigits), last(numDigits);
  for (size_t i = 0; i < size(); ++i) {
    theDigits.digitsOf(address(i), low);
    if (i > 0) {
      llvm::ArrayRef<int64_t> extent = shape(i), lastExtent = shape(i - 1);
      unsigned digit = 0;
      while (digit < numDigits && low[digit] == last[digit] &&
             extent[digit] == lastExtent[digit])
        ++digit;
      if (digit == numDigits || low[digit] < last[digit] + lastExtent[digit])
        return false;
    }
    std::swap(low, last);
  }
  return true;
}
