//===- Arithmetic.cpp - What scale and plus are defined for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Arithmetic.h"

#include <cmath>
#include <limits>

using namespace aoa;
using namespace aoa::primitives;

double primitives::asComputed(double number, DType dtype) {
  if (dtype == DType::F64)
    return number;
  // What would round to infinity must not be converted: it is undefined.
  constexpr double most = std::numeric_limits<float>::max();
  constexpr double halfUlp = 0x1p103;
  if (!(std::fabs(number) < most + halfUlp))
    return std::copysign(std::numeric_limits<double>::infinity(), number);
  return static_cast<float>(number);
}

Inferred<TensorType> primitives::arithmetic(const Operand &operand,
                                            double number,
                                            llvm::StringRef what) {
  if (classOf(operand.dtype) != DTypeClass::Float)
    return std::unexpected(Fault{quoted(operand.name) + " is " +
                                     std::string(nameOf(operand.dtype)) +
                                     ", only floats are " + what.str(),
                                 0});
  if (!std::isfinite(asComputed(number, operand.dtype)))
    return std::unexpected(
        Fault{"a number that is not finite in " +
              std::string(operand.dtype == DType::F64 ? "F64" : "F32") +
              ", in which " + quoted(operand.name) + " is " + what.str()});
  return TensorType{operand.dtype, affine::Extents(operand.shape)};
}
