//===- UnusedRules.cpp - Layout rules that decide nothing -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/UnusedRules.h"

#include "aoa/Catalog/CatalogDiagnostics.h"

#include <algorithm>
#include <fmt/format.h>

using namespace aoa;

static void reportUnusedPlaces(const Layout &layout,
                               std::span<const std::string_view> names,
                               DiagnosticSink &sink) {
  for (const HolderRule &place : layout.places)
    if (std::ranges::none_of(names, [&](std::string_view name) {
          return place.fit(name).has_value();
        }))
      sink.report({.kind = &diag::UnusedRule,
                   .range = place.range,
                   .message = fmt::format("no tensor reaches the entry of "
                                          "`place` for `{}`: it matches "
                                          "nothing",
                                          place.match.text()),
                   .jsonPath = place.path});
}

void aoa::reportUnusedRules(const Layout &layout,
                            const std::vector<bool> &isUsed,
                            std::span<const std::string_view> names,
                            DiagnosticSink &sink) {
  for (size_t i = 0; i < layout.rules.size(); ++i) {
    if (isUsed[i])
      continue;
    const LayoutRule &rule = layout.rules[i];
    Diagnostic warning = {.kind = &diag::UnusedRule,
                          .range = rule.range,
                          .message = {},
                          .jsonPath = rule.path};
    auto matched = std::ranges::find_if(
        names, [&](std::string_view name) { return rule.match.matches(name); });
    if (matched == names.end()) {
      warning.message =
          fmt::format("no tensor reaches the rule for `{}`: it matches nothing",
                      rule.match.text());
    } else {
      const LayoutRule *taker = layout.findRule(*matched);
      warning.message = fmt::format(
          "no tensor reaches the rule for `{}`: `{}` is taken by the earlier "
          "rule for `{}`",
          rule.match.text(), *matched, taker->match.text());
      warning.notes.push_back({taker->range, "this rule comes first"});
    }
    sink.report(std::move(warning));
  }
  reportUnusedPlaces(layout, names, sink);
}
