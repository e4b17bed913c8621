//===- Scale.cpp - Elements times a number ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back is a scale by 1 / factor, exact where the factor is a power of
// two and nothing overflows or becomes subnormal.
//===----------------------------------------------------------------------===//
#include "Arithmetic.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::scale(const Operand &operand, double factor) {
  auto type = arithmetic(operand, factor, "scaled");
  if (type && asComputed(factor, operand.dtype) == 0)
    return std::unexpected(
        Fault{factor == 0 ? "a factor of 0, which has no way back"
                          : "a factor that is 0 in F32, in which " +
                                quoted(operand.name) + " is scaled"});
  return type;
}
