//===- Cast.cpp - Elements of another dtype ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"

using namespace aoa;
using namespace aoa::primitives;

static std::string refusal(DType from, DType to) {
  if (classOf(from) == DTypeClass::Opaque || classOf(to) == DTypeClass::Opaque)
    return "such elements are only moved, not converted";
  if (classOf(from) == DTypeClass::Float || classOf(to) == DTypeClass::Float)
    return "casts go between floats, or from an integer to a wider one";
  return "an integer is cast only to one that holds all its values";
}

Inferred<TensorType> primitives::cast(const Operand &operand, DType to,
                                      bool (&exists)(DType, DType)) {
  if (!exists(operand.dtype, to))
    return std::unexpected(Fault{
        "`" + operand.name.str() + "` is " +
            std::string(nameOf(operand.dtype)) + ", which has no cast to " +
            std::string(nameOf(to)) + ": " + refusal(operand.dtype, to),
        0});
  return TensorType{to, affine::Extents(operand.shape)};
}
