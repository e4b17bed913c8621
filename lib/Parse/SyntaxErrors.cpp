//===- SyntaxErrors.cpp - Wording of what the grammar refuses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "SyntaxErrors.h"

#include "AoaParser.h"
#include "RefusedToken.h"
#include "aoa/Parse/ParseDiagnostics.h"

#include "llvm/ADT/STLExtras.h"

#include <array>

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

/// Whether an arrow follows in the statement.
bool hasArrowBehind(const TokenList &list, size_t index) {
  while (!list.isSeparator(index) &&
         list.tokens[index].kind != AoaParser::ARROW)
    ++index;
  return list.tokens[index].kind == AoaParser::ARROW;
}

/// What paddle has no statements for.
constexpr std::array<StringRef, 7> statementWords = {
    "macro", "include", "let", "for", "if", "else", "assert"};

/// Words a refused token.
class Wording : RefusedToken {
public:
  using RefusedToken::RefusedToken;

  Diagnostic word() const {
    if (rule == AoaParser::RuleComposed && before() == AoaParser::INTERP_END &&
        (list.isSeparator(index) || token.kind == AoaParser::UNCLOSED))
      return wordBrokenString();
    if (isUsedAsName(list, statementBegin) && index == statementBegin + 1)
      return wordReserved(list.tokens[statementBegin]);
    if (token.kind == AoaParser::UNCLOSED)
      return make(diag::UnclosedString,
                  isPaddle() ? "the string that begins here is not closed"
                             : "the string that begins here is not closed on "
                               "its line");
    if (isPaddle() && isAoaStatement())
      return make(diag::UnsupportedSyntax,
                  quoted(list.textOf(list.tokens[statementBegin])) +
                      " begins a statement of `--std=aoa`, `--std=paddle` has "
                      "arrow statements only",
                  statementBegin);
    if (token.kind == AoaParser::BAD)
      return wordCharacter();
    if (token.kind == AoaParser::ELSE && !isUsedAsName(list, index) &&
        (atBegin() || before() == AoaParser::RBRACE))
      return make(diag::SyntaxError,
                  "found an `else` without an `if` before it");
    if (isReserved(token.kind) && !isOfRange() &&
        (wantsName() || wantsVariable()))
      return wordReserved(token);
    if (token.kind == AoaParser::BAD_NAME && wantsName())
      return quoting(
          make(diag::SyntaxError,
               text() + " does not begin with a letter or `_`" +
                   (isPaddle() ? "" : "; quote it to name a tensor")),
          token);
    return wordRest();
  }

private:
  std::string text() const { return quoted(list.textOf(token)); }

  Diagnostic make(const DiagnosticKind &kind, std::string message) const {
    return make(kind, std::move(message), index);
  }
  Diagnostic make(const DiagnosticKind &kind, std::string message,
                  size_t at) const {
    return {&kind, list.rangeOf(list.tokens[at]), std::move(message)};
  }

  // ---- Names and words

  /// Adds the quotes that make the token a name.
  Diagnostic quoting(Diagnostic error, const Token &name) const {
    if (!isPaddle())
      error.fixIts.push_back(
          {list.rangeOf(name), "\"" + list.textOf(name).str() + "\""});
    return error;
  }

  Diagnostic wordReserved(const Token &word) const {
    Diagnostic error{&diag::ReservedWord, list.rangeOf(word),
                     quoted(list.textOf(word)) + " is a word of the language"};
    if (wantsVariable() && &word == &token) {
      error.message += ", expected another name";
      return error;
    }
    error.message += "; quote it to name a tensor";
    return quoting(std::move(error), word);
  }

  /// Whether the name of a variable, a macro or its parameter stands here.
  bool wantsVariable() const {
    return before() == AoaParser::LET || before() == AoaParser::FOR ||
           before() == AoaParser::MACRO || rule == AoaParser::RuleParameters ||
           rule == AoaParser::RuleAttribute;
  }

  /// Whether the token is the `for` of a list or the `in` behind a `for`: what
  /// is missing stands before it.
  bool isOfRange() const {
    bool isInList = list.tokens[openingBracket()].kind == AoaParser::LPAREN;
    return (token.kind == AoaParser::FOR && isInList) ||
           (token.kind == AoaParser::IN && before() == AoaParser::FOR);
  }

