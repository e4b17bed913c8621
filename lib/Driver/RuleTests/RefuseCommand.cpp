//===- RefuseCommand.cpp - What a rule test may not run -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Invocation.h"
#include "RuleTests/ReadRunLines.h"
#include "aoa/Support/NearestName.h"
#include "llvm/Option/OptTable.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

struct Row {
  llvm::StringLiteral word;
  Command command;
};
constexpr Row rows[] = {
#define AOA_TOOL(NAME, WORD, OPERANDS, SUMMARY)
#define AOA_COMMAND(NAME, WORD, OPERANDS, SUMMARY) {WORD, Command::NAME},
#include "Commands.def"
};

bool liesBelow(llvm::StringRef path, llvm::StringRef temporary) {
  if (!path.starts_with(temporary))
    return false;
  llvm::SmallVector<llvm::StringRef> steps;
  path.split(steps, '/');
  return !llvm::is_contained(steps, "..");
}

} // namespace

std::string driver::whyRefused(llvm::ArrayRef<std::string> arguments,
                               llvm::StringRef temporary) {
  const std::string &word = arguments.front();
  const Row *row =
      llvm::find_if(rows, [&](const Row &each) { return each.word == word; });
  if (row == std::end(rows)) {
    NearestName nearest(word);
    for (const Row &each : rows)
      nearest.consider(each.word);
    return "unknown command `" + word + "`" + nearest.hint();
  }
  if (row->command == Command::Test)
    return "`test` inside of a test";
  llvm::SmallVector<const char *, 16> rest;
  for (const std::string &argument : arguments.drop_front()) {
    if (argument.starts_with("@"))
      return "`" + argument + "`: arguments from a file";
    rest.push_back(argument.c_str());
  }
  unsigned missingIndex = 0, missingCount = 0;
  auto args = optionTable().ParseArgs(rest, missingIndex, missingCount,
                                      visibilityOf(row->command));
  for (const llvm::opt::Arg *arg : args) {
    if (!arg->getOption().hasFlag(WritesFile))
      continue;
    llvm::StringRef path = arg->getNumValues() ? arg->getValue() : "";
    if (path != "-" && !liesBelow(path, temporary))
      return "`" + arg->getAsString(args) +
             "` writes elsewhere than at a path that begins with `%t`";
  }
  return "";
}
