//===- CastTensor.h - Casts of whole tensors --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_CASTTENSOR_H
#define AOA_LIB_REFERENCE_CASTTENSOR_H

#include "aoa/Reference/Evaluate.h"

namespace aoa::reference {

/// Casts element by element. Casts that hold every value and the way back give
/// the very bits that were there.
Expected<WholeTensor> castTensor(const WholeTensor &from, DType dtype);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_CASTTENSOR_H
