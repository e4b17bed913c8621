//===- Compilation.cpp - The stages, one after the other ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "Compilation.h"

#include "Invocation.h"
#include "aoa/Catalog/StateIndex.h"
#include "aoa/Expand/Expand.h"
#include "aoa/Invert/Invert.h"
#include "aoa/Planner/BuildPlan.h"
#include "aoa/Sema/FollowShapes.h"
#include "llvm/ADT/ScopeExit.h"

#include <chrono>

using namespace aoa;
using namespace aoa::driver;

namespace {

/// Adds the time until it goes out of scope to `seconds`.
auto timeStage(double &seconds) {
  auto begin = std::chrono::steady_clock::now();
  return llvm::make_scope_exit([&seconds, begin] {
    std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - begin;
    seconds += took.count();
  });
}

/// The names that scripts may use: those of the model's tensors, sorted.
std::vector<llvm::StringRef> namesOf(const StateIndex &index) {
  std::vector<llvm::StringRef> names;
  names.reserve(index.model().size());
  for (const StateIndex::ModelTensor &tensor : index.model())
    names.push_back(tensor.name);
  llvm::sort(names);
  return names;
}

/// The tensor called `name`, or a state of it where there is no such tensor:
/// they are cut alike.
const Tensor *findCut(const Catalog &catalog, const StateIndex &index,
                      llvm::StringRef name) {
  if (const Tensor *tensor = catalog.find(name))
    return tensor;
  const StateIndex::ModelTensor *model = index.findModel(name);
  return model ? model->tensor : nullptr;
}

/// What macros may ask about the two ends of `compilation`.
ExpandInputs expandInputs(const Compilation &compilation) {
  ExpandInputs inputs;
  const Catalog &source = compilation.source;
  StateConvention states = compilation.target().states;
  auto ofSource = std::make_shared<StateIndex>(source, states);
  inputs.sourceNames = namesOf(*ofSource);
  inputs.parameters = &compilation.parameters;
  // Both ends may hold the same list: one cache serves them.
  auto partitions = std::make_shared<Partitions>();
  inputs.sourcePartition =
      [&source, ofSource, &layout = compilation.sourceLayout,
       partitions](llvm::StringRef name) -> std::optional<PartitionInfo> {
    const Tensor *tensor = findCut(source, *ofSource, name);
    if (!tensor)
      return std::nullopt;
    // Flat buffers cut what is stored; macros arrange for the local shards.
    if (const LayoutRule *rule = layout ? layout->findRule(name) : nullptr)
      if (rule->flatten)
        return partitionOf(*layout, *rule,
                           static_cast<unsigned>(tensor->shape.size()));
    return partitions->of(*tensor);
  };
  inputs.sourceRank =
      [&source, ofSource](llvm::StringRef name) -> std::optional<unsigned> {
    const Tensor *tensor = findCut(source, *ofSource, name);
    return tensor ? std::optional<unsigned>(tensor->shape.size())
                  : std::nullopt;
  };
  Target target = compilation.target();
  auto ofTarget = std::make_shared<StateIndex>(
      target.list ? StateIndex(*target.list, states) : StateIndex());
  if (target.list) {
    inputs.targetNames = namesOf(*ofTarget);
    inputs.targetListsNames = true;
  }
  inputs.targetPartition = [target, ofTarget, partitions](
                               llvm::StringRef name,
                               unsigned rank) -> std::optional<PartitionInfo> {
    if (target.layout)
      if (const LayoutRule *rule = target.layout->findRule(name))
        return partitionOf(*target.layout, *rule, rank);
    if (target.list)
      if (const Tensor *tensor = findCut(*target.list, *ofTarget, name))
        return partitions->of(*tensor);
    return std::nullopt;
  };
  inputs.followShapes = [&compilation] {
    return std::make_unique<FollowShapes>(
        compilation.script.dialect,
        compilation.hasSource() ? &compilation.source : nullptr,
        compilation.target());
  };
  return inputs;
}

} // namespace

Compilation::Compilation(DiagnosticOptions options)
    : diagnostics(sources, options) {}

Target Compilation::target() const {
  Target target;
  if (targetLayout)
    target.layout = &*targetLayout;
  if (targetList)
    target.list = &*targetList;
  target.isMap = targetIsMap;
  target.states = states;
  target.results = &results;
  return target;
}

