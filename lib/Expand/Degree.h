//===- Degree.h - In how many parts a macro's tensor is cut -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `fused_ffn` and `fused_qkv_old` arrange a tensor for the ranks that hold it.
// How many these are is asked of the source for a left name and of the target
// for a right one, followed through other statements. In the aoa dialect it is
// the number of parts along the macro's axis; upstream counts the distinct
// offsets of the shards, along whatever axes they are.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_DEGREE_H
#define AOA_LIB_EXPAND_DEGREE_H

#include "Expander.h"

namespace aoa::expand {

/// The macro that asks.
struct DegreeQuestion {
  Expander &expander;
  size_t index;                    ///< In expander.statements.
  const ast::Statement &statement; ///< What `^T` left of it.
  llvm::StringRef macro;
  int64_t axis;
};

/// The degree of the only left name. Reports and returns nothing when it cannot
/// be told or the tensor is cut in a way that the macro cannot follow.
std::optional<int64_t> sourceDegree(const DegreeQuestion &question);
/// The same for the only right name.
std::optional<int64_t> targetDegree(const DegreeQuestion &question);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_DEGREE_H
