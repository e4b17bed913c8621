//===- ChildProcess.h - A program that runs beside this one -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RULETESTS_CHILDPROCESS_H
#define AOA_LIB_DRIVER_RULETESTS_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <optional>
#include <string>

namespace aoa::driver {

/// This very program with other arguments, its standard streams in files. Ends
/// the process when it goes out of scope.
class ChildProcess {
public:
  using Clock = std::chrono::steady_clock;

  struct Command {
    std::vector<std::string> arguments; ///< Behind the program's name.
    std::string directory;              ///< Absolute: where it runs.
    std::string out, err; ///< Files that take its output, absolute.
    std::chrono::seconds limit;
  };
  /// How it ended.
  struct End {
    std::optional<int> exitCode;
    std::string fault; ///< Why there is no exit code.
  };

  /// Starts it; what keeps it from starting is an end. Changes the working
  /// directory of this process, so all its paths have to be absolute.
  explicit ChildProcess(Command command);
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  /// Returns how it ended, or nothing while it runs. Ends it when it has run
  /// for too long or has printed more than anybody reads.
  std::optional<End> poll();

private:
  void end();

  Command command;
  Clock::time_point deadline;
  llvm::sys::ProcessInfo process;
  std::optional<End> ended;
};

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_CHILDPROCESS_H
