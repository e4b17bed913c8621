//===- CompleteModel.cpp - Tensors of which there are states only ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "CompleteModel.h"

#include "aoa/Catalog/StateIndex.h"

using namespace aoa;
using namespace aoa::invert;

/// Adds the tensors of which `catalog` has states only, which take their dtype
/// from a state. Returns whether there are any.
static bool addMissing(Catalog &catalog, StateConvention states) {
  StateIndex index(catalog, states);
  std::vector<Tensor> missing;
  for (const StateIndex::ModelTensor &each : index.model())
    if (each.hasStatesOnly)
      missing.push_back({.name = std::string(each.name),
                         .dtype = each.tensor->dtype,
                         .shape = each.tensor->shape,
                         .dtypeIsKnown = false});
  if (missing.empty())
    return false;
  std::move(missing.begin(), missing.end(),
            std::back_inserter(catalog.tensors));
  sortByName(catalog.tensors);
  return true;
}

std::unique_ptr<CompleteModel> invert::completeModel(const InvertInputs &inputs,
                                                     DiagnosticSink &sink) {
  auto model = std::make_unique<CompleteModel>();
  model->source = inputs.source;
  if (!addMissing(model->source, inputs.target.states))
    return nullptr;
  Target target = inputs.target;
  if (target.list) {
    model->list = *target.list;
    addMissing(model->list, target.states);
    target.list = &model->list;
  }
  DiagnosticList faults;
  model->program =
      analyze(inputs.expanded, model->source, target, faults, &model->analyzed);
  for (Diagnostic &fault : faults.list)
    if (fault.kind->severity == Severity::Error)
      sink.report(std::move(fault));
  return model;
}
