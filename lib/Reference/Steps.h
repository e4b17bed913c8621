//===- Steps.h - The operations of a statement, in turn ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The attributes of an expanded statement from left to right, each operation
// with what belongs to it:
//
//   a, b -> c, repeat=2, axis=1, block=3, axis=0
//
// is `repeat` with axis 1 and block 3, after a join along axis 0.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_REFERENCE_STEPS_H
#define AOA_LIB_REFERENCE_STEPS_H

#include "ReadValue.h"

#include <map>

namespace aoa::reference {

/// An operation from one tensor to one.
struct Step {
  const ast::Attribute *of;
  std::optional<int64_t> axis = {}, block = {}; ///< repeat, dedup
  const ast::Value *value = nullptr;            ///< pad
  std::map<std::string, int64_t> factors = {};  ///< rearrange

  const std::string &name() const { return of->name; }
};

/// How several names on a side become one tensor, or the reverse.
struct JoinCut {
  std::optional<int64_t> axis = {};    ///< merge, split
  std::optional<int64_t> newAxis = {}; ///< stack; unstack: the axis that goes
  int64_t groups = 1;
  std::vector<int64_t> sizes = {};
  std::optional<std::string> tie = {}; ///< `verify` or `first`
};

struct Steps {
  std::vector<Step> steps;
  JoinCut joinCut;
};

/// Reads the attributes of a statement. `stack` and `unstack` are steps where
/// they neither join nor cut: the first `stack` joins several left names, the
/// last `unstack` cuts for several right ones.
Expected<Steps> readSteps(const ast::Statement &statement);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_STEPS_H
