//===- UnusedRules.h - Layout rules that decide nothing ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_CATALOG_UNUSEDRULES_H
#define AOA_CATALOG_UNUSEDRULES_H

#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Warns of each rule of `layout` that `isUsed` (by index) does not name:
/// whether it matches none of `names` or only such that earlier rules take; and
/// of each entry of `place` that fits none. Cost: the names for each of these.
void reportUnusedRules(const Layout &layout, const std::vector<bool> &isUsed,
                       std::span<const std::string_view> names,
                       DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_CATALOG_UNUSEDRULES_H
