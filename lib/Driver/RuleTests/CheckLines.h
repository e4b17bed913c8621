//===- CheckLines.h - The checks in a test's comments -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// FileCheck takes a check for one wherever a comment has it, and says nothing
// about a comment that is nearly one: a test that is judged by less than its
// author thinks would pass.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_DRIVER_RULETESTS_CHECKLINES_H
#define AOA_LIB_DRIVER_RULETESTS_CHECKLINES_H

#include "RuleTests/RuleTest.h"
#include "llvm/ADT/StringRef.h"

namespace aoa::driver {

/// Whether a comment of `text` outside of its RUN lines has a check with
/// `prefix`: `PREFIX:`, `PREFIX-NEXT:` and so on.
bool hasCheckLines(llvm::StringRef text, llvm::StringRef prefix);

/// Returns what a comment that begins with a misspelt `RUN:`, `CHECK-NEXT:` or
/// check of another prefix of `test` may mean; empty if there is none. Such a
/// word is in capitals and its `:` follows at once. In a file without RUN lines
/// only those are looked for.
std::string findMisspelt(const RuleTest &test);

} // namespace aoa::driver

#endif // AOA_LIB_DRIVER_RULETESTS_CHECKLINES_H
