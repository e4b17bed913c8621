//===- RefusedToken.h - A token where the grammar has none ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_PARSE_REFUSEDTOKEN_H
#define AOA_PARSE_REFUSEDTOKEN_H

#include "TokenList.h"

namespace aoa::parse {

/// A refused token and what stands around it.
class RefusedToken {
public:
  RefusedToken(const TokenList &list, size_t index, size_t rule,
               size_t statementBegin)
      : list(list), index(index), rule(rule), statementBegin(statementBegin),
        token(list.tokens[index]) {}

  /// What could stand here, as the rule at work has it.
  std::string expected() const;

protected:
  /// What may stand at `at`, where an item before it ends.
  std::string expectedBehindItem(size_t at) const;
  bool isPaddle() const { return list.dialect == ast::Dialect::Paddle; }
  bool atBegin() const { return index == statementBegin; }
  /// Kind of the token `back` before, a separator at the start of the text.
  unsigned before(size_t back = 1) const;
  /// Whether a name could stand here.
  bool wantsName() const;
  /// Whether an operand of an expression should stand here.
  bool wantsOperand() const;
  /// The bracket that is open at the refused token, or its own index.
  size_t openingBracket() const;
  /// Whether the bracket that is open had a token of the kind, outside of the
  /// brackets within.
  bool hasInBracket(unsigned kind) const;
  /// Whether the brackets at work are those of `%name[i]` or `%name[a:b]`.
  bool isBehindTemporary() const;
  std::string behindBefore() const;

  const TokenList &list;
  size_t index, rule, statementBegin;
  const Token &token;

private:
  std::string expectedInRange(const std::string &where) const;
  std::string expectedInList() const;
  std::string expectedInHead() const;
};

} // namespace aoa::parse

#endif // AOA_PARSE_REFUSEDTOKEN_H
