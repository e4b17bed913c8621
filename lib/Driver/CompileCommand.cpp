//===- CompileCommand.cpp - aoac compile ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PassFlags.h"
#include "ScriptInputs.h"
#include "Stats.h"
#include "TextOutput.h"
#include "aoa/AST/Dump.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Plan/PlanFile.h"
#include "aoa/Transforms/AffineMap.h"
#include "llvm/Support/Process.h"

#include <unistd.h>

using namespace aoa;
using namespace aoa::driver;

namespace {

enum class Stage {
  Tokens,
  Ast,
  Expanded,
  Ir,
  Pieces,
  Transfers,
  AffineMap,
  Plan,
  PlanJson
};
constexpr std::pair<llvm::StringLiteral, Stage> stageNames[] = {
    {"tokens", Stage::Tokens},        {"ast", Stage::Ast},
    {"expanded", Stage::Expanded},    {"ir", Stage::Ir},
    {"pieces", Stage::Pieces},        {"transfers", Stage::Transfers},
    {"affine-map", Stage::AffineMap}, {"plan", Stage::Plan},
    {"plan-json", Stage::PlanJson}};

std::optional<Stage> findStage(llvm::StringRef name) {
  for (const auto &[text, stage] : stageNames)
    if (text == name)
      return stage;
  return std::nullopt;
}

/// Whether the stage can be shown without knowing the source.
bool needsSource(Stage stage) { return stage > Stage::Expanded; }

std::optional<std::string> affineMap(Compilation &compilation,
                                     AffineMapForm form) {
  Expected<std::string> map = printAffineMap(compilation.program, form);
  if (map)
    return std::move(*map);
  compilation.report(map.error());
  return std::nullopt;
}

/// Compiles as far as `stage` needs and prints it. Returns nothing after an
/// error.
std::optional<std::string> compileTo(Stage stage, Compilation &compilation,
                                     Invocation &invocation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (stage) {
  case Stage::Tokens:
    if (compilation.hasScript())
      printTokens(compilation.sources, compilation.scriptFile,
                  invocation.dialect(), os);
    return text;
  case Stage::Ast:
    if (!compilation.parse())
      return std::nullopt;
    ast::dump(os, compilation.script);
    return text;
  case Stage::Expanded:
    if (!compilation.parse() || !compilation.expand())
      return std::nullopt;
    return ast::printScript(compilation.expanded);
  case Stage::Ir:
    if (!compilation.parse() || !compilation.expand() || !compilation.analyze())
      return std::nullopt;
    ir::print(os, compilation.program, ir::Stage::Graph);
    return text;
  case Stage::Pieces:
    if (!compilation.parse() || !compilation.expand() ||
        !compilation.analyze() || !compilation.lower())
      return std::nullopt;
    ir::print(os, compilation.program, ir::Stage::Pieces);
    return text;
  case Stage::Transfers:
    if (!compilation.compileToPieces())
      return std::nullopt;
    ir::print(os, compilation.program, ir::Stage::Transfers);
    return text;
  case Stage::AffineMap:
    if (!compilation.parse() || !compilation.expand() ||
        !compilation.analyze() || !compilation.placeHomogeneously())
      return std::nullopt;
    return affineMap(compilation, invocation.has(OPT_boxes)
                                      ? AffineMapForm::Boxes
                                      : AffineMapForm::Folded);
  case Stage::Plan:
  case Stage::PlanJson:
    if (!compilation.compileToPieces() ||
        !compilation.buildPlan(
            invocation.byteSize(OPT_max_shard_size,
                                BuildPlanOptions().maxShardBytes),
            !invocation.has(OPT_no_side_files), invocation.checkReplicas()))
      return std::nullopt;
    return stage == Stage::Plan ? encodePlan(compilation.plan)
                                : printPlanJson(compilation.plan);
  }
  llvm_unreachable("all stages are handled");
}

} // namespace

int driver::runCompileCommand(Invocation &invocation) {
  CompilationInputs inputs = scriptInputs(invocation);
  llvm::StringRef stageName = invocation.value(OPT_emit, "plan");
  auto stage = findStage(stageName);
  if (!stage)
    invocation.usageError("unknown stage `" + stageName +
                          "`; expected tokens, ast, expanded, ir, pieces, "
                          "transfers, affine-map, plan or plan-json");
  else if (needsSource(*stage))
    invocation.required(OPT_source, "a source: --source CKPT");
  else if (inputs.script.empty())
    invocation.usageError("expected a script to show its " + stageName);
  if (invocation.has(OPT_boxes) && stage != Stage::AffineMap)
    invocation.usageError("--boxes is for --emit=affine-map");
  if (stage == Stage::Plan && invocation.value(OPT_o, "-") == "-" &&
      isatty(STDOUT_FILENO))
    invocation.usageError("a plan is binary and standard output is a terminal; "
                          "write it with -o FILE or see --emit=plan-json");
  invocation.byteSize(OPT_max_shard_size, 1);
  PipelineOptions passOptions = pipelineOptions(invocation);
  DiagnosticOptions options = invocation.diagnosticOptions();
  if (invocation.failed || !invocation.expectOperands(0, 1, "a script"))
    return ExitUsage;

  Compilation compilation(options);
  compilation.pipelineOptions = passOptions;
  if (!compilation.open(inputs))
    return ExitError;
  auto text = compileTo(*stage, compilation, invocation);
  reportTimes(invocation, compilation.passes);
  compilation.flushDiagnostics();
  if (!text)
    return compilation.failure();
  if (int code = writeOutput(invocation, *text))
    return code;
  return writeStats(invocation, compilation, nullptr) ? ExitDone : ExitError;
}
