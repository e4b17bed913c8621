//===- CheckUnusedRules.cpp - Rules that no tensor reaches ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "PlaceResults.h"
#include "aoa/Transforms/TransformsDiagnostics.h"

using namespace aoa;

void aoa::checkUnusedRules(const ir::Program &program, const Layout &layout,
                           const std::vector<bool> &isUsed,
                           DiagnosticSink &sink) {
  for (size_t i = 0; i < layout.rules.size(); ++i) {
    if (isUsed[i])
      continue;
    const LayoutRule &rule = layout.rules[i];
    std::string subject =
        "no tensor reaches the rule for `" + rule.match.text() + "`: ";
    Diagnostic warning{&diag::UnusedRule, rule.range, subject};
    warning.jsonPath = rule.path;
    auto matched =
        llvm::find_if(program.results, [&](const ir::Result &result) {
          return !result.leftToCaller && rule.match.matches(result.name);
        });
    if (matched == program.results.end()) {
      warning.message += "it matches nothing";
    } else {
      const LayoutRule *taker = layout.findRule(matched->name);
      warning.message += "`" + matched->name +
                         "` is taken by the earlier rule for `" +
                         taker->match.text() + "`";
      warning.notes.push_back({taker->range, "this rule comes first"});
    }
    sink.report(std::move(warning));
  }
}
