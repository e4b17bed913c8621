//===- FollowName.h - Where a tensor comes from and goes to -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Follows a name back to the source's tensors or forward to the results,
// keeping track of which axis of theirs is the one that was asked for: through
// renames, casts, `^T` and permutes, and through merges and splits. Behind an
// operation that gives a tensor other axes (`reshape`) nothing says which.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_FOLLOWNAME_H
#define AOA_LIB_EXPAND_FOLLOWNAME_H

#include "Expander.h"

namespace aoa::expand {

/// A tensor of the source or a result.
struct NameEnd {
  std::string name;
  std::optional<PartitionInfo> partition = {}; ///< None: whole.
  int64_t axis = 0;                            ///< May be negative.
  /// A merge or split along the axis lies between: its parts there say nothing.
  bool isJoined = false;
  /// The operation that lies between and gave the tensor other axes or extents;
  /// empty if there is none.
  llvm::StringRef reshaper = {};
  /// A macro arranged the tensor for so many ranks.
  std::optional<int64_t> arrangedFor = {};
};

/// The ends behind `name` as statement `index` reads it.
std::vector<NameEnd> followBack(Expander &expander, llvm::StringRef name,
                                size_t index, int64_t axis);
/// The ends that what statement `index` binds to `name` goes to.
std::vector<NameEnd> followForward(Expander &expander, llvm::StringRef name,
                                   size_t index, int64_t axis);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_FOLLOWNAME_H
