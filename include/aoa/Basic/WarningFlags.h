//===- WarningFlags.h - What becomes of each warning ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Every warning kind has a flag of its name:
//
//   -Wid-gap       shown         -Werror=id-gap      an error
//   -Wno-id-gap    not shown     -Wno-error=id-gap   no error, despite -Werror
//   -Werror        all that are shown are errors
//
// Of several flags for one kind the last one counts.
//===----------------------------------------------------------------------===//
#ifndef AOA_BASIC_WARNINGFLAGS_H
#define AOA_BASIC_WARNINGFLAGS_H

#include "aoa/Support/Diagnostic.h"
#include "aoa/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace aoa {

class WarningFlags {
public:
  /// Takes the text behind `-W`. Fails for a name that is no warning of
  /// `kinds`, with the nearest one.
  Expected<void> add(llvm::StringRef flag,
                     llvm::ArrayRef<const DiagnosticKind *> kinds);
  void makeAllErrors() { allAreErrors = true; }
  /// --strict: what was not used is an error, unless a flag says otherwise.
  void makeStrict() { isStrict = true; }

  /// What is to be done with a report of `kind`; Note: nothing, it is off.
  Severity severityOf(const DiagnosticKind &kind) const;

  /// Whether `kind` becomes an error under --strict.
  static bool isStrictKind(const DiagnosticKind &kind);
  /// Whether `kind` is shown only where its flag asks for it.
  static bool isOffByDefault(const DiagnosticKind &kind);

private:
  struct Setting {
    std::optional<bool> isShown, isError;
  };
  llvm::StringMap<Setting> settings; ///< By kind.
  bool allAreErrors = false, isStrict = false;
};

} // namespace aoa

#endif // AOA_BASIC_WARNINGFLAGS_H
