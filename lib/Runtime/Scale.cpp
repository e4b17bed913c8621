//===- Scale.cpp - Elements multiplied or divided -------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Runtime/Scale.h"

#include "FloatBits.h"

#include <cstring>

namespace aoa {

namespace {

struct MultiplyBy {
  static double apply(double value, double factor) { return value * factor; }
};

struct DivideBy {
  static double apply(double value, double factor) { return value / factor; }
};

/// Returns the bits of the scaled F64. NaN does not go through the machine's
/// arithmetic, because what becomes of its payload there differs.
template <typename Scaling>
uint64_t scaleF64(uint64_t bits, double factor, int64_t &overflows) {
  const uint64_t magnitude = bits & (F64Format::signBit - 1);
  if (magnitude > F64Format::firstNotFinite)
    return bits | uint64_t(1) << (F64Format::fractionBits - 1);
  const auto result = std::bit_cast<uint64_t>(
      Scaling::apply(std::bit_cast<double>(bits), factor));
  overflows += magnitude != F64Format::firstNotFinite &&
               (result & (F64Format::signBit - 1)) == F64Format::firstNotFinite;
  return result;
}

template <typename Scaling, DType DTYPE>
int64_t scaleFloats(std::byte *dst, const std::byte *src, int64_t count,
                    double factor) {
  using Format = FloatFormat<DTYPE>;
  int64_t overflows = 0;
  for (int64_t i = 0; i < count; ++i) {
    typename Format::Bits in;
    std::memcpy(&in, src + i * sizeof(in), sizeof(in));
    const typename Format::Bits out = roundFromF64<Format>(
        scaleF64<Scaling>(widenToF64<Format>(in), factor, overflows),
        overflows);
    std::memcpy(dst + i * sizeof(out), &out, sizeof(out));
  }
  return overflows;
}

template <typename Scaling> ScaleFn findScaling(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return scaleFloats<Scaling, DType::F64>;
  case DType::F32:
    return scaleFloats<Scaling, DType::F32>;
  case DType::F16:
    return scaleFloats<Scaling, DType::F16>;
  case DType::BF16:
    return scaleFloats<Scaling, DType::BF16>;
  case DType::F8_E4M3:
    return scaleFloats<Scaling, DType::F8_E4M3>;
  case DType::F8_E5M2:
    return scaleFloats<Scaling, DType::F8_E5M2>;
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

} // namespace

ScaleFn findMultiply(DType dtype) { return findScaling<MultiplyBy>(dtype); }

ScaleFn findDivide(DType dtype) { return findScaling<DivideBy>(dtype); }

} // namespace aoa
