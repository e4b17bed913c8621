//===- RearrangePattern.cpp - The notation of rearrange ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "RearrangePattern.h"

#include "aoa/Primitives/Primitives.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

using namespace aoa::primitives;

using Problem = std::optional<std::string>;

static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Takes the next symbol off `text`: a word of letters, digits and `_`, `...`,
/// `->` or one character. Nothing at the end.
static llvm::StringRef takeToken(llvm::StringRef &text) {
  text = text.ltrim(" \t\r\n");
  if (text.empty())
    return {};
  size_t length = 1;
  if (isNamePart(text.front()))
    length = text.take_while(isNamePart).size();
  else if (text.starts_with("..."))
    length = 3;
  else if (text.starts_with("->"))
    length = 2;
  llvm::StringRef token = text.take_front(length);
  text = text.drop_front(length);
  return token;
}

static bool isName(llvm::StringRef token) {
  return !token.empty() && isNamePart(token.front()) &&
         !llvm::isDigit(token.front());
}

namespace {
class PatternParser {
public:
  Problem parse(llvm::StringRef text);
  RearrangePattern pattern;

private:
  Problem parseSide(llvm::StringRef text, RearrangePattern::SideAxes &axes);
};

Problem PatternParser::parse(llvm::StringRef text) {
  size_t arrow = text.find("->");
  if (arrow == llvm::StringRef::npos ||
      text.find("->", arrow + 2) != llvm::StringRef::npos)
    return "expected one `->`";
  if (Problem problem = parseSide(text.take_front(arrow), pattern.operand))
    return problem;
  return parseSide(text.drop_front(arrow + 2), pattern.result);
}

Problem PatternParser::parseSide(llvm::StringRef text,
                                 RearrangePattern::SideAxes &axes) {
  bool inBrackets = false;
  for (;;) {
    llvm::StringRef token = takeToken(text);
    if (token.empty())
      break;
    if (token == ")") {
      if (!inBrackets)
        return "`)` without `(`";
      inBrackets = false;
    } else if (token == "(") {
      if (inBrackets)
        return "`(` within brackets";
      inBrackets = true;
      axes.emplace_back();
    } else if (token == "...") {
      if (inBrackets)
        return "`...` within brackets";
      axes.emplace_back().isEllipsis = true;
    } else if (token == "1" || isName(token)) {
      if (!inBrackets)
        axes.emplace_back();
      if (token != "1")
        axes.back().factors.push_back(token);
    } else {
      return "`" + token.str() + "`, expected a name, `1`, `...` or brackets";
    }
  }
  if (inBrackets)
    return "`(` without `)`";
  return std::nullopt;
}

/// The factors of one side, `...` among them.
using Factors = llvm::StringSet<>;

Problem collect(const RearrangePattern::SideAxes &axes, const char *side,
                Factors &factors) {
  auto add = [&](llvm::StringRef factor) {
    return factors.insert(factor).second;
  };
  for (const PatternAxis &axis : axes) {
    if (axis.isEllipsis && !add("..."))
      return "`...` stands twice on the " + std::string(side);
    for (llvm::StringRef factor : axis.factors)
      if (!add(factor))
        return "`" + factor.str() + "` stands twice on the " + side;
  }
  return std::nullopt;
}

Problem findLonely(const RearrangePattern::SideAxes &axes, const char *side,
                   const Factors &others) {
  auto describe = [&](llvm::StringRef factor) {
    return "`" + factor.str() + "` stands on the " + side +
           " only, expected on both sides";
  };
  for (const PatternAxis &axis : axes) {
    if (axis.isEllipsis && !others.contains("..."))
      return describe("...");
    for (llvm::StringRef factor : axis.factors)
      if (!others.contains(factor))
        return describe(factor);
  }
  return std::nullopt;
}

Problem findUnpaired(const RearrangePattern &pattern) {
  Factors left, right;
  if (Problem problem = collect(pattern.operand, "left", left))
    return problem;
  if (Problem problem = collect(pattern.result, "right", right))
    return problem;
  if (Problem problem = findLonely(pattern.operand, "left", right))
    return problem;
  return findLonely(pattern.result, "right", left);
}
} // namespace

std::expected<RearrangePattern, std::string>
aoa::primitives::parsePattern(llvm::StringRef text) {
  PatternParser parser;
  Problem problem = parser.parse(text);
  if (!problem)
    problem = findUnpaired(parser.pattern);
  if (problem)
    return std::unexpected("pattern `" + text.str() + "`: " + *problem);
  return std::move(parser.pattern);
}

std::vector<std::string> aoa::primitives::factorNames(llvm::StringRef pattern) {
  std::vector<std::string> names;
  llvm::StringSet<> seen;
  for (;;) {
    llvm::StringRef token = takeToken(pattern);
    if (token.empty())
      return names;
    if (isName(token) && seen.insert(token).second)
      names.push_back(token.str());
  }
}
