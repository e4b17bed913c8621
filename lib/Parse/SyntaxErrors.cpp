//===- SyntaxErrors.cpp - Wording of what the grammar refuses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SyntaxErrors.h"

#include "AoaParser.h"
#include "aoa/Parse/ParseDiagnostics.h"

using aoa::grammar::AoaParser;
using llvm::StringRef;

namespace aoa::parse {

namespace {
constexpr size_t longestQuote = 40; // of a token's text in a message

std::string quoted(StringRef text) {
  return text.size() <= longestQuote
             ? "`" + text.str() + "`"
             : "`" + text.take_front(longestQuote).str() + "…`";
}

bool isReserved(unsigned kind) {
  return kind >= AoaParser::MACRO && kind <= AoaParser::LONGEST;
}

/// Looks at one refused token and what stands around it.
class Wording {
public:
  Wording(const TokenList &list, size_t index, size_t rule,
          size_t statementBegin)
      : list(list), index(index), rule(rule), statementBegin(statementBegin),
        token(list.tokens[index]) {}

  Diagnostic word() const {
    if (token.kind == AoaParser::UNCLOSED)
      return make(diag::UnclosedString,
                  isPaddle() ? "the string that begins here is not closed"
                             : "the string that begins here is not closed on "
                               "its line");
    if (token.kind == AoaParser::BAD)
      return wordCharacter();
    if (std::string feature = laterFeature(); !feature.empty())
      return make(diag::UnsupportedSyntax, feature + " not supported yet");
    if (isReserved(token.kind) && wantsName())
      return make(diag::ReservedWord,
                  text() + " is a word of the language; quote it to name a "
                           "tensor");
    if (token.kind == AoaParser::BAD_NAME && wantsName())
      return make(diag::SyntaxError,
                  text() + " does not begin with a letter or `_`; quote it to "
                           "name a tensor");
    return wordRest();
  }

private:
  bool isPaddle() const { return list.dialect == ast::Dialect::Paddle; }
  std::string text() const { return quoted(list.textOf(token)); }
  bool atBegin() const { return index == statementBegin; }
  /// Kind of the token before, a separator at the start of the text.
  unsigned before() const {
    return index ? list.tokens[index - 1].kind
                 : static_cast<unsigned>(AoaParser::NL);
  }

  Diagnostic make(const DiagnosticKind &kind, std::string message) const {
    return {&kind, list.rangeOf(token), std::move(message)};
  }

  /// Whether a name could stand here.
  bool wantsName() const {
    return before() == AoaParser::COMMA || before() == AoaParser::ARROW ||
           atBegin();
  }
  bool inValue() const {
    return rule == AoaParser::RuleValue || rule == AoaParser::RuleList ||
           rule == AoaParser::RuleSuffix;
  }
  bool isBehindValue() const {
    return before() == AoaParser::NUMBER || before() == AoaParser::FLOAT ||
           before() == AoaParser::WORD || before() == AoaParser::RBRACK ||
           (before() == AoaParser::STRING && index >= 2 &&
            list.tokens[index - 2].kind == AoaParser::EQ);
  }

  /// What the token belongs to in later versions, as "`name?` is"; empty for
  /// plain mistakes.
  std::string laterFeature() const {
    switch (token.kind) {
    case AoaParser::MACRO:
    case AoaParser::INCLUDE:
    case AoaParser::LET:
    case AoaParser::FOR:
    case AoaParser::IF:
    case AoaParser::ELSE:
    case AoaParser::ASSERT:
      return atBegin() && !isUsedAsName() ? text() + " is" : "";
    case AoaParser::IN:
    case AoaParser::NOT:
    case AoaParser::SHORTEST:
    case AoaParser::LONGEST:
      return wantsName() ? "" : "the clause " + text() + " is";
    case AoaParser::MAYBE:
      return "`name?` is";
    case AoaParser::TEMP:
      return "the temporary " + text() + " is";
    case AoaParser::INTERP:
      return "`${…}` is";
    case AoaParser::LPAREN:
      if (before() == AoaParser::NAME &&
          list.textOf(list.tokens[index - 1]).ends_with("$"))
        return "`$(…)` is";
      return inValue() || isBehindValue() ? "expressions are"
             : wantsName()                ? "lists of names in `( )` are"
                                          : "";
    case AoaParser::OPERATOR:
      return "expressions (" + text() + ") are";
    case AoaParser::WORD:
      return rule == AoaParser::RuleSuffix ? "expressions in `[a:b]` are" : "";
    case AoaParser::LBRACK:
      return isBehindValue() ? "expressions (`[`) are" : "";
    default: // a kind of token, not an enumeration of ours
      return "";
    }
  }

  /// `in -> x`: a reserved word where the rest reads like an arrow statement.
  bool isUsedAsName() const {
    unsigned next = list.tokens[index + 1].kind;
    return next == AoaParser::ARROW || next == AoaParser::COMMA ||
           next == AoaParser::TRANSPOSE;
  }

  Diagnostic wordCharacter() const {
    StringRef character = list.textOf(token);
    std::string found = "unexpected character " + quoted(character);
    std::string hint;
    if (character == "<")
      hint = "; the arrow points to the right: `a -> b`";
    else if (character == "." &&
             (before() == AoaParser::NUMBER || rule == AoaParser::RuleValue))
      hint = isPaddle() ? "; `--std=paddle` has whole numbers only"
                        : "; a fraction has digits on both sides of its point";
    else if (isPaddle() && character == "#")
      hint = "; `--std=paddle` has no comments";
    else if (isPaddle() && character == ";")
      hint = "; `--std=paddle` ends statements by a new line";
    else if (isPaddle() && (character == "-" || character == "+") &&
             (rule == AoaParser::RuleValue || rule == AoaParser::RuleList))
      hint = "; `--std=paddle` has numbers without a sign";
    else if (isPaddle() && (character == "-" || character == "/"))
      hint = "; `--std=paddle` has names of letters, digits, `.`, `_`, `$`, "
             "`*`, `^`";
    else if (static_cast<unsigned char>(character.front()) >= 0x80 &&
             !isPaddle())
      hint = "; quote names that are not ASCII";
    return make(diag::UnexpectedCharacter, found + hint);
  }

