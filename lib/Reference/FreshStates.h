//===- FreshStates.h - States of elements that are new ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// With `states=fresh` the elements that `pad`, `repeat`, `plus`, `tie` and
// `copy` make have states of their own: 0 in a moment, the model's value in a
// master.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_REFERENCE_FRESHSTATES_H
#define AOA_LIB_REFERENCE_FRESHSTATES_H

#include "Steps.h"

namespace aoa::reference {

/// Gives the new elements among those that `step` made of a tensor of shape
/// `from` their states. `model` is what it made of the tensor itself.
Expected<WholeTensor> withFreshElements(const Step &step, const Shape &from,
                                        WholeTensor state,
                                        const WholeTensor &model,
                                        bool isMaster);
/// The same where all elements are new.
Expected<WholeTensor> allFresh(const WholeTensor &state,
                               const WholeTensor &model, bool isMaster);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_FRESHSTATES_H
