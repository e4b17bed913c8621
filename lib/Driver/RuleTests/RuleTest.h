//===- RuleTest.h - A script that says how it is tested ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A rule test is a script with comments that say what to run and what comes
// out, or with a golden file beside it:
//
//   # RUN: expand %s --source model.json
//   # CHECK: q.0, k.0 -> qk.0, axis=0
//   q.$LAYER_ID, k.$LAYER_ID -> qk.$LAYER_ID, axis=0
//
// Its commands run in its own folder, so what they print does not depend on
// where that lies. docs/Testing.md is for users.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_RULETESTS_RULETEST_H
#define AOA_LIB_DRIVER_RULETESTS_RULETEST_H

#include <string>
#include <vector>

namespace aoa::driver {

/// What FileCheck is told by the words at the end of a RUN line.
struct CheckWords {
  std::string prefix; ///< Empty: `CHECK`, where the file has such lines.
  std::vector<std::string> implicitNots;
  bool matchFullLines = false;
  bool none = false; ///< `--no-check`: the exit code says it all.
};

struct RunLine {
  unsigned line = 0; ///< Of its first line, from 1.
  bool expectsError = false;
  /// The command and its arguments, with `%s` and the like in them.
  std::vector<std::string> words;
  CheckWords check;
};

struct RuleTest {
  std::string name;      ///< The path that the user would type.
  std::string directory; ///< Absolute.
  std::string file;      ///< In `directory`.
  std::string text;
  std::vector<RunLine> runs;
  /// Why it cannot be run; empty if it can.
  std::string fault;
};

struct RuleTestResult {
  bool passed = false;
  std::string remark; ///< Behind the name.
  std::string reason; ///< Lines below it.
};

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_RULETEST_H
