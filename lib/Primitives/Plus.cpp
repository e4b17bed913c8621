//===- Plus.cpp - Elements and a number added -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way back adds the negative number, exact where the sum was.
//===----------------------------------------------------------------------===//
#include "Arithmetic.h"

using namespace aoa;
using namespace aoa::primitives;

Inferred<TensorType> primitives::plus(const Operand &operand, double addend) {
  return arithmetic(operand, addend, "added to");
}
