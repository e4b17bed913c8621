//===- FileNames.h - Files of the result that would collide -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_PLANNER_FILENAMES_H
#define AOA_LIB_PLANNER_FILENAMES_H

#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/Error.h"

namespace aoa {

/// Fails when two files of the result have one name, or one stands where
/// another needs a folder. Says which of them is a side file, because
/// `--no-side-files` leaves those out.
Expected<void> checkFileNames(const TransferPlan &plan);

} // namespace aoa

#endif // AOA_LIB_PLANNER_FILENAMES_H
