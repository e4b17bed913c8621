//===- StridedCopy.cpp - Blocks copied between two layouts ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StridedCopy.h"

#include "TransposeTile.h"

#include <algorithm>
#include <cstring>

namespace aoa {

BlockDims::BlockDims(std::span<const ByteDim> all) {
  for (const ByteDim &dim : all)
    if (dim.extent != 1)
      dims[count++] = dim;
  std::sort(dims.begin(), dims.begin() + count,
            [](const ByteDim &a, const ByteDim &b) {
              return a.dstStride > b.dstStride;
            });
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const ByteDim inner = dims[i];
    if (kept > 0) {
      ByteDim &outer = dims[kept - 1];
      if (outer.srcStride == inner.srcStride * inner.extent &&
          outer.dstStride == inner.dstStride * inner.extent) {
        outer = {outer.extent * inner.extent, inner.srcStride, inner.dstStride};
        continue;
      }
    }
    dims[kept++] = inner;
  }
  count = kept;
}

namespace {

/// Calls `copyInner(dst, src)` for every index of `outer`.
template <typename CopyInner>
void forEachIndex(std::span<const ByteDim> outer, std::byte *dst,
                  const std::byte *src, CopyInner copyInner) {
  if (outer.empty())
    return copyInner(dst, src);
  for (int64_t i = 0; i < outer[0].extent; ++i)
    forEachIndex(outer.subspan(1), dst + i * outer[0].dstStride,
                 src + i * outer[0].srcStride, copyInner);
}

/// Runs of `bytes` that no specialised width covers.
void copyRuns(std::byte *dst, const std::byte *src,
              std::span<const ByteDim> dims, int64_t bytes) {
  forEachIndex(dims, dst, src, [&](std::byte *to, const std::byte *from) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
  });
}

/// Elements of a width known to the compiler.
template <int WIDTH>
void copyElements(std::byte *dst, const std::byte *src, BlockDims &dims) {
  // The pair whose order differs: the target's fastest dimension, and the
  // source's fastest, which goes next to it.
  const size_t last = dims.size() - 1;
  size_t fastest = last;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i].srcStride < dims[fastest].srcStride)
      fastest = i;
  if (fastest == last) {
    const ByteDim inner = dims.back();
    return forEachIndex(dims.all().first(last), dst, src,
                        [&](std::byte *to, const std::byte *from) {
                          for (int64_t i = 0; i < inner.extent; ++i)
                            std::memcpy(to + i * inner.dstStride,
                                        from + i * inner.srcStride, WIDTH);
                        });
  }
  std::swap(dims[fastest], dims[last - 1]);
  const ByteDim rows = dims[last - 1], columns = dims[last];
  forEachIndex(dims.all().first(last - 1), dst, src,
               [&](std::byte *to, const std::byte *from) {
                 transposeTile<WIDTH>(to, from, rows, columns);
               });
}

} // namespace

void copyStrided(std::byte *dst, const std::byte *src,
                 std::span<const ByteDim> allDims, int64_t elementBytes) {
  BlockDims dims(allDims);
  int64_t run = elementBytes;
  if (dims.size() > 0 && dims.back().srcStride == run &&
      dims.back().dstStride == run) {
    run *= dims.back().extent;
    dims.popBack();
  }
  if (dims.size() == 0) {
    std::memcpy(dst, src, static_cast<size_t>(run));
    return;
  }
  switch (run) {
  case 1:
    return copyElements<1>(dst, src, dims);
  case 2:
    return copyElements<2>(dst, src, dims);
  case 4:
    return copyElements<4>(dst, src, dims);
  case 8:
    return copyElements<8>(dst, src, dims);
  case 16:
    return copyElements<16>(dst, src, dims);
  case 32:
    return copyElements<32>(dst, src, dims);
  case 64:
    return copyElements<64>(dst, src, dims);
  }
  copyRuns(dst, src, dims.all(), run);
}

} // namespace aoa
