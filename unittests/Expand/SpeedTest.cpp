//===- SpeedTest.cpp - A model with 256 experts in 60 layers ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Names are found by what they look like, so templates over a large model cost
// what they make. The bound is loose enough for a sanitizer on a busy machine;
// looking at each name for each statement would be far beyond it.
//===----------------------------------------------------------------------===//

#include "ScriptBuilder.h"

#include <gtest/gtest.h>

#include <chrono>

namespace aoa::expand::test {
namespace {

TEST(ExpandSpeed, MixtureOfExperts) {
  TestEnds ends;
  for (unsigned layer = 0; layer < 60; ++layer)
    for (unsigned expert = 0; expert < 256; ++expert)
      for (const char *part : {"gate_proj", "up_proj", "down_proj"})
        ends.source["model.layers." + std::to_string(layer) + ".mlp.experts." +
                    std::to_string(expert) + "." + part + ".weight"] = {};
  const ExpandInputs inputs = ends.inputs();
  const std::string layer = "model.layers.$LAYER_ID.mlp.",
                    expert = layer + "experts.$EXPERT_ID.";
  Texts statements = {
      expert + "gate_proj.weight^T, " + expert + "up_proj.weight^T -> " +
          expert + "up_gate_proj.weight, axis=1",
      expert + "down_proj.weight^T -> " + expert + "down.weight",
      layer + "experts.*.up_gate_proj.weight -> " + layer + "up_gate, axis=0",
      layer + "experts.*.down.weight -> " + layer + "down, axis=0",
  };
  DiagnosticList diagnostics;
  auto begin = std::chrono::steady_clock::now();
  ast::Script expanded = aoa::expandScript(
      makeScript(statements, ast::Dialect::Aoa), inputs, diagnostics);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(expanded.statements.size(), 60u * (256 * 5 + 2));
  EXPECT_EQ(diagnostics.list.size(), 0u);
  RecordProperty("milliseconds", static_cast<int>(seconds.count() * 1000));
  std::printf("%.0f ms\n", seconds.count() * 1000);
  EXPECT_LT(seconds.count(), 20);
}

} // namespace
} // namespace aoa::expand::test
