//===- MultiplyElements.h - Scaled shards -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_MAKECHECKPOINT_MULTIPLYELEMENTS_H
#define AOA_LIB_FORMATS_MAKECHECKPOINT_MULTIPLYELEMENTS_H

#include "aoa/Support/DType.h"

namespace aoa {

/// Multiplies `count` elements of a floating point dtype in place: the product
/// in double precision, rounded once to nearest even. What is too large becomes
/// infinite (NaN in F8_E4M3, which has no infinity); a NaN stays as it is.
void multiplyElements(char *elements, int64_t count, DType dtype,
                      double factor);

} // namespace aoa

#endif // AOA_LIB_FORMATS_MAKECHECKPOINT_MULTIPLYELEMENTS_H
