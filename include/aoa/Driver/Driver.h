//===- Driver.h - The command line of aoac ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Exit codes: 0 done · 1 reported error · 2 wrong usage · 3 "different" · 70
// our bug · 130 interrupted. Data on standard output, all else on standard
// error.
//===----------------------------------------------------------------------===//
#ifndef AOA_DRIVER_DRIVER_H
#define AOA_DRIVER_DRIVER_H

namespace aoa {

enum ExitCode {
  ExitDone = 0,
  ExitError = 1,
  ExitUsage = 2,
  ExitDifferent = 3,
  ExitBug = 70,
  ExitInterrupted = 130,
};

/// Runs the command that `argv` asks for and returns the exit code.
int runAoac(int argc, char **argv);

/// The same for `aoac-opt`, which runs passes on IR text.
int runAoacOpt(int argc, char **argv);

} // namespace aoa

#endif // AOA_DRIVER_DRIVER_H
