//===- OptimizerStates.h - Paddle's names of states -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the paddle dialect statements name model tensors, and a checkpoint may
// hold states of a tensor only. aoa leaves that to the format.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_OPTIMIZERSTATES_H
#define AOA_LIB_EXPAND_OPTIMIZERSTATES_H

#include "aoa/Catalog/StateNames.h"
#include "llvm/ADT/StringRef.h"

namespace aoa::expand {

/// Returns `name` without the suffix of an optimizer state.
inline llvm::StringRef modelName(llvm::StringRef name) {
  auto state = stateName(StateConvention::Paddle, name);
  return state ? llvm::StringRef(state->tensor) : name;
}

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_OPTIMIZERSTATES_H
