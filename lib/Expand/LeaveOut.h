//===- LeaveOut.h - `name?`, `optional`, lists of one -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a statement loses once it is known which names exist: `a, b? -> c` its
// `b`, an `optional` statement itself.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_LEAVEOUT_H
#define AOA_LIB_EXPAND_LEAVEOUT_H

#include "Expander.h"

namespace aoa::expand {

/// Reports `?` where nothing can be left out: on a right name, on `_`.
bool checkMaybe(Expander &expander, const ast::Statement &statement);

/// Appends to `out` what is left of `statement`, whose names are final.
void leaveOutMissing(Expander &expander, ast::Statement statement,
                     Statements &out);

/// Whether one side was written as a list, which may have got one name only.
bool hasList(const ast::Statement &statement);

/// Joining a list of one name, and cutting into one, is the identity: takes
/// `axis`, `sizes`, `groups` and `tie` of the join or cut away where both sides
/// of `statement`, of a written one with a list, have one name. `stack` and
/// `unstack` make and drop an axis of 1.
void simplifyListOfOne(ast::Statement &statement);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_LEAVEOUT_H
