//===- UnusedRules.h - Layout rules that decide nothing ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_FORMATS_UNUSEDRULES_H
#define AOA_LIB_FORMATS_UNUSEDRULES_H

#include "aoa/Catalog/Layout.h"

#include <set>

namespace aoa {

/// Warns of each rule of `layout` that is not in `used`: whether it matches
/// none of `names` or only names that earlier rules decide. Cost: the names for
/// each rule that is reported.
void reportUnusedRules(const Layout &layout,
                       const std::set<const LayoutRule *> &used,
                       std::span<const std::string_view> names,
                       DiagnosticSink &sink);

} // namespace aoa

#endif // AOA_LIB_FORMATS_UNUSEDRULES_H
