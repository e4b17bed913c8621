//===- BoxesOfRange.cpp - A flat range of a block as boxes ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Digits.h"
#include "aoa/Affine/Split.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>

using namespace aoa::affine;

llvm::SmallVector<RangeBox>
aoa::affine::boxesOfRange(llvm::ArrayRef<int64_t> shape, int64_t begin,
                          int64_t end) {
  llvm::SmallVector<RangeBox> boxes;
  if (begin == end || llvm::is_contained(shape, 0))
    return boxes;
  int64_t one = 1;
  int64_t count = end - begin;
  PieceRef range{count, one, one, begin, begin, 0};
  forEachDigitBox(
      range, Side::Src, Digits::ofShape(shape), [&](const DigitBox &box) {
        RangeBox result{Extents(shape.size(), 0), Extents(shape.size(), 1)};
        unsigned digit = 0;
        for (unsigned dim = 0; dim < shape.size(); ++dim) {
          if (shape[dim] == 1)
            continue;
          result.offset[dim] = box.low[digit];
          result.shape[dim] = box.extent[digit++];
        }
        boxes.push_back(std::move(result));
      });
  return boxes;
}
