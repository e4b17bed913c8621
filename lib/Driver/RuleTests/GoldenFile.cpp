//===- GoldenFile.cpp - What a test printed when it was right -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/GoldenFile.h"

#include "aoa/Basic/Showable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

/// A line as a report shows it.
std::string shownLine(llvm::StringRef line) {
  constexpr size_t maxBytes = 500;
  if (line.size() <= maxBytes)
    return showable(line);
  return showable(line.take_front(maxBytes)) + "...";
}

/// The first line of `rest`, or that there is none.
std::string describeLine(llvm::StringRef rest, llvm::StringRef what) {
  if (rest.empty())
    return "  " + what.str() + " ends here\n";
  llvm::StringRef line = rest.split('\n').first;
  bool isCut = line.size() == rest.size();
  std::string label = what.str() + ":" + std::string(9 - what.size(), ' ');
  return "  " + label + shownLine(line) + (isCut ? " (no line end)" : "") +
         "\n";
}

} // namespace

std::string driver::goldenPath(const RuleTest &test) {
  llvm::SmallString<256> path(test.directory);
  llvm::sys::path::append(path, llvm::sys::path::stem(test.file) + ".expected");
  return std::string(path);
}

std::string driver::firstDifference(llvm::StringRef expected,
                                    llvm::StringRef found) {
  if (expected == found)
    return "";
  unsigned line = 1;
  while (true) {
    auto [a, restOfExpected] = expected.split('\n');
    auto [b, restOfFound] = found.split('\n');
    bool bothEnd = a.size() < expected.size() && b.size() < found.size();
    if (a != b || !bothEnd)
      break;
    expected = restOfExpected;
    found = restOfFound;
    ++line;
  }
  return "line " + std::to_string(line) + ":\n" + describeLine(found, "found") +
         describeLine(expected, "expected");
}

std::string driver::quoteLines(llvm::StringRef text) {
  constexpr unsigned maxLines = 40;
  std::string shown;
  for (unsigned line = 0; !text.empty(); ++line) {
    if (line == maxLines) {
      size_t left = text.count('\n') + !text.ends_with("\n");
      return shown + "  | ... " + std::to_string(left) + " more lines\n";
    }
    llvm::StringRef first;
    std::tie(first, text) = text.split('\n');
    shown += "  | " + shownLine(first) + "\n";
  }
  return shown;
}
