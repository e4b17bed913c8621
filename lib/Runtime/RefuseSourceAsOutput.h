//===- RefuseSourceAsOutput.h - A run never destroys its source -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares by device and inode, so other spellings, symbolic and hard links do
// not help. Cost: one stat for each file of the source and of the old output.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_REFUSESOURCEASOUTPUT_H
#define AOA_LIB_RUNTIME_REFUSESOURCEASOUTPUT_H

#include "OutputDirectory.h"
#include "aoa/Plan/TransferPlan.h"

namespace aoa {

/// Fails with Exists, naming both, when the output is the source's folder, one
/// above it, or holds a file of the source.
Expected<void> refuseSourceAsOutput(const TransferPlan &plan,
                                    const std::string &sourceRoot,
                                    const OutputPlace &place);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_REFUSESOURCEASOUTPUT_H
