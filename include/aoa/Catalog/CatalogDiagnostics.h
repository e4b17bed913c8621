//===- CatalogDiagnostics.h - Faults of layouts and catalogs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_CATALOG_CATALOGDIAGNOSTICS_H
#define AOA_CATALOG_CATALOGDIAGNOSTICS_H

#include "aoa/Support/Diagnostic.h"

namespace aoa::diag {

#define AOA_DIAGNOSTIC AOA_DEFINE_DIAGNOSTIC
#include "aoa/Catalog/CatalogDiagnostics.def"

} // namespace aoa::diag

#endif // AOA_CATALOG_CATALOGDIAGNOSTICS_H
