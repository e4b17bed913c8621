//===- FormatElement.cpp - One element as text ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FormatElement.h"

#include "FloatBits.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace aoa {

namespace {

std::string hex(uint64_t bits) { return fmt::format("{:#x}", bits); }

template <DType DTYPE> std::string formatFloat(uint64_t bits) {
  using Format = FloatFormat<DTYPE>;
  const double value = std::bit_cast<double>(
      widenToF64<Format>(static_cast<typename Format::Bits>(bits)));
  if (std::isnan(value))
    return fmt::format("nan ({})", hex(bits));
  // Shortest text that reads back as the same F32, for narrower formats too.
  if (DTYPE != DType::F64)
    return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

} // namespace

uint64_t elementBits(DType dtype, const std::byte *data, int64_t number) {
  const unsigned bits = bitsOf(dtype);
  uint64_t result = 0;
  // Bit by bit only for sub-byte types, whose elements straddle bytes.
  if (bits % 8 == 0) {
    const std::byte *at = data + number * (bits / 8);
    for (unsigned i = 0; i < bits / 8; ++i)
      result |= std::to_integer<uint64_t>(at[i]) << (8 * i);
    return result;
  }
  for (unsigned i = 0; i < bits; ++i) {
    const int64_t bit = number * bits + i;
    result |= (std::to_integer<uint64_t>(data[bit / 8]) >> (bit % 8) & 1) << i;
  }
  return result;
}

std::string formatElement(DType dtype, const std::byte *data, int64_t number) {
  const uint64_t bits = elementBits(dtype, data, number);
  switch (dtype) {
  case DType::BOOL:
    return bits == 0 ? "false" : bits == 1 ? "true" : hex(bits);
  case DType::U8:
  case DType::U16:
  case DType::U32:
  case DType::U64:
    return fmt::format("{}", bits);
  case DType::I8:
    return fmt::format("{}", static_cast<int8_t>(bits));
  case DType::I16:
    return fmt::format("{}", static_cast<int16_t>(bits));
  case DType::I32:
    return fmt::format("{}", static_cast<int32_t>(bits));
  case DType::I64:
    return fmt::format("{}", static_cast<int64_t>(bits));
  case DType::F8_E5M2:
    return formatFloat<DType::F8_E5M2>(bits);
  case DType::F8_E4M3:
    return formatFloat<DType::F8_E4M3>(bits);
  case DType::F16:
    return formatFloat<DType::F16>(bits);
  case DType::BF16:
    return formatFloat<DType::BF16>(bits);
  case DType::F32:
    return formatFloat<DType::F32>(bits);
  case DType::F64:
    return formatFloat<DType::F64>(bits);
  case DType::C64:
    return fmt::format("{}, {}i", formatFloat<DType::F32>(bits & 0xffffffff),
                       formatFloat<DType::F32>(bits >> 32));
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::F8_E8M0:
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ:
    return hex(bits);
  }
  return hex(bits);
}

Shape indexOfElement(const Shape &shape, int64_t number) {
  Shape index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = number % shape[i];
    number /= shape[i];
  }
  return index;
}

} // namespace aoa
