//===- FileChecks.h - LLVM's FileCheck on a test's output -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Patterns are the user's and may take for ever, and FileCheck writes to
// standard error: so it runs in a process of its own, `aoac test
// --file-check=NAME SCRIPT OUTPUT`, which nobody types.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_RULETESTS_FILECHECKS_H
#define AOA_LIB_DRIVER_RULETESTS_FILECHECKS_H

#include "RuleTests/RuleTest.h"
#include "llvm/ADT/StringRef.h"

namespace aoa::driver {

/// Checks the file `output` against the checks in `script`, which messages call
/// `name`. Says on standard error what does not hold; returns the exit code.
int runFileCheck(llvm::StringRef name, llvm::StringRef script,
                 llvm::StringRef output, const CheckWords &words);

/// The arguments for which aoac makes that call; both paths are absolute.
std::vector<std::string> fileCheckArguments(llvm::StringRef name,
                                            llvm::StringRef script,
                                            llvm::StringRef output,
                                            const CheckWords &words);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_FILECHECKS_H
