//===- RunTests.h - Rule tests, several at a time ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RULETESTS_RUNTESTS_H
#define AOA_LIB_DRIVER_RULETESTS_RUNTESTS_H

#include "RuleTests/RuleTest.h"
#include "aoa/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>
#include <chrono>

namespace aoa::driver {

struct RunTestsOptions {
  unsigned numAtOnce = 1;
  std::chrono::seconds limit = std::chrono::seconds(60); ///< A command.
  bool updatesGoldenFiles = false;
  /// Set by others: end everything, and the tests that have not ended with it.
  const std::atomic<bool> *stop = nullptr;
};

/// Runs `tests` and calls `report` for each in their order, as soon as it and
/// those before it are done. Fails without a place for temporary files, and
/// when it is stopped.
Expected<void> runTests(
    llvm::ArrayRef<RuleTest> tests, const RunTestsOptions &options,
    llvm::function_ref<void(const RuleTest &, const RuleTestResult &)> report);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_RUNTESTS_H
