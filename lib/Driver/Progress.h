//===- Progress.h - The bar on a terminal, sizes for people -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_PROGRESS_H
#define AOA_LIB_DRIVER_PROGRESS_H

#include "aoa/Runtime/Execute.h"

namespace aoa::driver {

/// Returns `1.23 GB` (decimal units), `512 bytes` below a thousand.
std::string formatBytes(int64_t bytes);

/// Returns a callback that draws bytes, rate and time left on standard error,
/// or none when that is no terminal.
std::function<void(const Progress &)> progressBar();

/// Removes the bar from the terminal's line.
void clearProgressBar();

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_PROGRESS_H
