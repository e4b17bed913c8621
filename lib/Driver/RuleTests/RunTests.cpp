//===- RunTests.cpp - Rule tests, several at a time -----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "RuleTests/RunTests.h"

#include "RuleTests/TestProgress.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <list>
#include <thread>

using namespace aoa;
using namespace aoa::driver;

namespace fs = llvm::sys::fs;

namespace {

struct Running {
  Running(size_t index, const RuleTest &test, const RunTestsOptions &options,
          const std::string &folder)
      : index(index), folder(folder), progress(test, options, folder) {}

  size_t index;
  std::string folder;
  TestProgress progress;
};

} // namespace

Expected<void> driver::runTests(
    llvm::ArrayRef<RuleTest> tests, const RunTestsOptions &options,
    llvm::function_ref<void(const RuleTest &, const RuleTestResult &)> report) {
  llvm::SmallString<128> place, home;
  std::error_code error = fs::current_path(home);
  if (!error)
    error = fs::createUniqueDirectory("aoac-test", place);
  if (error)
    return fail(ErrorKind::Io,
                "making a folder for temporary files: " + error.message());
  std::list<Running> running;
  auto cleanUp = llvm::make_scope_exit([&] {
    running.clear();
    fs::set_current_path(home);
    fs::remove_directories(place);
  });

  std::vector<std::optional<RuleTestResult>> results(tests.size());
  size_t numStarted = 0, numReported = 0;
  while (numReported < tests.size()) {
    while (numStarted < tests.size() && running.size() < options.numAtOnce) {
      std::string folder = (place + "/" + llvm::Twine(numStarted)).str();
      if ((error = fs::create_directory(folder)))
        return fail(ErrorKind::Io,
                    "making `" + folder + "`: " + error.message());
      running.emplace_back(numStarted, tests[numStarted], options, folder);
      ++numStarted;
    }
    for (auto at = running.begin(); at != running.end();) {
      results[at->index] = at->progress.advance();
      if (!results[at->index]) {
        ++at;
        continue;
      }
      fs::remove_directories(at->folder);
      at = running.erase(at);
    }
    for (; numReported < numStarted && results[numReported]; ++numReported)
      report(tests[numReported], *results[numReported]);
    if (options.stop && *options.stop)
      return fail(ErrorKind::Interrupted, "interrupted");
    if (running.size() >= options.numAtOnce || numStarted == tests.size())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}
