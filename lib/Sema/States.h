//===- States.h - Optimizer states follow their tensors ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Statements name tensors of the model. Behind the analysis of these, the graph
// of each result is made again for every state that the source has of the
// tensors it is made of:
//
//   a^T -> c, dtype=bfloat16       c           = cast(transpose(a))
//                                  c.moment1_0 = transpose(a.moment1_0)
//
// Casts are left out: master weights and moments keep their dtypes. Counters
// (step, powers of beta) are copied, and compared where a result has several
// sources. What states cannot follow is refused, or done as the statement's
// `states=` says:
//
//   copy    the same operation on the states
//   fresh   new elements are 0 in moments, the model's value in masters
//
// A target that lists its tensors gets the states that it lists. Cost: linear
// in the program for each kind of state, and in the sources of all results.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_SEMA_STATES_H
#define AOA_LIB_SEMA_STATES_H

#include "ModelEnds.h"
#include "Reporter.h"

namespace aoa::sema {

/// Adds the results that are optimizer states to `program`, which is right and
/// has those of the model, and takes out what stood for tensors of which the
/// source has states only. `statements` has the statement of each operation, or
/// null; `takes` says which names are wanted.
void addStates(ir::Program &program, const ModelEnds &ends,
               llvm::ArrayRef<const ast::Statement *> statements,
               llvm::function_ref<bool(llvm::StringRef)> takes,
               Reporter &reporter);

} // namespace aoa::sema

#endif // AOA_LIB_SEMA_STATES_H
