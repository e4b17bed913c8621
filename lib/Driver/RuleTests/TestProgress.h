//===- TestProgress.h - One test on its way ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the commands of one test, one after the other, and judges what they
// print:
//
//   RUN line → exit code → its checks, by FileCheck → next RUN line → …
//   → what the lines without checks printed, by the golden file
//
// The first fault ends the test.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_RULETESTS_TESTPROGRESS_H
#define AOA_LIB_DRIVER_RULETESTS_TESTPROGRESS_H

#include "RuleTests/ChildProcess.h"
#include "RuleTests/RuleTest.h"
#include "RuleTests/RunTests.h"

namespace aoa::driver {

class TestProgress {
public:
  /// `folder` is the test's own for temporary files; it exists.
  TestProgress(const RuleTest &test, const RunTestsOptions &options,
               std::string folder);

  /// Goes on as far as it can without waiting. Returns the result once there is
  /// one.
  std::optional<RuleTestResult> advance();

private:
  std::string whyNotRun() const;
  void startRun();
  void startFileCheck();
  void judgeRun(const ChildProcess::End &end);
  void judgeFileCheck(const ChildProcess::End &end);
  void judgeGoldenFile();
  void start(std::vector<std::string> arguments);
  std::string take(const std::string &path);
  void fail(const std::string &reason);
  bool hasChecks(const RunLine &run);

  const RunLine &run() const { return test.runs[next]; }
  std::string temporary() const { return folder + "/t"; }
  std::string streamPath(llvm::StringRef name) const {
    return folder + "/stream/" + name.str();
  }

  const RuleTest &test;
  const RunTestsOptions &options;
  std::string folder;
  size_t next = 0; ///< The RUN line that runs; behind the last, none does.
  bool isChecking = false, comparesGolden = false;
  /// What the RUN lines that the golden file judges printed.
  std::string printed;
  std::optional<ChildProcess> child;
  std::optional<RuleTestResult> result;
};

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_TESTPROGRESS_H
