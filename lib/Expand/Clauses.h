//===- Clauses.h - Which texts a placeholder stands for ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   $LAYER_ID in 0..15   $X in {q, k, v}   $$R not in {enorm.*, hnorm.*}
//   $$A shortest
//
// Several clauses of one placeholder must all hold.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_EXPAND_CLAUSES_H
#define AOA_LIB_EXPAND_CLAUSES_H

#include "Expander.h"
#include "MatchText.h"
#include "Placeholders.h"

namespace aoa::expand {

class Clauses {
public:
  /// Requires that `statement` outlives this.
  Clauses(Expander &expander, const ast::Statement &statement)
      : expander(expander), statement(statement) {}

  /// Finds the placeholders of the clauses in `placeholders`. Reports those of
  /// none, and bounds that make no range.
  bool resolve(const Placeholders &placeholders);

  bool isEmpty() const { return statement.clauses.empty(); }
  /// Whether clauses say which texts the placeholder stands for.
  bool isRestricted(unsigned placeholder) const;
  bool admits(unsigned placeholder, llvm::StringRef text) const;
  llvm::ArrayRef<MatchRules::Preference> preferences() const {
    return preferred;
  }

  /// A number of an `in` range that is none of `ids`, texts of digits in
  /// ascending order of their numbers.
  struct Missing {
    int64_t id;
    const ast::Clause *clause;
  };
  std::optional<Missing> missingId(unsigned placeholder,
                                   llvm::ArrayRef<llvm::StringRef> ids) const;

private:
  struct Resolved {
    const ast::Clause *clause;
    unsigned placeholder;
    bool isNumber;
    std::optional<int64_t> first, last; ///< Of a range.
  };
  bool isMember(const Resolved &resolved, llvm::StringRef text) const;

  Expander &expander;
  const ast::Statement &statement;
  llvm::SmallVector<Resolved, 1> resolved;
  llvm::SmallVector<MatchRules::Preference, 1> preferred;
};

} // namespace aoa::expand

#endif // AOA_LIB_EXPAND_CLAUSES_H
