//===- SyntaxErrors.cpp - Wording of what the grammar refuses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SyntaxErrors.h"

#include "AoaParser.h"
#include "CanonicalText.h"
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
    if (rule == AoaParser::RuleComposed && before() == AoaParser::INTERP_END &&
        (list.isSeparator(index) || token.kind == AoaParser::UNCLOSED))
      return wordBrokenString();
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
      return quoting(make(diag::ReservedWord,
                          text() + " is a word of the language; quote it to "
                                   "name a tensor"));
    if (token.kind == AoaParser::BAD_NAME && wantsName())
      return quoting(
          make(diag::SyntaxError,
               text() + " does not begin with a letter or `_`" +
                   (isPaddle() ? "" : "; quote it to name a tensor")));
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

  /// Adds the quotes that make the token a name.
  Diagnostic quoting(Diagnostic error) const {
    if (!isPaddle())
      error.fixIts.push_back(
          {list.rangeOf(token), "\"" + list.textOf(token).str() + "\""});
    return error;
  }

  Diagnostic make(const DiagnosticKind &kind, std::string message) const {
    return {&kind, list.rangeOf(token), std::move(message)};
  }

  /// Whether a name could stand here.
  bool wantsName() const {
    return before() == AoaParser::COMMA || before() == AoaParser::ARROW ||
           atBegin();
  }
  /// Whether an operand of an expression should stand here.
  bool wantsOperand() const {
    if (rule == AoaParser::RuleClause)
      return before() == AoaParser::IN || before() == AoaParser::RANGE;
    return (rule == AoaParser::RulePrimary || rule == AoaParser::RuleValue) &&
           !endsOperand(before());
  }
  bool isClauseWord() const {
    return token.kind >= AoaParser::IN && token.kind <= AoaParser::LONGEST;
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
    case AoaParser::TEMP:
      return "the temporary " + text() + " in an expression is";
    case AoaParser::LPAREN:
      return wantsName() ? "lists of names in `( )` are" : "";
    case AoaParser::RBRACK:
      return isIndexOfTemporary() ? "`%name[i]` is" : "";
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

  /// `%g[i]`, found at its `]`.
  bool isIndexOfTemporary() const {
    if (rule != AoaParser::RuleSuffix)
      return false;
    size_t bracket = openingBracket();
    return bracket > 0 &&
           list.textOf(list.tokens[bracket - 1]).starts_with("%");
  }

  /// A string with `${…}` that ends with its line.
  Diagnostic wordBrokenString() const {
    size_t begin = index;
    for (int depth = 0; begin > statementBegin;) {
      depth -= nestingStep(list.tokens[--begin].kind);
      if (depth == 0 && list.tokens[begin].kind == AoaParser::STRING_HEAD)
        break;
    }
    uint32_t at = list.tokens[begin].begin;
    return {&diag::UnclosedString,
            {list.file, at, list.tokens[index - 1].end},
            "the string that begins here is not closed on its line"};
  }

  Diagnostic wordCharacter() const {
    StringRef character = list.textOf(token);
    std::string found = "unexpected character " + quoted(character);
    std::string hint;
    if (character == "<")
      hint = "; the arrow points to the right: `a -> b`";
    else if (character == "." &&
             (before() == AoaParser::NUMBER || wantsOperand()))
      hint = isPaddle() ? "; `--std=paddle` has whole numbers only"
                        : "; a fraction has digits on both sides of its point";
    else if (isPaddle() && character == "#")
      hint = "; `--std=paddle` has no comments";
    else if (isPaddle() && character == ";")
      hint = "; `--std=paddle` ends statements by a new line";
    else if (isPaddle() && (character == "-" || character == "+") &&
             wantsOperand())
      hint = "; `--std=paddle` has numbers without a sign";
    else if (isPaddle() && (character == "-" || character == "/"))
      hint = "; `--std=paddle` has names of letters, digits, `.`, `_`, `$`, "
             "`*`, `^`";
    else if (rule == AoaParser::RuleSet)
      hint = "; a set has pieces of names";
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
    if (wantsOperand())
      return value + behindBefore();
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
      return (hasColon() ? "`]`" : "`:`") + behindBefore() + " in `[a:b]`";
    case AoaParser::RuleClause:
      return before() == AoaParser::NOT
                 ? "`in`" + behindBefore()
                 : "`..`" + behindBefore() + " in the clause";
    case AoaParser::RuleSet:
      return (before() == AoaParser::PIECE ? "`,` or `}`"
                                           : "a piece of a name") +
             behindBefore();
    case AoaParser::RuleComposed:
    case AoaParser::RulePrimary:
      return "an operator or `}`" + behindBefore();
    case AoaParser::RuleList:
    case AoaParser::RuleArgs:
      return (rule == AoaParser::RuleList ? "`,` or `]`" : "`,` or `)`") +
             behindBefore();
    default: // a rule, not an enumeration of ours
      return "something else";
    }
  }

  /// Whether the `:` of the array syntax at work was there.
  bool hasColon() const {
    size_t i = openingBracket();
    int depth = 0;
    for (; i < index; ++i) {
      depth += nestingStep(list.tokens[i].kind);
      if (depth == 1 && list.tokens[i].kind == AoaParser::COLON)
        return true;
    }
    return false;
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
    bool isBeforeItems = rule == AoaParser::RuleStatement ||
                         rule == AoaParser::RuleNames || isFirstOnRight;
    if (token.kind == AoaParser::EQ && isBeforeItems)
      error.message += "; attributes stand behind the names on the right";
    if (isClauseWord() && isBeforeItems)
      error.message += "; clauses stand behind the names on the right";
    if (token.kind == AoaParser::LPAREN && isBehindDollar())
      error.message += "; a placeholder is written in capitals: `$(NAME)`";
    bool isInside =
        rule == AoaParser::RuleList || rule == AoaParser::RuleArgs ||
        rule == AoaParser::RuleSet ||
        ((rule == AoaParser::RuleComposed || rule == AoaParser::RulePrimary) &&
         !wantsOperand());
    if (isInside)
      addOpeningBracket(error);
    return error;
  }

  bool isBehindDollar() const {
    return before() == AoaParser::NAME &&
           list.textOf(list.tokens[index - 1]).ends_with("$");
  }

  Diagnostic wordGlued() const {
    std::string first = describeToken(list, statementBegin);
    Diagnostic error{
        &diag::SyntaxError, list.rangeOf(list.tokens[statementBegin]),
        "expected `,` or the end of the statement after " +
            describeToken(list, statementBegin - 1) + ", found " + first};
    uint32_t end = list.tokens[statementBegin - 1].end;
    if (token.kind == AoaParser::EQ) // an attribute without its comma
      error.fixIts.push_back({{list.file, end, end}, ","});
    return error;
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

  /// The bracket that is open at the refused token, or its own index.
  size_t openingBracket() const {
    int depth = 1;
    for (size_t i = index; i-- > statementBegin;) {
      depth -= nestingStep(list.tokens[i].kind);
      if (depth == 0)
        return i;
    }
    return index;
  }

  void addOpeningBracket(Diagnostic &error) const {
    size_t at = openingBracket();
    if (at == index)
      return;
    // Of a name or string with `${…}`, only its last two bytes.
    SourceRange bracket = list.rangeOf(list.tokens[at]);
    StringRef written = list.textOf(list.tokens[at]);
    if (written.ends_with("${"))
      bracket.begin = bracket.end - 2;
    error.notes.push_back(
        {bracket,
         (written.ends_with("${") ? "to close this `${`"
                                  : "to close this `" + written.str() + "`")});
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
  return error;
}

} // namespace aoa::parse
