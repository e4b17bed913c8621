//===- Cast.cpp - Which kernel converts what --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Runtime/Cast.h"

#include "FastCasts.h"
#include "FloatBits.h"

#include <cstring>
#include <type_traits>

namespace aoa {

namespace {

template <int64_t BYTES>
int64_t copyElements(std::byte *dst, const std::byte *src, int64_t count) {
  std::memcpy(dst, src, static_cast<size_t>(count * BYTES));
  return 0;
}

template <DType FROM, DType TO>
int64_t castFloats(std::byte *dst, const std::byte *src, int64_t count) {
  using Src = FloatFormat<FROM>;
  using Dst = FloatFormat<TO>;
  int64_t overflows = 0;
  for (int64_t i = 0; i < count; ++i) {
    typename Src::Bits in;
    std::memcpy(&in, src + i * sizeof(in), sizeof(in));
    const typename Dst::Bits out =
        roundFromF64<Dst>(widenToF64<Src>(in), overflows);
    std::memcpy(dst + i * sizeof(out), &out, sizeof(out));
  }
  return overflows;
}

/// An element of BOOL: any byte but 0 is true, and true is 1.
struct BoolByte {
  uint8_t byte;
  operator uint8_t() const { return byte != 0; }
};

template <typename Src, typename Dst>
int64_t widenIntegers(std::byte *dst, const std::byte *src, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Src in;
    std::memcpy(&in, src + i * sizeof(in), sizeof(in));
    const Dst out = static_cast<Dst>(in);
    std::memcpy(dst + i * sizeof(out), &out, sizeof(out));
  }
  return 0;
}

template <typename Src, DType TO>
int64_t roundIntegers(std::byte *dst, const std::byte *src, int64_t count) {
  using Dst = FloatFormat<TO>;
  int64_t overflows = 0;
  for (int64_t i = 0; i < count; ++i) {
    Src in;
    std::memcpy(&in, src + i * sizeof(in), sizeof(in));
    uint64_t magnitude = static_cast<uint64_t>(in);
    bool isNegative = false;
    if constexpr (std::is_signed_v<Src>) {
      isNegative = in < 0;
      if (isNegative)
        magnitude = 0 - magnitude;
    }
    const typename Dst::Bits out =
        roundInteger<Dst>(isNegative, magnitude, overflows);
    std::memcpy(dst + i * sizeof(out), &out, sizeof(out));
  }
  return overflows;
}

template <DType FROM> CastFn findFloatCast(DType to) {
  switch (to) {
  case DType::F64:
    return castFloats<FROM, DType::F64>;
  case DType::F32:
    if constexpr (FROM == DType::BF16)
      return castInBlocks<BF16ToF32>;
    if constexpr (FROM == DType::F16)
      return castInBlocks<F16ToF32>;
    return castFloats<FROM, DType::F32>;
  case DType::F16:
    if constexpr (FROM == DType::F32)
      return castInBlocks<F32ToF16>;
    return castFloats<FROM, DType::F16>;
  case DType::BF16:
    if constexpr (FROM == DType::F32)
      return castInBlocks<F32ToBF16>;
    return castFloats<FROM, DType::BF16>;
  case DType::F8_E4M3:
    return castFloats<FROM, DType::F8_E4M3>;
  case DType::F8_E5M2:
    return castFloats<FROM, DType::F8_E5M2>;
  case DType::BOOL:
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::U8:
  case DType::I8:
  case DType::F8_E8M0:
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ:
  case DType::I16:
  case DType::U16:
  case DType::I32:
  case DType::U32:
  case DType::C64:
  case DType::I64:
  case DType::U64:
    return nullptr;
  }
  return nullptr;
}

template <typename Src> CastFn findIntegerCast(DType to) {
  switch (to) {
  case DType::U8:
    return widenIntegers<Src, uint8_t>;
  case DType::I8:
    return widenIntegers<Src, int8_t>;
  case DType::I16:
    return widenIntegers<Src, int16_t>;
  case DType::U16:
    return widenIntegers<Src, uint16_t>;
  case DType::I32:
    return widenIntegers<Src, int32_t>;
  case DType::U32:
    return widenIntegers<Src, uint32_t>;
  case DType::I64:
    return widenIntegers<Src, int64_t>;
  case DType::U64:
    return widenIntegers<Src, uint64_t>;
  case DType::F64:
    return roundIntegers<Src, DType::F64>;
  case DType::F32:
    return roundIntegers<Src, DType::F32>;
  case DType::F16:
    return roundIntegers<Src, DType::F16>;
  case DType::BF16:
    return roundIntegers<Src, DType::BF16>;
  case DType::F8_E4M3:
    return roundIntegers<Src, DType::F8_E4M3>;
  case DType::F8_E5M2:
    return roundIntegers<Src, DType::F8_E5M2>;
  case DType::BOOL:
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::F8_E8M0:
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ:
  case DType::C64:
    return nullptr;
  }
  return nullptr;
}

CastFn findCopy(DType dtype) {
  if (!hasWholeBytes(dtype))
    return nullptr;
  switch (bytesPerElement(dtype)) {
  case 1:
    return copyElements<1>;
  case 2:
    return copyElements<2>;
  case 4:
    return copyElements<4>;
  }
  return copyElements<8>;
}

} // namespace

CastFn findCast(DType from, DType to) {
  if (!canConvert(from, to))
    return nullptr;
  if (from == to)
    return findCopy(from);
  switch (from) {
  case DType::F64:
    return findFloatCast<DType::F64>(to);
  case DType::F32:
    return findFloatCast<DType::F32>(to);
  case DType::F16:
    return findFloatCast<DType::F16>(to);
  case DType::BF16:
    return findFloatCast<DType::BF16>(to);
  case DType::F8_E4M3:
    return findFloatCast<DType::F8_E4M3>(to);
  case DType::F8_E5M2:
    return findFloatCast<DType::F8_E5M2>(to);
  case DType::BOOL:
    return findIntegerCast<BoolByte>(to);
  case DType::U8:
    return findIntegerCast<uint8_t>(to);
  case DType::I8:
    return findIntegerCast<int8_t>(to);
  case DType::I16:
    return findIntegerCast<int16_t>(to);
  case DType::U16:
    return findIntegerCast<uint16_t>(to);
  case DType::I32:
    return findIntegerCast<int32_t>(to);
  case DType::U32:
    return findIntegerCast<uint32_t>(to);
  case DType::I64:
    return findIntegerCast<int64_t>(to);
  case DType::U64:
    return findIntegerCast<uint64_t>(to);
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::F8_E8M0:
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ:
  case DType::C64:
    return nullptr; // They go nowhere else.
  }
  return nullptr;
}

} // namespace aoa
