//===- TestCommand.cpp - aoac test ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Interrupt.h"
#include "Invocation.h"
#include "RuleTests/FileChecks.h"
#include "RuleTests/FindTests.h"
#include "RuleTests/RunTests.h"
#include "aoa/Basic/Showable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"

#include <thread>

using namespace aoa;
using namespace aoa::driver;

namespace {

/// `--file-check`: the call that tests make of this program.
int fileCheck(Invocation &invocation) {
  CheckWords words;
  words.prefix = invocation.value(OPT_check_prefix).str();
  words.implicitNots = invocation.values(OPT_implicit_check_not);
  words.matchFullLines = invocation.has(OPT_match_full_lines);
  if (!invocation.expectOperands(2, 2, "a script and an output"))
    return ExitUsage;
  std::vector<std::string> operands = invocation.operands();
  return runFileCheck(invocation.value(OPT_file_check), operands[0],
                      operands[1], words);
}

/// Reads -j, --timeout and --update.
RunTestsOptions runOptions(Invocation &invocation) {
  RunTestsOptions options;
  options.numAtOnce = std::clamp(
      invocation.number(OPT_j, std::thread::hardware_concurrency()), 1u, 256u);
  options.limit = std::chrono::seconds(
      invocation.number(OPT_timeout, options.limit.count()));
  if (options.limit.count() == 0)
    invocation.usageError("--timeout: expected a number of seconds above 0");
  options.updatesGoldenFiles = invocation.has(OPT_update);
  options.stop = &stopRequested();
  return options;
}

/// What --filter says; nothing, and a usage error, where it is no pattern.
std::optional<llvm::Regex> filter(Invocation &invocation) {
  llvm::Regex regex(invocation.value(OPT_filter, ".*"));
  std::string fault;
  if (regex.isValid(fault))
    return regex;
  invocation.usageError("--filter: `" + invocation.value(OPT_filter) +
                        "`: " + fault);
  return std::nullopt;
}

std::string count(size_t number, llvm::StringRef what) {
  return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
}

} // namespace

int driver::runTestCommand(Invocation &invocation) {
  if (invocation.has(OPT_file_check))
    return fileCheck(invocation);
  RunTestsOptions options = runOptions(invocation);
  std::optional<llvm::Regex> wanted = filter(invocation);
  if (!invocation.expectOperands(1, SIZE_MAX, "a folder of tests"))
    return ExitUsage;

  auto tests = findTests(invocation.operands());
  if (!tests)
    return invocation.report(tests.error());
  size_t numFound = tests->size();
  llvm::erase_if(
      *tests, [&](const RuleTest &test) { return !wanted->match(test.name); });
  if (tests->empty())
    return invocation.report(
        Error{ErrorKind::Io,
              numFound ? "--filter leaves none of " + count(numFound, "test")
                       : "no `.aoa` file with a line `# RUN: …` in `" +
                             invocation.operands().front() + "`"});

  RunInProgress inProgress;
  size_t numPassed = 0;
  auto report = [&](const RuleTest &test, const RuleTestResult &result) {
    llvm::outs() << (result.passed ? "PASS " : "FAIL ") << showable(test.name);
    if (!result.remark.empty())
      llvm::outs() << " (" << showable(result.remark) << ")";
    llvm::outs() << "\n" << result.reason;
    llvm::outs().flush();
    numPassed += result.passed;
  };
  if (auto done = runTests(*tests, options, report); !done)
    return invocation.report(done.error());
  llvm::outs() << count(tests->size(), "test") << ": " << numPassed
               << " passed, " << tests->size() - numPassed << " failed\n";
  return numPassed == tests->size() ? ExitDone : ExitError;
}
