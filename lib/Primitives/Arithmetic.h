//===- Arithmetic.h - What scale and plus are defined for -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PRIMITIVES_ARITHMETIC_H
#define AOA_LIB_PRIMITIVES_ARITHMETIC_H

#include "Faults.h"

namespace aoa::primitives {

/// The number as the elements meet it: in F32, in F64 for F64.
double asComputed(double number, DType dtype);

/// Returns the type of the operand computed with `number`; `what` says how
/// (`scaled`). Fails for dtypes without arithmetic and numbers that are not
/// finite where it is done.
Inferred<TensorType> arithmetic(const Operand &operand, double number,
                                llvm::StringRef what);

} // namespace aoa::primitives

#endif // AOA_LIB_PRIMITIVES_ARITHMETIC_H
