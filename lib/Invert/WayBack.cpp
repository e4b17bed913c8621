//===- WayBack.cpp - A text as a program from the result ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "WayBack.h"

#include "aoa/Basic/SourceManager.h"
#include "aoa/Catalog/StateIndex.h"
#include "aoa/Parse/Parse.h"
#include "aoa/Sema/FollowShapes.h"
#include "aoa/Transforms/Pass.h"

using namespace aoa;
using namespace aoa::invert;

WayBack::WayBack(const InvertInputs &inputs) {
  const ir::Program &program = inputs.program;
  for (const ir::Result &result : program.results) {
    if (result.isCompared || result.leftToCaller)
      continue;
    const ir::Value &value = program.value(result.value);
    Tensor &tensor = made.tensors.emplace_back();
    tensor.name = result.name;
    tensor.dtype = value.dtype;
    tensor.shape.assign(value.shape.begin(), value.shape.end());
    tensor.shards = result.shards;
  }
  [[maybe_unused]] auto twice = sortByName(made.tensors);
  assert(!twice && "results have names of their own");
  whole.states = inputs.target.states;

  const ExpandInputs &forward = inputs.expandInputs;
  auto index = std::make_shared<StateIndex>(made, whole.states);
  for (const StateIndex::ModelTensor &tensor : index->model())
    ends.sourceNames.push_back(tensor.name);
  llvm::sort(ends.sourceNames);
  ends.parameters = forward.parameters;
  auto findCut = [this, index](llvm::StringRef name) -> const Tensor * {
    if (const Tensor *tensor = made.find(name))
      return tensor;
    const StateIndex::ModelTensor *model = index->findModel(name);
    return model ? model->tensor : nullptr;
  };
  auto partitions = std::make_shared<Partitions>();
  bool hasLayout = inputs.target.layout != nullptr;
  ends.sourcePartition =
      [=, &forward](llvm::StringRef name) -> std::optional<PartitionInfo> {
    const Tensor *tensor = findCut(name);
    if (!tensor)
      return std::nullopt;
    // Flat buffers cut what is stored; macros arrange for the local shards.
    if (hasLayout)
      if (auto info = forward.targetPartition(
              name, static_cast<unsigned>(tensor->shape.size())))
        return info;
    return partitions->of(*tensor);
  };
  ends.targetPartition = [&forward](llvm::StringRef name, unsigned) {
    return forward.sourcePartition(name);
  };
  ends.followShapes = [this] {
    return std::make_unique<FollowShapes>(ast::Dialect::Aoa, &made, whole);
  };
  ends.sourceRank = [=](llvm::StringRef name) -> std::optional<unsigned> {
    const Tensor *tensor = findCut(name);
    return tensor ? std::optional<unsigned>(tensor->shape.size())
                  : std::nullopt;
  };
}

ast::Script WayBack::expand(const std::string &text,
                            DiagnosticSink &sink) const {
  SourceManager sources;
  FileId file = sources.add("inverse", text);
  ast::Script script = parseScript(sources, file, ast::Dialect::Aoa, sink);
  if (sink.numErrors() != 0)
    return {};
  return expandScript(script, ends, sink);
}

std::optional<ir::Program> WayBack::lower(const ast::Script &expanded,
                                          DiagnosticSink &sink) const {
  unsigned before = sink.numErrors();
  ir::Program program = analyze(expanded, made, whole, sink);
  if (sink.numErrors() != before)
    return std::nullopt;
  PassContext context{whole, expanded, sink};
  lowerToPieces(program, context);
  if (sink.numErrors() != before)
    return std::nullopt;
  return program;
}
