//===- ReadShape.h - How a block is read from its file ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Sorted by source stride, the inner dimensions of a block form spans:
// stretches of the file whose gaps are cheaper to read over than to skip. The
// outer dimensions step from span to span.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_READSHAPE_H
#define AOA_LIB_RUNTIME_READSHAPE_H

#include "StridedCopy.h"
#include "Tiles.h"

#include <algorithm>

namespace aoa {

struct ReadShape {
  std::array<ByteDim, maxBlockDims> dims; ///< Largest source stride first.
  size_t numDims = 0;
  size_t numOuter = 0;
  int64_t spanBytes;
  int64_t numSpans = 1;

  ReadShape(std::span<const ByteDim> block, int64_t elementBytes)
      : spanBytes(elementBytes) {
    for (const ByteDim &dim : block)
      if (dim.extent != 1)
        dims[numDims++] = dim;
    std::sort(dims.begin(), dims.begin() + numDims,
              [](const ByteDim &a, const ByteDim &b) {
                return a.srcStride > b.srcStride;
              });
    numOuter = numDims;
    while (numOuter > 0) {
      const ByteDim &dim = dims[numOuter - 1];
      if (dim.srcStride - spanBytes > readCallBytes)
        break;
      spanBytes += (dim.extent - 1) * dim.srcStride;
      --numOuter;
    }
    for (size_t i = 0; i < numOuter; ++i)
      numSpans *= dims[i].extent;
  }

  std::span<ByteDim> all() { return {dims.data(), numDims}; }
};

} // namespace aoa

#endif // AOA_LIB_RUNTIME_READSHAPE_H
