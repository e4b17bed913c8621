//===- Elements.h - One element of a whole tensor ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_ELEMENTS_H
#define AOA_LIB_REFERENCE_ELEMENTS_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Reference/Evaluate.h"
#include "aoa/Support/CheckedMath.h"

#include <cstring>

namespace aoa::reference {

using Index = std::vector<int64_t>;

/// Calls `visit(index)` for every index of `shape` in row-major order.
template <typename Visit> void forEachIndex(const Shape &shape, Visit visit) {
  for (int64_t extent : shape)
    if (extent == 0)
      return;
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    size_t dim = shape.size();
    while (dim != 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

/// Returns the place of an element in a row-major tensor.
inline int64_t placeOf(const Index &index, const Shape &shape) {
  int64_t place = 0;
  for (size_t dim = 0; dim != shape.size(); ++dim)
    place = place * shape[dim] + index[dim];
  return place;
}

/// Copies one element; `to` has the dtype of `from`.
inline void copyElement(WholeTensor &to, int64_t toPlace,
                        const WholeTensor &from, int64_t fromPlace) {
  int64_t size = bytesPerElement(to.dtype);
  std::memcpy(to.bytes.data() + toPlace * size,
              from.bytes.data() + fromPlace * size, size);
  if (auto it = from.signalling.find(fromPlace); it != from.signalling.end())
    to.signalling[toPlace] = it->second;
}

/// Returns a tensor of zeros; fails where its size does not fit, and for dtypes
/// whose elements are not told apart.
inline Expected<WholeTensor> zeros(DType dtype, Shape shape) {
  if (!hasWholeBytes(dtype))
    return fail(ErrorKind::Unsupported,
                "elements of " + std::string(nameOf(dtype)));
  auto size = checkedSizeBytes(dtype, shape);
  if (!size || *size > int64_t(1) << 40)
    return fail(ErrorKind::Limit, "a tensor too large");
  return WholeTensor{dtype, std::move(shape), std::string(*size, '\0')};
}

/// The same elements in another shape of as many.
inline WholeTensor withShape(WholeTensor tensor, Shape shape) {
  tensor.shape = std::move(shape);
  return tensor;
}

/// Makes a tensor of `shape` whose element at an index is the element of `from`
/// at the index `origin` gives for it.
template <typename Origin>
Expected<WholeTensor> gather(const WholeTensor &from, Shape shape,
                             Origin origin) {
  if (!hasWholeBytes(from.dtype) && shape == from.shape) {
    // What moves no element needs not tell them apart.
    bool movesNone = true;
    forEachIndex(shape, [&](const Index &index) {
      movesNone = movesNone && origin(index) == index;
    });
    if (movesNone)
      return from;
  }
  auto to = zeros(from.dtype, std::move(shape));
  if (!to)
    return to;
  forEachIndex(to->shape, [&](const Index &index) {
    copyElement(*to, placeOf(index, to->shape), from,
                placeOf(origin(index), from.shape));
  });
  return to;
}

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_ELEMENTS_H
