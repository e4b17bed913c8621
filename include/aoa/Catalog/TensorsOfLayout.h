//===- TensorsOfLayout.h - The tensors that a layout spells out -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_CATALOG_TENSORSOFLAYOUT_H
#define AOA_CATALOG_TENSORSOFLAYOUT_H

#include "aoa/Catalog/Layout.h"

namespace aoa {

/// Returns a catalog of the tensors whose rules give both `dtype` and `shape`;
/// such a rule's pattern must name its tensors one by one: text, `{a,b}` and
/// `{0..15}`. Other rules give none. Fails for a pattern with open ends, for
/// more than a million names, and when no rule gives a tensor. Shards are left
/// out.
Expected<Catalog> tensorsOfLayout(const Layout &layout);

} // namespace aoa

#endif // AOA_CATALOG_TENSORSOFLAYOUT_H
