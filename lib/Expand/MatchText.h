//===- MatchText.h - `$NAME` and `$$NAME` against a name --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A template fits a name in every way in which its placeholders can be filled
// so that the name comes out:
//
//   $$A.q.$$B  fits  a.q.b     as ($$A = a, $$B = b),
//                    q         as ($$A = ``, $$B = ``), the dots going too,
//                    a.q.q.b   in two ways
//
// Cost: parts times the square of the name's length at most, and two or three
// searches for a literal in practice. A placeholder that occurs twice makes it
// a search that the number of steps bounds.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_MATCHTEXT_H
#define AOA_LIB_EXPAND_MATCHTEXT_H

#include "NameTemplate.h"

namespace aoa::expand {

/// What each placeholder of the statement stands for; an entry without data is
/// none of the template's.
using Values = llvm::SmallVector<std::string, 2>;

struct TextMatch {
  enum { None, One, Several, TooCostly } ways = None;
  Values first, second; ///< As many as `ways` says; `second` is a witness.
};

struct MatchRules {
  unsigned numPlaceholders = 0;
  /// Whether a placeholder may stand for this text.
  llvm::function_ref<bool(unsigned placeholder, llvm::StringRef)> admits;
  /// Placeholders of `shortest` and `longest` clauses, in order.
  struct Preference {
    unsigned placeholder;
    bool longest;
  };
  llvm::ArrayRef<Preference> preferences = {};
};

/// Matches the whole of `name`. Each step is taken off `steps`, which ends the
/// search at 0. Requires a shape without expressions.
TextMatch matchText(const NameTemplate &shape, llvm::StringRef name,
                    const MatchRules &rules, uint64_t &steps);

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_MATCHTEXT_H
