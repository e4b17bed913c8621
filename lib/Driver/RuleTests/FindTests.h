//===- FindTests.h - The rule tests below a folder --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RULETESTS_FINDTESTS_H
#define AOA_LIB_DRIVER_RULETESTS_FINDTESTS_H

#include "RuleTests/RuleTest.h"
#include "aoa/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"

namespace aoa::driver {

/// Returns the tests among the `.aoa` files of `operands`, files or folders
/// that are searched with all below them, each once and sorted by path. Files
/// without a RUN line are none; one that cannot be read is a test with a fault.
/// Folders that begin with a dot and links to folders are not entered. Fails
/// where an operand or a folder cannot be read.
Expected<std::vector<RuleTest>> findTests(llvm::ArrayRef<std::string> operands);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_FINDTESTS_H
