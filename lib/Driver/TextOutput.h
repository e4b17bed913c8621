//===- TextOutput.h - Where a command's data goes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_TEXTOUTPUT_H
#define AOA_LIB_DRIVER_TEXTOUTPUT_H

#include "Invocation.h"

namespace aoa::driver {

/// Writes `bytes` to the file of `-o`, or to standard output without one. A
/// file appears whole or not at all. Returns the exit code.
int writeOutput(Invocation &invocation, llvm::StringRef bytes);

/// Writes a whole file under a temporary name and renames it. A link to a file
/// stays one, and a file that is replaced keeps its permissions.
Expected<void> writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_TEXTOUTPUT_H
