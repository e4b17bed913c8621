//===- ListCommand.cpp - aoac list ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints what the registries (the .def files) hold.
//===----------------------------------------------------------------------===//
#include "DiagnosticKinds.h"
#include "Invocation.h"
#include "aoa/Expand/Expand.h"
#include "aoa/Formats/Checkpoint.h"
#include "aoa/Support/NearestName.h"
#include "aoa/Transforms/Pipeline.h"
#include "llvm/Support/FormatVariadic.h"

using namespace aoa;
using namespace aoa::driver;

namespace {

struct Row {
  std::string name, summary;
};
using Rows = std::vector<Row>;

Rows macros() {
  Rows rows;
  for (const MacroInfo &macro : allMacros())
    rows.push_back({macro.name.str(),
                    macro.form.empty()
                        ? macro.summary.str()
                        : (macro.summary + ": `" + macro.form + "`").str()});
  return rows;
}

Rows primitives() {
  return {
#define AOA_PRIMITIVE(NAME, KEYWORD, FORM, SUMMARY)                            \
  {KEYWORD, SUMMARY ": `" FORM "`"},
#include "aoa/Primitives/Primitives.def"
  };
}

Rows passes() {
  Rows rows;
  for (const PassInfo &pass : allPasses())
    rows.push_back({pass.name.str(), pass.summary.str()});
  return rows;
}

Rows formats() {
  Rows rows;
  for (const FormatInfo &format : allFormats())
    rows.push_back({std::string(format.name), std::string(format.summary)});
  return rows;
}

Rows transports() {
  return {
#define AOA_TRANSPORT(NAME, WORD, SUMMARY) {WORD, SUMMARY},
#include "aoa/Transport/Transports.def"
  };
}

Rows diagnostics() {
  Rows rows;
  for (const DiagnosticKind *kind : allDiagnosticKinds())
    rows.push_back(
        {std::string(kind->name),
         (kind->severity == Severity::Warning ? "warning: " : "error: ") +
             std::string(kind->summary)});
  return rows;
}

struct Registry {
  llvm::StringRef name;
  Rows (*rows)();
};
constexpr Registry registries[] = {
    {"macros", macros},         {"primitives", primitives},
    {"passes", passes},         {"formats", formats},
    {"transports", transports}, {"diagnostics", diagnostics}};

} // namespace

int driver::runListCommand(Invocation &invocation) {
  constexpr llvm::StringLiteral what =
      "one of macros, primitives, passes, formats, transports, diagnostics";
  if (!invocation.expectOperands(1, 1, what))
    return ExitUsage;
  std::string wanted = invocation.operands().front();
  if (invocation.has(OPT_list_source)) {
    if (wanted != "macros") {
      invocation.usageError("--source goes with `macros`, found `" + wanted +
                            "`");
      return ExitUsage;
    }
    llvm::outs() << preludeText();
    return ExitDone;
  }
  for (const Registry &registry : registries) {
    if (registry.name != wanted)
      continue;
    for (const Row &row : registry.rows())
      llvm::outs() << llvm::formatv("{0,-22} {1}\n", row.name, row.summary);
    return ExitDone;
  }
  invocation.usageError("unknown registry `" + wanted + "`; expected " + what);
  return ExitUsage;
}
