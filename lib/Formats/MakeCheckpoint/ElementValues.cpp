//===- ElementValues.cpp - Values that tell where they belong ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "MakeCheckpoint/ElementValues.h"

#include "aoa/Formats/MakeCheckpoint.h"
#include "aoa/Support/CheckedMath.h"

#include <cstring>
#include <xxhash.h>

namespace aoa {

const std::string_view madeValuesHelp =
    R"(Values. Tensors are taken in the order of their names, elements in row-major
order of the whole tensor.
  I32 U32 I64 U64 F32 F64  a running number over all tensors of these dtypes, the
                           first is seed + 1: no two elements of the checkpoint
                           are equal, none is 0. A tensor whose last number would
                           not be exact in its dtype (F32 2^24, F64 2^53) is
                           hashed instead and takes no numbers.
  all others               h = mix(XXH3_64(name, seed) + i * 0x9E3779B97F4A7C15)
                           for element i, with mix of splitmix64: its low bits
                           (BOOL the lowest). A float that would be infinite or
                           no number gets the highest bit of its exponent
                           flipped. Elements of F4 and F6 are hashed byte by
                           byte.
)";

namespace {

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

/// Numbers up to this one are exact; 0 for dtypes that are always hashed.
uint64_t largestNumber(DType dtype) {
  switch (dtype) {
  case DType::I32:
    return INT32_MAX;
  case DType::U32:
    return UINT32_MAX;
  case DType::I64:
  case DType::U64:
    return INT64_MAX;
  case DType::F32:
    return uint64_t(1) << 24;
  case DType::F64:
    return uint64_t(1) << 53;
  case DType::BOOL:
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::U8:
  case DType::I8:
  case DType::F8_E5M2:
  case DType::F8_E4M3:
  case DType::F8_E8M0:
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ:
  case DType::I16:
  case DType::U16:
  case DType::F16:
  case DType::BF16:
  case DType::C64:
    return 0;
  }
  return 0;
}

/// Flips the highest bit of the exponent if all bits of `exponent` are set.
uint64_t finite(uint64_t bits, uint64_t exponent) {
  uint64_t highest = exponent & ~(exponent >> 1);
  return (bits & exponent) == exponent ? bits ^ highest : bits;
}

/// The low bits of the result are the element.
uint64_t hashedElement(DType dtype, uint64_t hash) {
  switch (dtype) {
  case DType::BOOL:
    return hash & 1;
  case DType::F8_E5M2:
    return finite(hash, 0x7C);
  case DType::F8_E4M3: // Only all ones is no number.
    return (hash & 0x7F) == 0x7F ? hash ^ 0x40 : hash;
  case DType::F8_E8M0:
    return finite(hash, 0xFF);
  case DType::F8_E4M3FNUZ:
  case DType::F8_E5M2FNUZ: // Only -0 is no number.
    return (hash & 0xFF) == 0x80 ? hash ^ 0x40 : hash;
  case DType::F16:
    return finite(hash, 0x7C00);
  case DType::BF16:
    return finite(hash, 0x7F80);
  case DType::F32:
    return finite(hash, 0x7F800000);
  case DType::F64:
    return finite(hash, 0x7FF0000000000000);
  case DType::C64:
    return finite(finite(hash, 0x7F800000), 0x7F80000000000000);
  case DType::F4:
  case DType::F6_E2M3:
  case DType::F6_E3M2:
  case DType::U8:
  case DType::I8:
  case DType::I16:
  case DType::U16:
  case DType::I32:
  case DType::U32:
  case DType::I64:
  case DType::U64:
    return hash;
  }
  return hash;
}

template <typename Element>
void fillNumbers(uint64_t first, int64_t count, char *out) {
  for (int64_t i = 0; i != count; ++i) {
    Element element = static_cast<Element>(first + static_cast<uint64_t>(i));
    std::memcpy(out + static_cast<size_t>(i) * sizeof(Element), &element,
                sizeof(Element));
  }
}

template <typename Bits>
void fillHashes(DType dtype, uint64_t start, int64_t first, int64_t count,
                char *out) {
  for (int64_t i = 0; i != count; ++i) {
    uint64_t position = static_cast<uint64_t>(first + i);
    uint64_t hash = mix(start + position * 0x9E3779B97F4A7C15);
    Bits bits = static_cast<Bits>(hashedElement(dtype, hash));
    std::memcpy(out + static_cast<size_t>(i) * sizeof(Bits), &bits,
                sizeof(Bits));
  }
}

} // namespace

void ElementValues::fill(int64_t first, int64_t count, char *out) const {
  if (isNumbered) {
    uint64_t number = start + static_cast<uint64_t>(first);
    if (dtype == DType::F32)
      fillNumbers<float>(number, count, out);
    else if (dtype == DType::F64)
      fillNumbers<double>(number, count, out);
    else if (bitsOf(dtype) == 32)
      fillNumbers<uint32_t>(number, count, out);
    else
      fillNumbers<uint64_t>(number, count, out);
    return;
  }
  switch (bitsOf(dtype)) {
  case 64:
    return fillHashes<uint64_t>(dtype, start, first, count, out);
  case 32:
    return fillHashes<uint32_t>(dtype, start, first, count, out);
  case 16:
    return fillHashes<uint16_t>(dtype, start, first, count, out);
  default:
    return fillHashes<uint8_t>(dtype, start, first, count, out);
  }
}

ElementValues ElementNumbering::valuesOf(const Tensor &tensor) {
  uint64_t numElements =
      static_cast<uint64_t>(checkedNumElements(tensor.shape).value_or(0));
  uint64_t largest = largestNumber(tensor.dtype);
  ElementValues values;
  values.dtype = tensor.dtype;
  values.isNumbered = lastNumber <= largest &&
                      numElements <= largest - lastNumber && largest != 0;
  if (values.isNumbered) {
    values.start = lastNumber + 1;
    lastNumber += numElements;
  } else {
    values.start =
        XXH3_64bits_withSeed(tensor.name.data(), tensor.name.size(), seed);
  }
  return values;
}

} // namespace aoa
