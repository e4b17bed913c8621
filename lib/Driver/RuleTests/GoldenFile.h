//===- GoldenFile.h - What a test printed when it was right -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_DRIVER_RULETESTS_GOLDENFILE_H
#define AOA_LIB_DRIVER_RULETESTS_GOLDENFILE_H

#include "RuleTests/RuleTest.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace aoa::driver {

/// The file beside `merge.aoa`: the absolute path of `merge.expected`.
std::string goldenPath(const RuleTest &test);

/// Says at which line the two texts begin to differ, and shows both lines.
/// Empty if they are equal byte for byte.
std::string firstDifference(llvm::StringRef expected, llvm::StringRef found);

/// Lines of `text` for the report of a failed test: the first ones, indented,
/// control characters shown, and how many are left out.
std::string quoteLines(llvm::StringRef text);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_GOLDENFILE_H
