//===- DiagnosticKinds.cpp - All kinds of all libraries -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "DiagnosticKinds.h"

#include "aoa/AST/ASTDiagnostics.h"
#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Driver/DriverDiagnostics.h"
#include "aoa/Expand/ExpandDiagnostics.h"
#include "aoa/Formats/FormatsDiagnostics.h"
#include "aoa/IRText/IRTextDiagnostics.h"
#include "aoa/Invert/InvertDiagnostics.h"
#include "aoa/Parse/ParseDiagnostics.h"
#include "aoa/Sema/SemaDiagnostics.h"
#include "aoa/Transforms/TransformsDiagnostics.h"
#include "llvm/ADT/STLExtras.h"

#include <array>

using namespace aoa;

namespace {

struct Page {
  llvm::StringLiteral kind;
  llvm::StringLiteral text;
};
// Made of docs/diagnostics.
constexpr Page pages[] = {
#include "DiagnosticPages.inc"
};

#define AOA_KIND(ENUMERATOR, NAME, SEVERITY, SUMMARY) &diag::ENUMERATOR,

constexpr auto makeKinds() {
  // Every list undoes the macro at its end.
  std::array kinds = {
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/AST/ASTDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Catalog/CatalogDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Driver/DriverDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Expand/ExpandDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Formats/FormatsDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/IRText/IRTextDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Invert/InvertDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Parse/ParseDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Sema/SemaDiagnostics.def"
#define AOA_DIAGNOSTIC AOA_KIND
#include "aoa/Transforms/TransformsDiagnostics.def"
  };
  std::ranges::sort(kinds, {}, &DiagnosticKind::name);
  return kinds;
}
constexpr auto kinds = makeKinds();

} // namespace

llvm::ArrayRef<const DiagnosticKind *> driver::allDiagnosticKinds() {
  return kinds;
}

llvm::StringRef driver::diagnosticPage(llvm::StringRef kind) {
  const Page *page =
      llvm::find_if(pages, [&](const Page &each) { return each.kind == kind; });
  return page == std::end(pages) ? llvm::StringRef()
                                 : llvm::StringRef(page->text);
}
