//===- FlatInverse.h - The way back, statement by statement -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every statement of the expanded script turned round, last first, with names
// as they were: what a name stood for between two statements it stands for
// between the same two on the way back, so names that are bound twice, as by
// swaps and shifts, need no more temporaries than the script had.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_INVERT_FLATINVERSE_H
#define AOA_LIB_INVERT_FLATINVERSE_H

#include "Recovery.h"

namespace aoa::invert {

struct FlatStatement {
  ast::Statement statement;
  /// What left names stand for: values of the forward program.
  llvm::SmallVector<ir::ValueId, 2> reads;
  size_t forward; ///< The statement that it undoes, or none.
  static constexpr size_t none = SIZE_MAX;
};

/// Returns the statements in the order in which they stand; each value has the
/// name that it had. Requires that every tensor of the source comes back.
std::vector<FlatStatement> invertFlat(const Forward &forward,
                                      const Recovery &recovery);

/// Returns the name of a tensor as a statement mentions it.
ast::Name nameOf(llvm::StringRef tensor);

} // namespace aoa::invert

#endif // AOA_LIB_INVERT_FLATINVERSE_H
