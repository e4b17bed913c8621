//===- StridedElements.cpp - Single elements of shards --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "StridedElements.h"

#include <cstring>

using namespace aoa;
using namespace aoa::reference;

static std::string multiplied(std::string_view bytes, DType dtype,
                              double factor) {
  std::string wide = castElement(bytes, dtype, DType::F64);
  double value;
  std::memcpy(&value, wide.data(), sizeof value);
  value *= factor;
  std::memcpy(wide.data(), &value, sizeof value);
  return castElement(wide, DType::F64, dtype);
}

void reference::copyElement(const WholeTensor &from, int64_t fromPlace,
                            WholeTensor &to, int64_t toPlace, double scale) {
  size_t size = bytesPerElement(from.dtype);
  std::string element = from.bytes.substr(fromPlace * size, size);
  if (scale != 1)
    element = multiplied(element, from.dtype, scale);
  to.bytes.replace(toPlace * size, size, element);
}

int64_t reference::addressOf(const Index &index, int64_t offset,
                             const Shape &strides) {
  for (size_t dim = 0; dim != index.size(); ++dim)
    offset += index[dim] * strides[dim];
  return offset;
}
