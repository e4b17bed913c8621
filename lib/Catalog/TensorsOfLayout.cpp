//===- TensorsOfLayout.cpp - The tensors that a layout spells out ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/TensorsOfLayout.h"

#include <fmt/format.h>

using namespace aoa;

Expected<Catalog> aoa::tensorsOfLayout(const Layout &layout) {
  constexpr size_t maxNames = 1'000'000;
  Catalog catalog;
  for (const LayoutRule &rule : layout.rules) {
    if (!rule.dtype || !rule.shape)
      continue;
    auto names = rule.match.allNames(maxNames);
    if (!names)
      return fail(ErrorKind::Unsupported,
                  fmt::format("{}: pattern `{}` does not name its tensors one "
                              "by one",
                              rule.path, rule.match.text()));
    for (std::string &name : *names)
      if (layout.findRule(name) == &rule)
        catalog.tensors.push_back({.name = std::move(name),
                                   .dtype = *rule.dtype,
                                   .shape = *rule.shape,
                                   .shards = {}});
  }
  if (catalog.tensors.empty())
    return fail(ErrorKind::Format,
                "no rule of the layout gives a `dtype` and a `shape`");
  if (auto twice = sortByName(catalog.tensors))
    return fail(ErrorKind::Format, fmt::format("`{}` is named twice", *twice));
  return catalog;
}
