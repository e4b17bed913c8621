//===- HeldElements.h - What a shard holds, one by one ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_UNITTESTS_CATALOG_HELDELEMENTS_H
#define AOA_UNITTESTS_CATALOG_HELDELEMENTS_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Support/JsonReader.h"

#include <map>

namespace aoa::test {

/// For each element of a shard, in order, the flat place in the whole tensor;
/// −1: padding.
using Held = std::vector<int64_t>;

/// Fails the test where a shard holds an element twice.
Held heldBy(const Shard &shard, const Shape &whole);
std::map<uint32_t, Held> heldByRank(const std::vector<Shard> &shards,
                                    const Shape &whole);

/// Returns a file of test/Inputs.
std::string readInput(const char *name);
/// The whole number of a member, −1 where it is not there.
int64_t numberOf(JsonValue object, std::string_view member);
Shape shapeOf(JsonValue list);

} // namespace aoa::test

#endif // AOA_UNITTESTS_CATALOG_HELDELEMENTS_H
