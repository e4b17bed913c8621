//===- Prelude.cpp - The built-in macros, parsed --------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "MacroTable.h"
#include "aoa/Expand/Expand.h"
#include "aoa/Parse/Parse.h"

namespace aoa {

llvm::StringRef preludeText() {
  static constexpr char text[] = {
#include "Prelude.inc"
  };
  return {text, sizeof text};
}

const ast::Script &expand::prelude() {
  static const ast::Script script = [] {
    SourceManager sources;
    DiagnosticList faults;
    ast::Script parsed =
        parseScript(sources, sources.add("prelude", preludeText().str()),
                    ast::Dialect::Aoa, faults);
    assert(faults.list.empty() && "the prelude has a fault");
    return parsed;
  }();
  return script;
}

} // namespace aoa
