//===- CastTensor.cpp - Casts of whole tensors ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "CastTensor.h"
#include "Elements.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::reference;

/// Converts the element at `place` of `from`; `to` has the same shape.
static void convertElement(WholeTensor &to, const WholeTensor &from,
                           int64_t place) {
  int64_t fromSize = bytesPerElement(from.dtype),
          toSize = bytesPerElement(to.dtype);
  std::string value = from.bytes.substr(place * fromSize, fromSize);
  std::string result = castElement(value, from.dtype, to.dtype);
  std::vector<WholeTensor::Before> before;
  if (auto it = from.signalling.find(place); it != from.signalling.end())
    before = it->second;
  auto sameDType = [&](const WholeTensor::Before &each) {
    return each.dtype == to.dtype;
  };
  if (auto it = std::ranges::find_if(before, sameDType); it != before.end()) {
    result = it->bytes;
    before.erase(it, before.end());
  } else if (!holdsEveryValue(to.dtype, from.dtype)) {
    before.clear();
  } else if (!before.empty() ||
             castElement(result, to.dtype, from.dtype) != value) {
    before.push_back({from.dtype, value});
  }
  to.bytes.replace(place * toSize, toSize, result);
  if (!before.empty())
    to.signalling[place] = std::move(before);
}

Expected<WholeTensor> reference::castTensor(const WholeTensor &from,
                                            DType dtype) {
  if (from.dtype == dtype)
    return from;
  if (!canConvert(from.dtype, dtype))
    return fail(ErrorKind::Unsupported,
                "a cast of " + std::string(nameOf(from.dtype)) + " to " +
                    std::string(nameOf(dtype)));
  auto to = zeros(dtype, from.shape);
  if (!to)
    return to;
  int64_t fromSize = bytesPerElement(from.dtype);
  for (int64_t i = 0; i * fromSize != std::ssize(from.bytes); ++i)
    convertElement(*to, from, i);
  return to;
}
