//===- Interrupt.h - Ctrl-C and what else stops a run -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_INTERRUPT_H
#define AOA_LIB_DRIVER_INTERRUPT_H

#include <atomic>

namespace aoa::driver {

/// Set when the user asked to stop (SIGINT, SIGTERM, SIGHUP).
const std::atomic<bool> &stopRequested();

/// Makes the three signals set `stopRequested` so that a run can clean up; a
/// second one ends the process at once. Ignores SIGXFSZ (a file size limit is
/// then an error of write) and SIGPIPE (a closed pipe is one of the output
/// stream).
void installSignalHandlers();

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_INTERRUPT_H
