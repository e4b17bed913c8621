//===- ReadRunLines.cpp - What the comments of a test ask for -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/ReadRunLines.h"

#include "RuleTests/CheckLines.h"
#include "RuleTests/CommentLines.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

/// A command line of this length is nobody's; the system's limit is near.
constexpr size_t maxBytes = 64 << 10;

struct WrittenRun {
  unsigned line;
  std::string text;
};

/// The RUN lines of `text` with their continuations; a fault is put down in
/// `fault`.
std::vector<WrittenRun> collectRuns(llvm::StringRef text, std::string &fault) {
  std::vector<WrittenRun> runs;
  CommentLines lines(text);
  while (fault.empty() && lines.next()) {
    if (lines.beginsRun)
      runs.push_back({lines.number, ""});
    if (lines.isRun)
      runs.back().text += " " + lines.comment->str();
    if (lines.endsBroken)
      fault = "line " + std::to_string(lines.number) +
              " is no comment, and the RUN line before it ends in `\\`";
    else if (lines.isRun && runs.back().text.size() > maxBytes)
      fault = "the RUN line at line " + std::to_string(runs.back().line) +
              " has more than " + std::to_string(maxBytes) + " bytes";
  }
  if (fault.empty() && lines.continues)
    fault = "the last RUN line ends in `\\`";
  return runs;
}

/// Splits a RUN line into words. Returns the fault, empty if there is none.
std::string splitWords(llvm::StringRef text, std::vector<std::string> &words) {
  bool inWord = false;
  char quote = 0;
  for (char c : text) {
    if (c == '\0')
      return "a NUL byte is in it";
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        words.back() += c;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      inWord = false;
      continue;
    }
    if (llvm::StringRef("|&;<>`").contains(c))
      return "`" + std::string(1, c) +
             "` needs a shell, and there is none; put it in quotes if it is "
             "part of a word";
    if (!inWord)
      words.emplace_back();
    inWord = true;
    if (c == '\'' || c == '"')
      quote = c;
    else
      words.back() += c;
  }
  return quote ? "a quote is not closed" : "";
}

bool isPrefix(llvm::StringRef text) {
  return llvm::Regex("^[A-Za-z][A-Za-z0-9_-]*$").match(text);
}

/// Takes the words for FileCheck from the end of `run.words`. Returns the
/// fault, empty if there is none.
std::string takeCheckWords(RunLine &run) {
  while (!run.words.empty()) {
    llvm::StringRef word = run.words.back();
    if (word.consume_front("--check-prefix=")) {
      if (!isPrefix(word))
        return "`" + word.str() +
               "` is no prefix of checks; expected a letter, then letters, "
               "digits, `_` and `-`";
      run.check.prefix = word.str();
    } else if (word.consume_front("--implicit-check-not=")) {
      run.check.implicitNots.push_back(word.str());
    } else if (word == "--match-full-lines") {
      run.check.matchFullLines = true;
    } else if (word == "--no-check") {
      run.check.none = true;
    } else {
      break;
    }
    run.words.pop_back();
  }
  return "";
}

std::string readRun(llvm::StringRef text, RunLine &run) {
  std::string fault = splitWords(text, run.words);
  if (fault.empty() && !run.words.empty() && run.words.front() == "not") {
    run.expectsError = true;
    run.words.erase(run.words.begin());
  }
  if (fault.empty())
    fault = takeCheckWords(run);
  if (fault.empty() && run.words.empty())
    fault = "it has no command";
  return fault;
}

} // namespace

void driver::readRunLines(RuleTest &test) {
  for (const WrittenRun &written : collectRuns(test.text, test.fault)) {
    if (!test.fault.empty())
      return;
    RunLine run;
    run.line = written.line;
    test.fault = readRun(written.text, run);
    if (!test.fault.empty())
      test.fault = "the RUN line at line " + std::to_string(written.line) +
                   ": " + test.fault;
    test.runs.push_back(std::move(run));
  }
  if (test.fault.empty())
    test.fault = findMisspelt(test);
}

std::expected<std::vector<std::string>, std::string>
driver::substitute(const RunLine &run, const RuleTest &test,
                   llvm::StringRef temporary) {
  // A name that looks like an option, or a file of arguments, is none.
  bool looksLikeOption = llvm::StringRef("-@").contains(test.file.front());
  std::string file = (looksLikeOption ? "./" : "") + test.file;
  std::vector<std::string> arguments;
  for (llvm::StringRef word : run.words) {
    std::string &argument = arguments.emplace_back();
    while (!word.empty()) {
      auto [before, behind] = word.split('%');
      argument += before;
      if (before.size() == word.size())
        break;
      if (behind.consume_front("%"))
        argument += '%';
      else if (behind.consume_front("s"))
        argument += file;
      else if (behind.consume_front("S/"))
        behind = behind.ltrim('/'); // what stands here is named as it is
      else if (behind.consume_front("S"))
        argument += '.';
      else if (behind.consume_front("t"))
        argument += temporary;
      else
        return std::unexpected(
            "`%" + behind.take_front(1).str() +
            "` stands for nothing; expected `%s`, `%S`, `%t` or `%%`");
      word = behind;
    }
  }
  return arguments;
}