bool Compilation::report(const Error &error) {
  flushDiagnostics();
  diagnostics.showFailure(error.str(), llvm::errs());
  return false;
}

bool Compilation::check() {
  if (diagnostics.numErrors() == 0)
    return true;
  flushDiagnostics();
  return false;
}

bool Compilation::parse() {
  auto timer = timeStage(seconds.parse);
  if (hasScript() && !loadWithIncludes())
    return false;
  script.isReversed = isReversed;
  return check();
}

bool Compilation::expand() {
  auto timer = timeStage(seconds.expand);
  expanded = expandScript(script, expandInputs(*this), diagnostics);
  return check();
}

bool Compilation::analyze() {
  auto timer = timeStage(seconds.sema);
  program = aoa::analyze(expanded, source, target(), diagnostics, &analyzed);
  return check();
}

bool Compilation::runPasses(const Pipeline &pipeline) {
  Target ends = target();
  PassContext context{ends, expanded, diagnostics, maxPieces};
  PipelineReport done =
      runPipeline(program, pipeline, context, pipelineOptions);
  llvm::append_range(passes, done.passes);
  if (done.bug) {
    flushDiagnostics();
    llvm::errs() << "aoac: internal error: " << *done.bug << "\n";
    foundBug = true;
    return false;
  }
  if (done.refusal) {
    flushDiagnostics();
    diagnostics.showFailure(*done.refusal, llvm::errs());
    return false;
  }
  return check();
}

bool Compilation::lower() {
  auto timer = timeStage(seconds.lower);
  return runPasses(passesBetween("place-results", "check-coverage"));
}

bool Compilation::invert(const std::string &scriptName, std::string &text) {
  ExpandInputs ofMacros = expandInputs(*this);
  Target ends = target();
  Inversion inversion = invertScript({.script = script,
                                      .expanded = expanded,
                                      .program = program,
                                      .analyzed = analyzed,
                                      .source = source,
                                      .target = ends,
                                      .expandInputs = ofMacros,
                                      .scriptName = scriptName},
                                     diagnostics);
  if (inversion.bug) {
    flushDiagnostics();
    llvm::errs() << "aoac: internal error: " << *inversion.bug << "\n";
    foundBug = true;
    return false;
  }
  text = std::move(inversion.text);
  return check();
}

bool Compilation::compose() {
  auto timer = timeStage(seconds.compose);
  return runPasses(passesBetween("compose-layouts", "fold"));
}

bool Compilation::placeHomogeneously() {
  auto timer = timeStage(seconds.lower);
  return runPasses(*parsePipeline("place-results,split-homogeneous"));
}

bool Compilation::buildPlan(int64_t maxShardBytes, bool withSideFiles,
                            CheckReplicas checkReplicas) {
  auto timer = timeStage(seconds.plan);
  checkWritable(program, expanded, diagnostics);
  if (!check())
    return false;
  BuildPlanOptions options;
  options.maxShardBytes = maxShardBytes;
  options.checkReplicas = checkReplicas;
  options.numNotCompared = &numNotCompared;
  options.origin = origin;
  if (withSideFiles)
    options.sideFiles = sideFiles.taken;
  options.placeOf = [&](SourceRange range) -> std::string {
    range = sources.resolve(range);
    if (!range.isKnown())
      return "";
    return sources.name(range.file).str() + ":" +
           std::to_string(sources.position(range.file, range.begin).line);
  };
  auto built = aoa::buildPlan(program, target(), options);
  if (!built)
    return report(built.error());
  plan = std::move(*built);
  checkConfigDType();
  return check();
}

bool Compilation::compileToPieces() {
  return parse() && expand() && analyze() && lower() && compose();
}

int64_t Compilation::numPieces() const {
  int64_t count = 0;
  for (const ir::LayoutClass &layoutClass : program.classes)
    count += layoutClass.numPieces() * layoutClass.numResults;
  return count;
}

int64_t Compilation::numDistinctPieces() const {
  int64_t count = 0;
  for (const ir::LayoutClass &layoutClass : program.classes)
    count += layoutClass.numPieces();
  return count;
}
