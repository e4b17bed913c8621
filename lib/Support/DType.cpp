//===- DType.cpp - Element types ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Support/DType.h"

#include "aoa/Support/CheckedMath.h"

using namespace aoa;

namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  std::string_view pythonName;
  unsigned bits;
  DTypeClass dtypeClass;
};

constexpr DTypeRow rows[] = {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS)                                   \
  {DType::NAME, #NAME, PYTHON, BITS, DTypeClass::CLASS},
#include "aoa/Support/DType.def"
};

const DTypeRow &rowOf(DType dtype) { return rows[static_cast<size_t>(dtype)]; }

bool isUnsigned(DType dtype) {
  return dtype == DType::U8 || dtype == DType::U16 || dtype == DType::U32 ||
         dtype == DType::U64;
}

} // namespace

std::string_view aoa::nameOf(DType dtype) { return rowOf(dtype).name; }

std::string_view aoa::pythonNameOf(DType dtype) {
  return rowOf(dtype).pythonName;
}

unsigned aoa::bitsOf(DType dtype) { return rowOf(dtype).bits; }

DTypeClass aoa::classOf(DType dtype) { return rowOf(dtype).dtypeClass; }

std::optional<DType> aoa::dtypeFromSafetensors(std::string_view name) {
  for (const DTypeRow &row : rows)
    if (row.name == name)
      return row.dtype;
  return std::nullopt;
}

std::optional<DType> aoa::dtypeFromAnyName(std::string_view name) {
  for (const DTypeRow &row : rows)
    if (row.name == name || row.pythonName == name)
      return row.dtype;
  return std::nullopt;
}

std::optional<int64_t> aoa::checkedSizeBytes(DType dtype,
                                             std::span<const int64_t> shape) {
  auto numElements = checkedNumElements(shape);
  if (!numElements)
    return std::nullopt;
  auto bits = checkedMul(*numElements, bitsOf(dtype));
  if (!bits || *bits % 8 != 0)
    return std::nullopt;
  return *bits / 8;
}

bool aoa::canConvert(DType from, DType to) {
  if (from == to)
    return true;
  DTypeClass fromClass = classOf(from), toClass = classOf(to);
  if (toClass == DTypeClass::Float)
    return fromClass != DTypeClass::Opaque;
  if (fromClass == DTypeClass::Bool)
    return toClass == DTypeClass::Integer;
  if (fromClass != DTypeClass::Integer || toClass != DTypeClass::Integer)
    return false;
  // A wider type holds all values, but an unsigned one no negative values.
  return bitsOf(to) > bitsOf(from) && (isUnsigned(from) || !isUnsigned(to));
}

bool aoa::canCast(DType from, DType to) {
  bool becomesFloat =
      classOf(from) != DTypeClass::Float && classOf(to) == DTypeClass::Float;
  return canConvert(from, to) && !becomesFloat;
}
