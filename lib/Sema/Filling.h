//===- Filling.h - What a new tensor is filled with -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   _ -> b, shape=[4, 2], dtype=float32, value=0.5
//
// The attributes of a declaration, in any order. Without any of them the caller
// fills the tensor.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_FILLING_H
#define AOA_LIB_SEMA_FILLING_H

#include "Reporter.h"
#include "aoa/Primitives/Primitives.h"

namespace aoa::sema {

struct Filling {
  bool isLeftToCaller = true;
  primitives::TensorType type = {};
  primitives::Number value = int64_t(0);
};

/// Reads the attributes of `_ -> b`. Reports what is wrong with them, also what
/// is missing and a value that the dtype does not have; then nothing is
/// returned.
std::optional<Filling> readFilling(const ast::Statement &statement,
                                   ast::Dialect dialect, Reporter &reporter);

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_FILLING_H
