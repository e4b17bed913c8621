//===- ReadLayoutRule.h - One rule of a layout ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_READLAYOUTRULE_H
#define AOA_LIB_CATALOG_READLAYOUTRULE_H

#include "JsonFields.h"
#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Reads one entry of `rules`. Reports all its faults; after one the rule is
/// not to be used. Axes are looked up only if `meshIsKnown`.
LayoutRule readLayoutRule(JsonValue value, const Mesh &mesh, bool meshIsKnown,
                          JsonFields &fields);

} // namespace aoa

#endif // AOA_LIB_CATALOG_READLAYOUTRULE_H
