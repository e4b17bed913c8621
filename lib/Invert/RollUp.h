//===- RollUp.h - Statements that differ in numbers, as one -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   l.0.w -> m.1.w           l.$LAYER_ID.w -> m.${LAYER_ID+1}.w
//   l.1.w -> m.2.w      →
//   l.2.w -> m.3.w           for layer in 0..2 {
//                              l.${layer}.w -> m.${layer+1}.w
//                            }
//
// Numbers of names that are the same in all statements, or a constant apart,
// are one variable. Names of one statement that count up become a list. A
// template depends on which names there are; a loop does not.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_ROLLUP_H
#define AOA_LIB_INVERT_ROLLUP_H

#include "SameEffect.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace aoa::invert {

struct Roll {
  std::vector<const FlatStatement *> flat; ///< In their order.
  /// Texts that do the same, if they do: templates, loops, and last the
  /// statements themselves.
  std::vector<std::string> texts;
};

/// What placeholders of the script stood for in what a statement undoes.
using PlaceholderNumbers = std::vector<std::pair<std::string, int64_t>>;
using PlaceholdersOf =
    llvm::function_ref<PlaceholderNumbers(const FlatStatement &)>;

/// Puts statements that differ in numbers together, in the order of the first
/// of each. Variables are called like the placeholders that had their numbers.
/// Requires statements that may be ordered so (canBeRolledUp).
std::vector<Roll> rollUp(FlatStatements flat, PlaceholdersOf placeholdersOf);

/// Whether every statement still reads what it read when statements that differ
/// in numbers only stand together.
bool canBeRolledUp(FlatStatements flat);

/// Whether every statement reads what it read when those of `later` stand
/// behind those of `earlier`, which follow on them now.
bool canStandBehind(FlatStatements later, FlatStatements earlier);

/// Prints the statements, one a line.
std::string printFlat(FlatStatements flat);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_ROLLUP_H
