//===- Add.cpp - A tensor that the caller fills -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/FormatShape.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::add(DType dtype,
                                     llvm::ArrayRef<int64_t> shape) {
  if (!checkedSizeBytes(dtype, shape))
    return std::unexpected(Fault{"a tensor of " + std::string(nameOf(dtype)) +
                                 " " + formatShape(shape) +
                                 " has no size that fits in 63 bits and whole "
                                 "bytes"});
  return TensorType{dtype, affine::Extents(shape)};
}
