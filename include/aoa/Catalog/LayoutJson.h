//===- LayoutJson.h - The JSON form of a layout -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_CATALOG_LAYOUTJSON_H
#define AOA_CATALOG_LAYOUTJSON_H

#include "aoa/Catalog/Layout.h"
#include "aoa/Support/Expression.h"

namespace aoa {

/// Reads a layout of schema `aoa.layout/1`. Every fault is reported with its
/// place in `json` and its JSON path; nothing is returned after an error.
/// `parameters` says what `${…}` stands for in strings; null: nothing is set.
std::optional<Layout> parseLayout(std::string_view json, FileId file,
                                  DiagnosticSink &sink,
                                  const ExprScope *parameters = nullptr);

} // namespace aoa

#endif // AOA_CATALOG_LAYOUTJSON_H
