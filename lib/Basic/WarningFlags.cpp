//===- WarningFlags.cpp - What becomes of each warning ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Basic/WarningFlags.h"

#include "aoa/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace aoa {

bool WarningFlags::isStrictKind(const DiagnosticKind &kind) {
  constexpr StringRef strictKinds[] = {"unused-source", "unused-rule",
                                       "unused-pattern"};
  return llvm::is_contained(strictKinds, StringRef(kind.name));
}

bool WarningFlags::isOffByDefault(const DiagnosticKind &kind) {
  return kind.name == "portability";
}

static Expected<void>
checkWarning(StringRef name, llvm::ArrayRef<const DiagnosticKind *> kinds) {
  NearestName nearest(name.str());
  for (const DiagnosticKind *kind : kinds) {
    if (kind->name == std::string_view(name)) {
      if (kind->severity == Severity::Warning)
        return {};
      return fail(ErrorKind::Unsupported,
                  "`" + name.str() + "` is always an error, no warning");
    }
    if (kind->severity == Severity::Warning)
      nearest.consider(kind->name);
  }
  return fail(ErrorKind::Unsupported,
              "there is no warning `" + name.str() + "`" + nearest.hint());
}

Expected<void> WarningFlags::add(StringRef flag,
                                 llvm::ArrayRef<const DiagnosticKind *> kinds) {
  bool noError = flag.consume_front("no-error=");
  bool error = !noError && flag.consume_front("error=");
  bool no = !noError && !error && flag.consume_front("no-");
  if (Expected<void> known = checkWarning(flag, kinds); !known)
    return known;
  Setting &setting = settings[flag];
  if (error || noError)
    setting.isError = error;
  if (!noError)
    setting.isShown = !no;
  return {};
}

Severity WarningFlags::severityOf(const DiagnosticKind &kind) const {
  if (kind.severity != Severity::Warning)
    return kind.severity;
  Setting setting = settings.lookup(StringRef(kind.name));
  if (!setting.isShown.value_or(!isOffByDefault(kind)))
    return Severity::Note;
  bool isError = allAreErrors || (isStrict && isStrictKind(kind));
  return setting.isError.value_or(isError) ? Severity::Error
                                           : Severity::Warning;
}

} // namespace aoa
