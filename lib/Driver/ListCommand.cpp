//===- ListCommand.cpp - aoac list ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints what the registries (the .def files) hold.
//===----------------------------------------------------------------------===//
#include "Invocation.h"
#include "aoa/Expand/Expand.h"
#include "aoa/Formats/Checkpoint.h"
#include "aoa/Support/NearestName.h"
#include "aoa/Transforms/Pipeline.h"
#include "llvm/ADT/StringExtras.h"
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

/// The rows of one library's list; every list undoes the macro at its end.
#define AOA_DIAGNOSTIC_ROW(NAME, WORD, SEVERITY, SUMMARY)                      \
  {WORD, #SEVERITY ": " SUMMARY},

Rows diagnostics() {
  Rows rows = {
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/Catalog/CatalogDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/Expand/ExpandDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/Formats/FormatsDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/IRText/IRTextDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/Parse/ParseDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/Sema/SemaDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_DIAGNOSTIC_ROW
#include "aoa/Transforms/TransformsDiagnostics.def"
  };
  std::ranges::sort(rows, {}, &Row::name);
  for (Row &row : rows)
    row.summary[0] = llvm::toLower(row.summary[0]);
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
