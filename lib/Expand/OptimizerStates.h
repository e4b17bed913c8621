//===- OptimizerStates.h - Paddle's names of states -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the paddle dialect statements name model tensors, and a checkpoint may
// hold states of a tensor only. aoa leaves that to the format.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_OPTIMIZERSTATES_H
#define AOA_LIB_EXPAND_OPTIMIZERSTATES_H

#include "llvm/ADT/StringRef.h"

namespace aoa::expand {

inline constexpr llvm::StringLiteral stateSuffixes[] = {
    ".w_0", ".moment1_0", ".moment2_0", ".beta1_pow_acc_0", ".beta2_pow_acc_0"};

/// Returns `name` without the suffix of an optimizer state.
inline llvm::StringRef modelName(llvm::StringRef name) {
  for (llvm::StringRef suffix : stateSuffixes)
    if (name.consume_back(suffix))
      break;
  return name;
}

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_OPTIMIZERSTATES_H
