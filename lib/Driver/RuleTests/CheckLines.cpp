//===- CheckLines.cpp - The checks in a test's comments -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/CheckLines.h"

#include "RuleTests/CommentLines.h"
#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace aoa;
using namespace aoa::driver;

/// What may stand between `PREFIX-` and its `:`, beside `COUNT-3`.
static constexpr llvm::StringLiteral suffixes[] = {"NEXT", "SAME",  "NOT",
                                                   "DAG",  "LABEL", "EMPTY"};

bool driver::hasCheckLines(llvm::StringRef text, llvm::StringRef prefix) {
  llvm::Regex check("(^|[^A-Za-z0-9_-])" + prefix.str() + "(-(" +
                    llvm::join(llvm::ArrayRef(suffixes), "|") +
                    "|COUNT-[0-9]+))?(\\{LITERAL\\})?:");
  CommentLines lines(text);
  while (lines.next()) {
    llvm::StringRef comment = lines.line.drop_front(
        std::min(lines.line.find('#'), lines.line.size()));
    if (!lines.isRun && comment.contains(prefix) && check.match(comment))
      return true;
  }
  return false;
}

/// Returns the words that comments of `test` may begin with.
static std::vector<std::string> directivesOf(const RuleTest &test) {
  std::vector<std::string> words = {"RUN"};
  if (test.runs.empty())
    return words;
  words.push_back("COM"); // FileCheck's own comments.
  std::vector<std::string> prefixes = {"CHECK"};
  for (const RunLine &run : test.runs)
    if (!run.check.prefix.empty())
      prefixes.push_back(run.check.prefix);
  for (const std::string &prefix : prefixes) {
    words.push_back(prefix);
    words.push_back(prefix + "-COUNT-N");
    for (llvm::StringRef suffix : suffixes)
      words.push_back(prefix + "-" + suffix.str());
  }
  return words;
}

std::string driver::findMisspelt(const RuleTest &test) {
  constexpr size_t maxLength = 100;
  const std::vector<std::string> directives = directivesOf(test);
  llvm::Regex written("^([A-Z][A-Z0-9_-]*)(\\{LITERAL\\})?:");
  llvm::Regex number("-COUNT-[0-9]+$");
  CommentLines lines(test.text);
  while (lines.next()) {
    llvm::SmallVector<llvm::StringRef> matches;
    if (!lines.comment || lines.isRun ||
        !written.match(lines.comment->take_front(maxLength), &matches))
      continue;
    std::string word = number.sub("-COUNT-N", matches[1]);
    if (llvm::is_contained(directives, word))
      continue;
    auto best = nearestName(word, directives).best();
    if (best)
      return "line " + std::to_string(lines.number) + ": found `" +
             matches[1].str() + ":`; did you mean `" + *best + ":`?";
  }
  return "";
}
