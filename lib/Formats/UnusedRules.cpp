//===- UnusedRules.cpp - Layout rules that decide nothing -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "UnusedRules.h"

#include "ShownName.h"
#include "aoa/Formats/FormatsDiagnostics.h"

#include <algorithm>
#include <fmt/format.h>

namespace aoa {

void reportUnusedRules(const Layout &layout,
                       const std::set<const LayoutRule *> &used,
                       std::span<const std::string_view> names,
                       DiagnosticSink &sink) {
  for (const LayoutRule &rule : layout.rules) {
    if (used.contains(&rule))
      continue;
    Diagnostic diagnostic = {.kind = &diag::UnusedSourceRule,
                             .range = rule.range,
                             .message = {},
                             .jsonPath = rule.path};
    auto matched =
        std::find_if(names.begin(), names.end(), [&](std::string_view name) {
          return rule.match.matches(name);
        });
    if (matched == names.end()) {
      diagnostic.message =
          fmt::format("rule {} matches no tensor of the source",
                      shownName(rule.match.text()));
    } else {
      const LayoutRule *earlier = layout.findRule(*matched);
      diagnostic.message =
          fmt::format("rule {} decides no tensor: earlier rules match all of "
                      "its tensors, as {}",
                      shownName(rule.match.text()), shownName(*matched));
      diagnostic.notes.push_back(
          {earlier->range,
           fmt::format("rule {} decides {}", shownName(earlier->match.text()),
                       shownName(*matched))});
    }
    sink.report(std::move(diagnostic));
  }
}

} // namespace aoa
