//===- SameEffect.h - Whether statements do the same ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_INVERT_SAMEEFFECT_H
#define AOA_LIB_INVERT_SAMEEFFECT_H

#include "FlatInverse.h"

namespace aoa::invert {

using Statements = llvm::ArrayRef<const ast::Statement *>;
using FlatStatements = llvm::ArrayRef<const FlatStatement *>;

/// Whether `statements` (primitives) bind the same names to the same elements
/// as `flat`, of the values of `forward` that these read, leave the same names
/// and compare the same, whatever that is called. Exact, but for comparisons
/// that begin with the same elements, which must be in the same order of names.
/// Cost: linear where the texts are the same, else that of analyzing and
/// lowering both.
bool haveSameEffect(const ir::Program &forward, FlatStatements flat,
                    Statements statements);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_SAMEEFFECT_H
