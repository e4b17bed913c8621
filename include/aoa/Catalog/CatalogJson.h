//===- CatalogJson.h - The JSON form of a catalog ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Schema `aoa.catalog/1`, described in docs/Layouts.md. Printing is
// deterministic, one tensor a line, sorted by name; reading back what was
// printed gives the same catalog, but for what the form has no field for: the
// root, the metadata and the fingerprints. Shards that are no box are printed
// as `pieces`, which are not read yet.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_CATALOGJSON_H
#define AOA_CATALOG_CATALOGJSON_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/Diagnostic.h"

#include <optional>

namespace aoa {

/// Reads a catalog; `root` becomes its folder. Every fault is reported with its
/// place in `json` (file `file`) and its JSON path; nothing is returned after
/// an error. Checked: known fields (nearest spelling), names once, extents and
/// their products, blocks inside the tensor, shards inside their storage.
std::optional<Catalog> parseCatalog(std::string_view json, FileId file,
                                    std::string root, DiagnosticSink &sink);

/// Returns the text that `aoac inspect --json` prints.
std::string printCatalog(const Catalog &catalog);

/// What a JSON text seems to be.
enum class JsonInputKind { Catalog, Layout, AffineMap, Statements, Other };
/// Tells by the schema, or else by the names of the fields of the outermost
/// object; Other for what is none of these or no JSON. Reads no further than it
/// must.
JsonInputKind classifyJsonInput(std::string_view json);

} // namespace aoa

#endif // AOA_CATALOG_CATALOGJSON_H
