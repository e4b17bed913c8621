//===- Rename.cpp - Another name for a tensor -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Primitives/Primitives.h"

aoa::primitives::TensorType aoa::primitives::rename(const Operand &operand) {
  return {operand.dtype, affine::Extents(operand.shape)};
}