  /// Whether the statement begins like one of the aoa dialect: not `for, a ->
  /// b`, where the word is a name.
  bool isAoaStatement() const {
    if (atBegin() || index > statementBegin + 2)
      return false;
    unsigned second = list.tokens[statementBegin + 1].kind;
    return llvm::is_contained(statementWords,
                              list.textOf(list.tokens[statementBegin])) &&
           second != AoaParser::COMMA && second != AoaParser::EQ &&
           second != AoaParser::ARROW && second != AoaParser::LBRACK &&
           !list.isSeparator(statementBegin + 1);
  }

  // ---- Characters and strings

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

  // ---- The rest, by what is expected

  Diagnostic wordRest() const {
    // `a -> b axis=0`: read as a second statement that begins with `axis`.
    if (rule == AoaParser::RuleStatement &&
        !list.isBehindSeparator(statementBegin))
      return wordGlued();
    if (token.kind == AoaParser::ARROW && rule == AoaParser::RuleProgram &&
        !atBegin())
      return wordSecondArrow();
    if (token.kind == AoaParser::RBRACE && rule == AoaParser::RuleProgram)
      return make(diag::SyntaxError, "found a `}` without a `{` before it");
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
    error.message += hintOfBlocks();
    bool isInside =
        rule == AoaParser::RuleList || rule == AoaParser::RuleArgs ||
        rule == AoaParser::RuleSet || rule == AoaParser::RuleNameList ||
        rule == AoaParser::RuleSuffix || rule == AoaParser::RuleMacroHead ||
        ((rule == AoaParser::RuleComposed || rule == AoaParser::RulePrimary) &&
         !wantsOperand());
    if (isInside)
      addOpeningBracket(error);
    return error;
  }

  bool isClauseWord() const {
    return token.kind >= AoaParser::IN && token.kind <= AoaParser::LONGEST;
  }

  /// What lists, macros and conditions are likely meant to look like.
  std::string hintOfBlocks() const {
    bool isRight = token.kind == AoaParser::RPAREN;
    if (rule == AoaParser::RuleNameList && isRight &&
        !hasInBracket(AoaParser::FOR))
      return "; a list says for what, `(a for i in 0..3)`, and other names "
             "need no brackets";
    bool isValue = rule == AoaParser::RuleArgs || rule == AoaParser::RuleList;
    if (isValue && list.textOf(token) == "for")
      return "; lists with `for` stand among names only";
    if (rule == AoaParser::RuleBlock && token.kind == AoaParser::EQ)
      return "; equality is `==`";
    bool isLeft = rule == AoaParser::RuleMacroHead && index > 2 &&
                  !hasInBracket(AoaParser::ARROW);
    if (isLeft && (isRight || token.kind == AoaParser::HEAD_SEMI))
      return "; a macro has names on both sides: `(a -> b)`";
    return "";
  }

  bool isBehindDollar() const {
    return before() == AoaParser::NAME &&
           list.textOf(list.tokens[index - 1]).ends_with("$");
  }

  Diagnostic wordGlued() const {
    std::string first = describeToken(list, statementBegin);
    Diagnostic error{
        &diag::SyntaxError, list.rangeOf(list.tokens[statementBegin]),
        "expected " + expectedBehindItem(statementBegin) + " after " +
            describeToken(list, statementBegin - 1) + ", found " + first};
    uint32_t end = list.tokens[statementBegin - 1].end;
    bool mayGoOn = StringRef(error.message).contains("`,`");
    if (token.kind == AoaParser::EQ && mayGoOn) // an attribute without its `,`
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
};
} // namespace

bool isUsedAsName(const TokenList &list, size_t index) {
  const Token &word = list.tokens[index];
  if (!isReserved(word.kind)) // so it is not the last token
    return false;
  const Token &next = list.tokens[index + 1];
  if (next.kind == AoaParser::COMMA)
    return hasArrowBehind(list, index);
  return next.kind == AoaParser::ARROW || next.kind == AoaParser::TRANSPOSE ||
         (next.begin == word.end && list.textOf(next) == "^");
}

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
