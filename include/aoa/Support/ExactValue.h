//===- ExactValue.h - One number as an element of a tensor ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_SUPPORT_EXACTVALUE_H
#define AOA_SUPPORT_EXACTVALUE_H

#include "aoa/Support/DType.h"

#include <optional>
#include <string>

namespace aoa {

/// Returns the bytes (little endian) of `value` as one element of `dtype`, or
/// nothing if the dtype has no such value: no rounding. BOOL has 0 and 1, C64
/// the real numbers of F32; F8_E8M0 has powers of two only, not 0. Dtypes whose
/// elements are parts of bytes have none.
std::optional<std::string> encodeExactly(double value, DType dtype);

} // namespace aoa

#endif // AOA_SUPPORT_EXACTVALUE_H
