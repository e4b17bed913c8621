//===- Interrupt.h - Ctrl-C and what else stops a run -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// SIGINT, SIGTERM and SIGHUP end the program with exit code 130: at once, or,
// while bytes are moved, as soon as the run has removed its temporary files. A
// second signal, a second or two later, does not wait for that.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_INTERRUPT_H
#define AOA_LIB_DRIVER_INTERRUPT_H

#include <atomic>

namespace aoa::driver {

/// Installs the handlers. Ignores SIGXFSZ (a file size limit is then an error
/// of write) and SIGPIPE (a closed pipe is one of the output stream).
void installSignalHandlers();

/// Set when a signal came while a run was in progress.
const std::atomic<bool> &stopRequested();

/// While one lives, signals ask the run to stop instead of ending the program.
class RunInProgress {
public:
  RunInProgress();
  ~RunInProgress();
  RunInProgress(const RunInProgress &) = delete;
  RunInProgress &operator=(const RunInProgress &) = delete;
};

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_INTERRUPT_H
