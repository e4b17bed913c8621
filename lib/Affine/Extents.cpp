//===- Extents.cpp - Shapes, strides and indexes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Extents.h"

#include <algorithm>

using namespace aoa::affine;

Extents aoa::affine::rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  Extents strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

Extents aoa::affine::indexOf(int64_t address, llvm::ArrayRef<int64_t> shape) {
  Extents index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t extent = std::max<int64_t>(shape[i], 1);
    index[i] = address % extent;
    address /= extent;
  }
  return index;
}
