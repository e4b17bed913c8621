//===- StridedCopy.h - Blocks copied between two layouts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Copies an N-d block of elements from one strided place to another. Defined
// for all extents and strides of 0 or more; source and target do not overlap.
// Runs that are contiguous on both sides go by memcpy, transposed pairs of
// dimensions in blocks that fit the cache. Nothing is allocated.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_STRIDEDCOPY_H
#define AOA_LIB_RUNTIME_STRIDEDCOPY_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aoa {

/// One dimension of a block; strides in bytes.
struct ByteDim {
  int64_t extent;
  int64_t srcStride;
  int64_t dstStride;
};

/// A block with extents of at least 2 has at most 62 dimensions: the number of
/// its elements fits 63 bits.
inline constexpr size_t maxBlockDims = 63;

/// Dimensions in canonical form: none of extent 1, largest target stride first,
/// neighbours merged that are one run on both sides.
class BlockDims {
public:
  /// Requires that the product of the extents fits 63 bits.
  explicit BlockDims(std::span<const ByteDim> dims);

  size_t size() const { return count; }
  ByteDim &operator[](size_t i) { return dims[i]; }
  const ByteDim &operator[](size_t i) const { return dims[i]; }
  ByteDim &back() { return dims[count - 1]; }
  void popBack() { --count; }
  std::span<ByteDim> all() { return {dims.data(), count}; }
  std::span<const ByteDim> all() const { return {dims.data(), count}; }

private:
  std::array<ByteDim, maxBlockDims> dims;
  size_t count = 0;
};

void copyStrided(std::byte *dst, const std::byte *src,
                 std::span<const ByteDim> dims, int64_t elementBytes);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_STRIDEDCOPY_H