  std::string behindBefore() const {
    return " after " + describeToken(list, index - 1);
  }

  /// What could stand here, as the rule at work has it.
  std::string expected() const {
    if (atBegin())
      return "a statement";
    std::string value = isPaddle() ? "a number or a string" : "a value";
    switch (rule) {
    case AoaParser::RuleProgram:
      return "`,` or the end of the statement" + behindBefore();
    case AoaParser::RuleStatement:
    case AoaParser::RuleNames:
      return "`,` or `->`" + behindBefore();
    case AoaParser::RuleOperand:
      return "a tensor name" + behindBefore();
    case AoaParser::RuleItem:
      return "a name or an attribute" + behindBefore();
    case AoaParser::RuleSuffix:
      return before() == AoaParser::LBRACK || before() == AoaParser::COLON
                 ? "a whole number" + behindBefore() + " in `[a:b]`"
             : before() == AoaParser::NUMBER && isSecondOfSuffix()
                 ? "`]`" + behindBefore() + " in `[a:b]`"
                 : "`:`" + behindBefore() + " in `[a:b]`";
    case AoaParser::RuleValue:
      return (before() == AoaParser::MINUS || before() == AoaParser::PLUS
                  ? "a number"
                  : value) +
             behindBefore();
    case AoaParser::RuleList:
      return (before() == AoaParser::LBRACK ? value + " or `]`"
                                            : "`,` or `]`") +
             behindBefore();
    default: // a rule, not an enumeration of ours
      return "something else";
    }
  }
  bool isSecondOfSuffix() const {
    return index >= 2 && list.tokens[index - 2].kind == AoaParser::COLON;
  }

  Diagnostic wordRest() const {
    // `a -> b axis=0`: read as a second statement that begins with `axis`.
    if (rule == AoaParser::RuleStatement &&
        !list.isBehindSeparator(statementBegin))
      return wordGlued();
    if (token.kind == AoaParser::ARROW && rule == AoaParser::RuleProgram &&
        !atBegin())
      return wordSecondArrow();
    Diagnostic error =
        make(diag::SyntaxError, "expected " + expected() + ", found " +
                                    describeToken(list, index));
    bool isFirstOnRight =
        index >= 2 && list.tokens[index - 2].kind == AoaParser::ARROW;
    if (token.kind == AoaParser::EQ &&
        (rule == AoaParser::RuleStatement || isFirstOnRight))
      error.message += "; attributes stand behind the names on the right";
    if (rule == AoaParser::RuleList)
      addOpeningBracket(error);
    return error;
  }

  Diagnostic wordGlued() const {
    std::string first = describeToken(list, statementBegin);
    return {&diag::SyntaxError, list.rangeOf(list.tokens[statementBegin]),
            "expected `,` or the end of the statement after " +
                describeToken(list, statementBegin - 1) + ", found " + first};
  }

  Diagnostic wordSecondArrow() const {
    Diagnostic error =
        make(diag::SyntaxError, "found a second `->` in one statement");
    for (size_t i = index; i-- > 0;) {
      const Token &earlier = list.tokens[i];
      if (list.isSeparator(i))
        break;
      StringRef gap = list.text.slice(earlier.end, list.tokens[i + 1].begin);
      if (earlier.kind == AoaParser::COMMA &&
          gap.find_first_of("\r\n") != StringRef::npos) {
        error.notes.push_back({list.rangeOf(earlier),
                               "this `,` continues the statement on the next "
                               "line"});
        break;
      }
      if (earlier.kind == AoaParser::ARROW) {
        error.notes.push_back({list.rangeOf(earlier), "the first one"});
        break;
      }
    }
    return error;
  }

  void addOpeningBracket(Diagnostic &error) const {
    int depth = 1;
    for (size_t i = index; i-- > statementBegin;) {
      depth += list.tokens[i].kind == AoaParser::RBRACK;
      depth -= list.tokens[i].kind == AoaParser::LBRACK;
      if (depth == 0) {
        error.notes.push_back(
            {list.rangeOf(list.tokens[i]), "to close this `[`"});
        return;
      }
    }
  }

  const TokenList &list;
  size_t index, rule, statementBegin;
  const Token &token;
};
} // namespace

std::string describeToken(const TokenList &list, size_t index) {
  const Token &token = list.tokens[index];
  if (token.kind == endOfText)
    return "the end of the text";
  if (token.kind == AoaParser::NL)
    return "the end of the line";
  return quoted(list.textOf(token));
}

Diagnostic wordSyntaxError(const TokenList &list, size_t index, size_t rule,
                           size_t statementBegin) {
  Diagnostic error = Wording(list, index, rule, statementBegin).word();
  const Token &token = list.tokens[index];
  if (error.range != list.rangeOf(token))
    return error;
  // The end of a line or text is marked behind the last token before it.
  if (list.isSeparator(index) && token.kind != AoaParser::SEMI)
    error.range.begin = error.range.end =
        index ? list.tokens[index - 1].end : token.begin;
  if (token.kind == AoaParser::INTERP) // the name before it is right
    error.range.begin = error.range.end - 2;
  return error;
}

} // namespace aoa::parse
