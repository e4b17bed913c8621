//===- ReadRunLines.h - What the comments of a test ask for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A RUN line is a comment line `# RUN: [not] COMMAND ARGUMENT…`; a `\` at its
// end continues it on the next line, a comment as well, with or without a
// `RUN:` of its own. Words are separated by blanks; `'…'` and `"…"` hold
// blanks and are not looked into. There is no shell: a word with `| & ; < >`
// outside of quotes is a fault.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_RULETESTS_READRUNLINES_H
#define AOA_LIB_DRIVER_RULETESTS_READRUNLINES_H

#include "RuleTests/RuleTest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <expected>

namespace aoa::driver {

/// Fills `runs` from the text of `test`, or `fault`.
void readRunLines(RuleTest &test);

/// Puts the values in: `%s` the file, `%S` its folder, `%t` the path
/// `temporary`, `%%` a percent sign. The error says which is none of them.
std::expected<std::vector<std::string>, std::string>
substitute(const RunLine &run, const RuleTest &test, llvm::StringRef temporary);

/// Returns why a test may not run the command: an unknown one, `test` itself,
/// or one that would write elsewhere than below `temporary`. Empty if it may.
std::string whyRefused(llvm::ArrayRef<std::string> arguments,
                       llvm::StringRef temporary);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_READRUNLINES_H
