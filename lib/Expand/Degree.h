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

/// What asks, and of which name.
struct DegreeQuestion {
  Expander &expander;
  const ast::Statement &statement; ///< Where faults are reported.
  llvm::StringRef macro;
  llvm::StringRef name; ///< A left name is what `^T` made of it.
  int64_t axis;
  /// Whose name it is, in expander.statements, and how it is written there.
  size_t index = 0;
  const ast::Name *written = nullptr;
  /// Whether an axis that does not exist is reported; that of a built-in macro
  /// is the analysis' to report.
  bool checksAxis = false;
};

/// The degree of a left name of statement `index`. Reports and returns nothing
/// when it cannot be told or the tensor is cut in a way that the macro cannot
/// follow.
std::optional<int64_t> sourceDegree(const DegreeQuestion &question);
/// The same for a right name.
std::optional<int64_t> targetDegree(const DegreeQuestion &question);
/// The same for what is the source's or a result by that name, whatever the
/// statements do to it. `partition`: none where it is whole.
std::optional<int64_t> degreeOfTensor(const DegreeQuestion &question,
                                      std::optional<PartitionInfo> partition);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_DEGREE_H
