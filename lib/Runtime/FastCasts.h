//===- FastCasts.h - The casts that checkpoints are full of -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// F32 to and from BF16 and F16, in blocks of constant size on local arrays:
// that is the form in which compilers vectorise at -O2. Where a value needs the
// long way (subnormal, not finite, too large) its lane is marked and done again
// with FloatBits.h; real weights hardly hold any.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_FASTCASTS_H
#define AOA_LIB_RUNTIME_FASTCASTS_H

#include "FloatBits.h"

#include <cstddef>
#include <cstring>

namespace aoa {

/// Rounds F32 to BF16 by arithmetic alone; every value, no marks.
struct F32ToBF16 {
  static constexpr DType from = DType::F32, to = DType::BF16;
  using Src = uint32_t;
  using Dst = uint16_t;
  /// Returns the result; sets `mark` to non-zero when it has to be done again.
  static Dst lane(Src bits, uint32_t &mark) {
    const uint32_t magnitude = bits & 0x7fffffff;
    // 0x7f7f8000 is the first to round up to infinity.
    mark = magnitude >= 0x7f7f8000u;
    return Dst((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

struct BF16ToF32 {
  static constexpr DType from = DType::BF16, to = DType::F32;
  using Src = uint16_t;
  using Dst = uint32_t;
  static Dst lane(Src bits, uint32_t &mark) {
    mark = (bits & 0x7fffu) > 0x7f80u;
    return Dst(bits) << 16;
  }
};

struct F32ToF16 {
  static constexpr DType from = DType::F32, to = DType::F16;
  using Src = uint32_t;
  using Dst = uint16_t;
  static Dst lane(Src bits, uint32_t &mark) {
    const uint32_t magnitude = bits & 0x7fffffff;
    // Normal in F16 from 2^-14 up to what does not round to 2^16. Zero is fine.
    constexpr uint32_t smallest = 0x38800000, tooLarge = 0x477ff000;
    mark = uint32_t(magnitude - smallest >= tooLarge - smallest) &
           uint32_t(magnitude != 0);
    const uint32_t rounded =
        (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    const uint32_t isNotZero = 0u - uint32_t(magnitude != 0);
    return Dst((bits >> 16 & 0x8000) | (rounded & isNotZero));
  }
};

struct F16ToF32 {
  static constexpr DType from = DType::F16, to = DType::F32;
  using Src = uint16_t;
  using Dst = uint32_t;
  static Dst lane(Src bits, uint32_t &mark) {
    const uint32_t magnitude = bits & 0x7fffu;
    mark = uint32_t(magnitude - 0x400 >= 0x7c00 - 0x400) &
           uint32_t(magnitude != 0);
    const uint32_t isNotZero = 0u - uint32_t(magnitude != 0);
    return (uint32_t(bits & 0x8000u) << 16) |
           (((magnitude << 13) + (112u << 23)) & isNotZero);
  }
};

template <typename Cast>
int64_t castInBlocks(std::byte *dst, const std::byte *src, int64_t count) {
  using Src = typename Cast::Src;
  using Dst = typename Cast::Dst;
  constexpr int block = 64;
  int64_t overflows = 0;
  for (int64_t at = 0; at < count; at += block) {
    const size_t here = size_t(count - at < block ? count - at : block);
    alignas(64) Src in[block];
    alignas(64) Dst out[block];
    if (here == block) {
      std::memcpy(in, src + at * sizeof(Src), block * sizeof(Src));
    } else {
      std::memset(in, 0, sizeof(in));
      std::memcpy(in, src + at * sizeof(Src), here * sizeof(Src));
    }
    uint32_t anyMark = 0;
    for (int i = 0; i < block; ++i) {
      uint32_t mark;
      out[i] = Cast::lane(in[i], mark);
      anyMark |= mark;
    }
    if (anyMark)
      for (int i = 0; i < block; ++i) {
        uint32_t mark;
        Cast::lane(in[i], mark);
        if (mark)
          out[i] = roundFromF64<FloatFormat<Cast::to>>(
              widenToF64<FloatFormat<Cast::from>>(in[i]), overflows);
      }
    std::memcpy(dst + at * sizeof(Dst), out, here * sizeof(Dst));
  }
  return overflows;
}

} // namespace aoa

#endif // AOA_LIB_RUNTIME_FASTCASTS_H
