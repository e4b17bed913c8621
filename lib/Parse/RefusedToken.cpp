//===- RefusedToken.cpp - What the grammar expects instead ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "RefusedToken.h"

#include "AoaParser.h"
#include "CanonicalText.h"
#include "SyntaxErrors.h"

using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

unsigned RefusedToken::before(size_t back) const {
  return index >= back ? list.tokens[index - back].kind
                       : static_cast<unsigned>(AoaParser::NL);
}

bool RefusedToken::wantsName() const {
  bool isInNames =
      rule == AoaParser::RuleStatement || rule == AoaParser::RuleNames ||
      rule == AoaParser::RuleOperand || rule == AoaParser::RuleItem;
  return (isInNames &&
          (before() == AoaParser::COMMA || before() == AoaParser::ARROW ||
           before() == AoaParser::LPAREN)) ||
         atBegin();
}

bool RefusedToken::wantsOperand() const {
  if (rule == AoaParser::RuleClause)
    return before() == AoaParser::IN || before() == AoaParser::RANGE;
  return (rule == AoaParser::RulePrimary || rule == AoaParser::RuleValue) &&
         !endsOperand(before());
}

size_t RefusedToken::openingBracket() const {
  int depth = 1;
  for (size_t i = index; i-- > statementBegin;) {
    depth -= nestingStep(list.tokens[i].kind);
    if (depth == 0)
      return i;
  }
  return index;
}

bool RefusedToken::hasInBracket(unsigned kind) const {
  int depth = 0;
  for (size_t i = openingBracket(); i < index; ++i) {
    depth += nestingStep(list.tokens[i].kind);
    if (depth == 1 && list.tokens[i].kind == kind)
      return true;
  }
  return false;
}

bool RefusedToken::isBehindTemporary() const {
  size_t bracket = openingBracket();
  return bracket > 0 && bracket < index &&
         list.textOf(list.tokens[bracket - 1]).starts_with("%");
}

std::string RefusedToken::behindBefore() const {
  return " after " + describeToken(list, index - 1);
}

std::string RefusedToken::expectedBehindItem(size_t at) const {
  switch (list.tokens[list.statementBegin(at - 1)].kind) {
  case AoaParser::LET:
  case AoaParser::ASSERT:
  case AoaParser::INCLUDE:
  case AoaParser::RBRACE:
    return "a new line or `;`";
  default: // a kind of token, not an enumeration of ours
    return list.tokens[at - 1].kind == AoaParser::RBRACE
               ? "a new line or `;`"
               : "`,` or the end of the statement";
  }
}

std::string RefusedToken::expected() const {
  if (atBegin())
    return "a statement";
  if (wantsOperand())
    return (isPaddle() ? "a number or a string" : "a value") + behindBefore();
  switch (rule) {
  case AoaParser::RuleProgram:
    return expectedBehindItem(index) + behindBefore();
  case AoaParser::RuleStatement:
  case AoaParser::RuleNames:
    return "`,` or `->`" + behindBefore();
  case AoaParser::RuleOperand:
    return "a tensor name" + behindBefore();
  case AoaParser::RuleItem:
    return "a name or an attribute" + behindBefore();
  case AoaParser::RuleNameList:
    return expectedInList();
  case AoaParser::RuleSuffix:
    if (isBehindTemporary() && !hasInBracket(AoaParser::COLON))
      return "`]` or `:`" + behindBefore();
    return (hasInBracket(AoaParser::COLON) ? "`]`" : "`:`") + behindBefore() +
           " in `[a:b]`";
  case AoaParser::RuleClause:
    return before() == AoaParser::NOT
               ? "`in`" + behindBefore()
               : "`..`" + behindBefore() + " in the clause";
  case AoaParser::RuleSet:
    return (before() == AoaParser::PIECE ? "`,` or `}`" : "a piece of a name") +
           behindBefore();
  case AoaParser::RulePrimary:
    if (list.tokens[openingBracket()].kind == AoaParser::LBRACK)
      return "an operator or `]`" + behindBefore();
    return "an operator or `}`" + behindBefore();
  case AoaParser::RuleComposed:
    return "an operator or `}`" + behindBefore();
  case AoaParser::RuleList:
  case AoaParser::RuleArgs:
    return (rule == AoaParser::RuleList ? "`,` or `]`" : "`,` or `)`") +
           behindBefore();
  default: // a rule, not an enumeration of ours
    return expectedInHead();
  }
}

/// `i in a..b`, of what begins with `for`.
std::string RefusedToken::expectedInRange(const std::string &where) const {
  if (before() == AoaParser::FOR)
    return "the name of a variable" + behindBefore();
  if (before(2) == AoaParser::FOR)
    return "`in`" + behindBefore();
  return "`..`" + behindBefore() + where;
}

std::string RefusedToken::expectedInList() const {
  if (!hasInBracket(AoaParser::FOR))
    return "`,` or `for`" + behindBefore();
  if (hasInBracket(AoaParser::RANGE))
    return "`)`" + behindBefore();
  return expectedInRange(" in the list");
}

std::string RefusedToken::expectedInHead() const {
  switch (rule) {
  case AoaParser::RuleBlock:
    return (before() == AoaParser::ELSE ? "`{` or `if`" : "`{`") +
           behindBefore();
  case AoaParser::RuleLet:
    return (before() == AoaParser::LET ? "the name of a variable" : "`=`") +
           behindBefore();
  case AoaParser::RuleLoopHead:
    return expectedInRange(" in the range");
  case AoaParser::RuleAssertion:
    return (before() == AoaParser::COMMA ? "a text in quotes"
                                         : "`,` and a text in quotes") +
           behindBefore();
  case AoaParser::RuleInclude:
    return "the path of a file in quotes" + behindBefore();
  case AoaParser::RuleParameters:
    return "the name of a parameter" + behindBefore();
  case AoaParser::RuleAttribute:
    return "the name of an attribute" + behindBefore();
  case AoaParser::RuleMacroHead:
    if (before() == AoaParser::MACRO)
      return "the tag of the macro" + behindBefore();
    if (before(2) == AoaParser::MACRO)
      return "`(`" + behindBefore();
    if (hasInBracket(AoaParser::HEAD_SEMI))
      return "`,` or `)`" + behindBefore();
    return (hasInBracket(AoaParser::ARROW) ? "`,`, `;` or `)`"
                                           : "`,` or `->`") +
           behindBefore();
  default: // a rule, not an enumeration of ours
    return "something else";
  }
}

} // namespace aoa::parse
