//===- TransposeTile.h - Two dimensions in the other order ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `rows` is the source's fastest dimension, `columns` the target's. Blocks of
// one cache line a side keep both sides' lines in L1; inside them small squares
// are transposed in registers where the machine has SSE2 and both sides are
// contiguous.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_TRANSPOSETILE_H
#define AOA_LIB_RUNTIME_TRANSPOSETILE_H

#include "StridedCopy.h"

#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace aoa {

/// Transposes one square of `SquareOf<WIDTH>::extent` elements a side.
template <int WIDTH> struct SquareOf {
  static constexpr int64_t extent = 0; ///< There is no square of this width.
  static void transpose(std::byte *, int64_t, const std::byte *, int64_t) {}
};

#ifdef __SSE2__
inline __m128i loadSquareRow(const std::byte *at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
}
inline void storeSquareRow(std::byte *at, __m128i row) {
  _mm_storeu_si128(reinterpret_cast<__m128i *>(at), row);
}

template <> struct SquareOf<2> {
  static constexpr int64_t extent = 8;
  static void transpose(std::byte *dst, int64_t dstPitch, const std::byte *src,
                        int64_t srcPitch) {
    __m128i in[8], pairs[8], quads[8];
    for (int i = 0; i < 8; ++i)
      in[i] = loadSquareRow(src + i * srcPitch);
    for (int i = 0; i < 4; ++i) {
      pairs[2 * i] = _mm_unpacklo_epi16(in[2 * i], in[2 * i + 1]);
      pairs[2 * i + 1] = _mm_unpackhi_epi16(in[2 * i], in[2 * i + 1]);
    }
    for (int half = 0; half < 2; ++half)
      for (int i = 0; i < 2; ++i) {
        const __m128i a = pairs[4 * half + i], b = pairs[4 * half + 2 + i];
        quads[4 * half + 2 * i] = _mm_unpacklo_epi32(a, b);
        quads[4 * half + 2 * i + 1] = _mm_unpackhi_epi32(a, b);
      }
    for (int i = 0; i < 4; ++i) {
      storeSquareRow(dst + 2 * i * dstPitch,
                     _mm_unpacklo_epi64(quads[i], quads[4 + i]));
      storeSquareRow(dst + (2 * i + 1) * dstPitch,
                     _mm_unpackhi_epi64(quads[i], quads[4 + i]));
    }
  }
};

template <> struct SquareOf<4> {
  static constexpr int64_t extent = 4;
  static void transpose(std::byte *dst, int64_t dstPitch, const std::byte *src,
                        int64_t srcPitch) {
    const __m128i a = loadSquareRow(src), b = loadSquareRow(src + srcPitch),
                  c = loadSquareRow(src + 2 * srcPitch),
                  d = loadSquareRow(src + 3 * srcPitch);
    const __m128i abLow = _mm_unpacklo_epi32(a, b),
                  abHigh = _mm_unpackhi_epi32(a, b),
                  cdLow = _mm_unpacklo_epi32(c, d),
                  cdHigh = _mm_unpackhi_epi32(c, d);
    storeSquareRow(dst, _mm_unpacklo_epi64(abLow, cdLow));
    storeSquareRow(dst + dstPitch, _mm_unpackhi_epi64(abLow, cdLow));
    storeSquareRow(dst + 2 * dstPitch, _mm_unpacklo_epi64(abHigh, cdHigh));
    storeSquareRow(dst + 3 * dstPitch, _mm_unpackhi_epi64(abHigh, cdHigh));
  }
};

template <> struct SquareOf<8> {
  static constexpr int64_t extent = 2;
  static void transpose(std::byte *dst, int64_t dstPitch, const std::byte *src,
                        int64_t srcPitch) {
    const __m128i a = loadSquareRow(src), b = loadSquareRow(src + srcPitch);
    storeSquareRow(dst, _mm_unpacklo_epi64(a, b));
    storeSquareRow(dst + dstPitch, _mm_unpackhi_epi64(a, b));
  }
};
#endif

template <int WIDTH>
void transposeElements(std::byte *dst, const std::byte *src, ByteDim rows,
                       ByteDim columns) {
  for (int64_t row = 0; row < rows.extent; ++row)
    for (int64_t column = 0; column < columns.extent; ++column)
      std::memcpy(dst + row * rows.dstStride + column * columns.dstStride,
                  src + row * rows.srcStride + column * columns.srcStride,
                  WIDTH);
}

/// One block of at most a cache line a side.
template <int WIDTH>
void transposeBlock(std::byte *dst, const std::byte *src, ByteDim rows,
                    ByteDim columns) {
  constexpr int64_t side = SquareOf<WIDTH>::extent;
  if constexpr (side != 0)
    if (rows.srcStride == WIDTH && columns.dstStride == WIDTH &&
        rows.extent % side == 0 && columns.extent % side == 0) {
      for (int64_t row = 0; row < rows.extent; row += side)
        for (int64_t column = 0; column < columns.extent; column += side)
          SquareOf<WIDTH>::transpose(
              dst + row * rows.dstStride + column * WIDTH, rows.dstStride,
              src + row * WIDTH + column * columns.srcStride,
              columns.srcStride);
      return;
    }
  transposeElements<WIDTH>(dst, src, rows, columns);
}

template <int WIDTH>
void transposeTile(std::byte *dst, const std::byte *src, ByteDim rows,
                   ByteDim columns) {
  constexpr int64_t block = std::max(64 / WIDTH, 4);
  for (int64_t row = 0; row < rows.extent; row += block)
    for (int64_t column = 0; column < columns.extent; column += block) {
      ByteDim blockRows = rows, blockColumns = columns;
      blockRows.extent = std::min(block, rows.extent - row);
      blockColumns.extent = std::min(block, columns.extent - column);
      transposeBlock<WIDTH>(
          dst + row * rows.dstStride + column * columns.dstStride,
          src + row * rows.srcStride + column * columns.srcStride, blockRows,
          blockColumns);
    }
}

} // namespace aoa

#endif // AOA_LIB_RUNTIME_TRANSPOSETILE_H
