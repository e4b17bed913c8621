//===- Elements.h - One element of a whole tensor ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_ELEMENTS_H
#define AOA_LIB_REFERENCE_ELEMENTS_H

#include "aoa/Catalog/Catalog.h"

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

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_ELEMENTS_H
