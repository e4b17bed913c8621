//===- PipelineTest.cpp - What stops a pipeline -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Transforms/Pipeline.h"

#include "ProgramBuilder.h"
#include "gtest/gtest.h"

using namespace aoa;

namespace {

class PipelineTest : public testing::Test {
protected:
  PipelineTest() {
    catalog.tensors.push_back({.name = "a", .dtype = DType::F32, .shape = {4}});
    program.source = &catalog;
    program.values.push_back({"a", DType::F32, {4}, ir::OpId(0)});
    program.ops.push_back({.kind = ir::OpKind::Source,
                           .operands = {},
                           .results = {ir::ValueId(0)}});
    program.results.push_back({"a", ir::ValueId(0)});
  }

  PipelineReport run(llvm::StringRef passes, PipelineOptions options = {}) {
    return runPipeline(program, *parsePipeline(passes), context, options);
  }

  Catalog catalog;
  ir::Program program;
  Target target;
  ast::Script script;
  DiagnosticList sink;
  PassContext context{target, script, sink};
};

TEST_F(PipelineTest, CountsPiecesOfEachPass) {
  PipelineReport report =
      run("place-results,lower-to-pieces,compose-layouts,fold");
  ASSERT_EQ(report.passes.size(), 4u);
  EXPECT_EQ(report.passes[1].name, "lower-to-pieces");
  EXPECT_EQ(report.passes[1].piecesBefore, 0);
  EXPECT_EQ(report.passes[1].piecesAfter, 1);
  EXPECT_EQ(report.passes[3].piecesAfter, 1);
  EXPECT_EQ(program.stage, ir::Stage::Transfers);
  EXPECT_FALSE(report.bug || report.refusal);
}

TEST_F(PipelineTest, BrokenProgramIsABugThatNamesThePass) {
  program.values[0].numUses = 7;
  EXPECT_FALSE(run("place-results").bug);
  PipelineReport report =
      run("place-results,lower-to-pieces", {.verifyEach = true});
  EXPECT_EQ(report.bug, "the IR after pass `place-results` is broken: `a` is "
                        "read 0 times, its count says 7");
  EXPECT_EQ(report.passes.size(), 1u);
}

TEST_F(PipelineTest, RoundTripThatFailsIsABugThatNamesThePass) {
  PipelineOptions options;
  options.roundTrip = [](ir::Program &) -> std::optional<std::string> {
    return "lost";
  };
  PipelineReport report = run("place-results,lower-to-pieces", options);
  EXPECT_EQ(report.bug, "the text of the IR after pass `place-results` does "
                        "not come back: lost");
  EXPECT_EQ(report.passes.size(), 1u);
}

TEST_F(PipelineTest, PassOfAnotherStageIsRefused) {
  PipelineReport report = run("lower-to-pieces,fold,check-coverage");
  EXPECT_EQ(report.refusal, "pass `fold` runs on programs of the stage "
                            "`transfers`, this one is at `pieces`");
  EXPECT_EQ(report.passes.size(), 1u);
}

TEST_F(PipelineTest, ErrorsEndIt) {
  program.stage = ir::Stage::Pieces; // Without any: a hole.
  PipelineReport report = run("check-coverage,check-coverage");
  EXPECT_EQ(report.passes.size(), 1u);
  EXPECT_EQ(sink.numErrors(), 1u);
}

TEST(Pipeline, NamesAreRead) {
  EXPECT_EQ(parsePipeline("")->size(), 0u);
  EXPECT_EQ(parsePipeline(" fold , check-coverage ")->size(), 2u);
  EXPECT_EQ(parsePipeline("folt").error(),
            "unknown pass `folt`; did you mean `fold`?");
  EXPECT_FALSE(parsePipeline("fold,,fold"));
  // What follows fold runs on request only.
  EXPECT_EQ(passesBetween("place-results", "fold").size(),
            allPasses().size() - 1);
}

} // namespace
