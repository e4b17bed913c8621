//===- CommentLines.cpp - The comments of a test, line by line ------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/CommentLines.h"

using namespace aoa;
using namespace aoa::driver;

static std::optional<llvm::StringRef> commentOf(llvm::StringRef line) {
  line = line.trim();
  if (!line.starts_with("#"))
    return std::nullopt;
  return line.ltrim('#').ltrim();
}

bool CommentLines::next() {
  if (rest.empty())
    return false;
  std::tie(line, rest) = rest.split('\n');
  ++number;
  comment = commentOf(line);
  bool begins = comment && comment->consume_front("RUN:");
  isRun = begins || (continues && comment);
  beginsRun = begins && !continues;
  if (isRun)
    *comment = comment->ltrim();
  bool wasContinued = continues;
  continues = isRun && comment->consume_back("\\");
  endsBroken = wasContinued && !isRun;
  return true;
}
