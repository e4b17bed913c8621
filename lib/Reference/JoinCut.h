//===- JoinCut.h - Several tensors to one, one to several -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_JOINCUT_H
#define AOA_LIB_REFERENCE_JOINCUT_H

#include "Steps.h"

namespace aoa::reference {

/// Makes one tensor of the operands: merge, grouped merge, stack or tie. An
/// axis that nothing says is 0.
Expected<WholeTensor> join(const std::vector<WholeTensor> &operands,
                           const JoinCut &how);

/// Makes `count` tensors of one: split, grouped split, unstack, or copies where
/// no axis says otherwise.
Expected<std::vector<WholeTensor>> cut(const WholeTensor &operand, size_t count,
                                       const JoinCut &how);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_JOINCUT_H
