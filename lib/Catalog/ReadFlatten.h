//===- ReadFlatten.h - The field `flatten` of a layout rule -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_CATALOG_READFLATTEN_H
#define AOA_LIB_CATALOG_READFLATTEN_H

#include "JsonFields.h"
#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Reads the field; reports faults. Returns nothing where no axis is known:
/// then nobody can say what is cut.
std::optional<FlattenRule> readFlatten(JsonValue value, const Mesh &mesh,
                                       bool meshIsKnown, JsonFields &fields);

/// Reports an axis of `rule.flatten` that the rule's other fields use.
void checkFlattenAxis(JsonValue value, const LayoutRule &rule, const Mesh &mesh,
                      JsonFields &fields);

/// Reports that the last of `rules` lays a buffer out otherwise than an earlier
/// one that shares it.
void checkFlattenGroup(JsonValue rule, std::span<const LayoutRule> rules,
                       JsonFields &fields);

} // namespace aoa

#endif // AOA_LIB_CATALOG_READFLATTEN_H
