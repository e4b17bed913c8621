//===- ElementArithmetic.h - Numbers of scripts in tensors ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_ELEMENTARITHMETIC_H
#define AOA_LIB_REFERENCE_ELEMENTARITHMETIC_H

#include "ReadValue.h"

namespace aoa::reference {

/// Returns the bytes of one element; nothing where the dtype has no such value.
std::optional<std::string> elementOf(const Number &value, DType dtype);

/// Returns the nearest element instead. Nothing for dtypes without casts.
std::optional<std::string> nearestElementOf(const Number &value, DType dtype);

/// Multiplies an element with a number, or adds one: both in F32 (F64 for F64),
/// rounded there and then to the dtype. Requires a float dtype with casts.
std::string scaled(std::string_view bytes, DType dtype, double factor);
std::string increased(std::string_view bytes, DType dtype, double addend);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_ELEMENTARITHMETIC_H
