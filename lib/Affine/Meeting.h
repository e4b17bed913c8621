//===- Meeting.h - What two boxes of digits share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements that two boxes share, as one block seen from their other sides:
// `a`'s becomes src, `b`'s dst. Dimensions are normalised as foldDims does.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_MEETING_H
#define AOA_LIB_AFFINE_MEETING_H

#include "aoa/Affine/Digits.h"

#include <algorithm>

namespace aoa::affine {

class Meeting {
public:
  int64_t srcOffset = 0, dstOffset = 0;
  llvm::SmallVector<int64_t, 8> shape, srcStrides, dstStrides;

  /// Makes this the common part of `a` and `b`. Returns false if they have
  /// none.
  bool meet(const DigitBox &a, const DigitBox &b) {
    srcOffset = a.otherOffset;
    dstOffset = b.otherOffset;
    llvm::SmallVector<int64_t, 8> common(a.low.size());
    for (unsigned i = 0; i < a.low.size(); ++i) {
      int64_t low = std::max(a.low[i], b.low[i]);
      common[i] =
          std::min(a.low[i] + a.extent[i], b.low[i] + b.extent[i]) - low;
      if (common[i] <= 0)
        return false;
      srcOffset += (low - a.low[i]) * a.otherStrides[i];
      dstOffset += (low - b.low[i]) * b.otherStrides[i];
    }
    insertAll(common, a, b);
    return true;
  }

  Piece piece() const {
    auto extents = [](llvm::ArrayRef<int64_t> numbers) {
      return Extents(numbers.begin(), numbers.end());
    };
    return {extents(shape),
            {srcOffset, extents(srcStrides)},
            {dstOffset, extents(dstStrides)}};
  }

  /// Makes the dimensions those of a common part of `extent`.
  void insertAll(llvm::ArrayRef<int64_t> extent, const DigitBox &a,
                 const DigitBox &b) {
    clear();
    for (unsigned i = 0; i < extent.size(); ++i)
      insert(extent[i], a.otherStrides[i], b.otherStrides[i]);
    for (unsigned i = 0; i < a.repeats.size(); ++i)
      insert(a.repeats[i], a.repeatStrides[i], 0);
    for (unsigned i = 0; i < b.repeats.size(); ++i)
      insert(b.repeats[i], 0, b.repeatStrides[i]);
    merge();
  }

private:
  void clear() {
    shape.clear();
    srcStrides.clear();
    dstStrides.clear();
  }

  /// Adds a dimension, keeping the order: largest dst stride first, then
  /// largest src stride.
  void insert(int64_t extent, int64_t src, int64_t dst) {
    if (extent == 1)
      return;
    shape.push_back(extent);
    srcStrides.push_back(src);
    dstStrides.push_back(dst);
    for (size_t i = shape.size() - 1; i > 0; --i) {
      if (dstStrides[i - 1] > dstStrides[i] ||
          (dstStrides[i - 1] == dstStrides[i] &&
           srcStrides[i - 1] >= srcStrides[i]))
        break;
      std::swap(shape[i - 1], shape[i]);
      std::swap(srcStrides[i - 1], srcStrides[i]);
      std::swap(dstStrides[i - 1], dstStrides[i]);
    }
  }

  /// Merges neighbours that continue each other on both sides.
  void merge() {
    if (shape.size() < 2)
      return;
    size_t kept = 0;
    for (size_t i = 1; i < shape.size(); ++i) {
      if (srcStrides[kept] == srcStrides[i] * shape[i] &&
          dstStrides[kept] == dstStrides[i] * shape[i]) {
        shape[kept] *= shape[i];
      } else {
        shape[++kept] = shape[i];
      }
      srcStrides[kept] = srcStrides[i];
      dstStrides[kept] = dstStrides[i];
    }
    shape.truncate(kept + 1);
    srcStrides.truncate(kept + 1);
    dstStrides.truncate(kept + 1);
  }
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_MEETING_H
