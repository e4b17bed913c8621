//===- Scale.cpp - Elements multiplied, divided, added to -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Runtime/Scale.h"

#include "FloatBits.h"
#include "aoa/Support/ElementOps.h"

#include <cstring>

namespace aoa {

namespace {

struct MultiplyBy {
  static constexpr bool roundsToF32 = false;
  static double apply(double value, double number) { return value * number; }
};

struct DivideBy {
  static constexpr bool roundsToF32 = false;
  static double apply(double value, double number) { return value / number; }
};

struct ScaleBy {
  static constexpr bool roundsToF32 = true;
  static double apply(double value, double number) { return value * number; }
};

struct AddTo {
  static constexpr bool roundsToF32 = true;
  static double apply(double value, double number) { return value + number; }
};

/// Returns the bits of the F64 that the operation makes. NaN does not go
/// through the machine's arithmetic, because what becomes of its payload there
/// differs.
template <typename Operation>
uint64_t computeF64(uint64_t bits, double number, int64_t &overflows) {
  const uint64_t magnitude = bits & (F64Format::signBit - 1);
  if (magnitude > F64Format::firstNotFinite)
    return bits | uint64_t(1) << (F64Format::fractionBits - 1);
  const auto result = std::bit_cast<uint64_t>(
      Operation::apply(std::bit_cast<double>(bits), number));
  overflows += magnitude != F64Format::firstNotFinite &&
               (result & (F64Format::signBit - 1)) == F64Format::firstNotFinite;
  return result;
}

template <typename Operation, DType DTYPE>
int64_t computeFloats(std::byte *dst, const std::byte *src, int64_t count,
                      double number) {
  using Format = FloatFormat<DTYPE>;
  // In F32, by way of F64: a product of two F32 is exact there, and of a sum
  // F64 keeps more than twice the bits of F32, so that rounding it again gives
  // what rounding the exact sum once does.
  constexpr bool isByF32 = Operation::roundsToF32 && DTYPE != DType::F64;
  if constexpr (isByF32)
    number = arithmeticNumber(DTYPE, number);
  int64_t overflows = 0;
  for (int64_t i = 0; i < count; ++i) {
    typename Format::Bits in;
    std::memcpy(&in, src + i * sizeof(in), sizeof(in));
    uint64_t wide =
        computeF64<Operation>(widenToF64<Format>(in), number, overflows);
    if constexpr (isByF32 && DTYPE != DType::F32)
      wide = widenToF64<FloatFormat<DType::F32>>(
          roundFromF64<FloatFormat<DType::F32>>(wide, overflows));
    const typename Format::Bits out = roundFromF64<Format>(wide, overflows);
    std::memcpy(dst + i * sizeof(out), &out, sizeof(out));
  }
  return overflows;
}

template <typename Operation> ScaleFn findKernel(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return computeFloats<Operation, DType::F64>;
  case DType::F32:
    return computeFloats<Operation, DType::F32>;
  case DType::F16:
    return computeFloats<Operation, DType::F16>;
  case DType::BF16:
    return computeFloats<Operation, DType::BF16>;
  case DType::F8_E4M3:
    return computeFloats<Operation, DType::F8_E4M3>;
  case DType::F8_E5M2:
    return computeFloats<Operation, DType::F8_E5M2>;
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

ScaleFn findMultiply(DType dtype) { return findKernel<MultiplyBy>(dtype); }

ScaleFn findDivide(DType dtype) { return findKernel<DivideBy>(dtype); }

ScaleFn findScale(DType dtype) { return findKernel<ScaleBy>(dtype); }

ScaleFn findPlus(DType dtype) { return findKernel<AddTo>(dtype); }

} // namespace aoa
