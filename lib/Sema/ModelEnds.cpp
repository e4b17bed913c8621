//===- ModelEnds.cpp - The two ends without optimizer states ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ModelEnds.h"

using namespace aoa;
using namespace aoa::sema;

/// The tensors of the model: names, types and places in a catalog's text.
static Catalog viewOf(const StateIndex &index) {
  Catalog view;
  view.tensors.reserve(index.model().size());
  for (const StateIndex::ModelTensor &model : index.model()) {
    Tensor &tensor = view.tensors.emplace_back();
    tensor.name = model.name;
    tensor.dtype = model.tensor->dtype;
    tensor.shape = model.tensor->shape;
    tensor.range = model.tensor->range;
    tensor.dtypeIsKnown = model.tensor->dtypeIsKnown && !model.hasStatesOnly;
  }
  [[maybe_unused]] auto twice = sortByName(view.tensors);
  assert(!twice && "the index has each tensor once");
  return view;
}

ModelEnds::ModelEnds(const Catalog &source, const Target &target)
    : wholeSource(source), wholeTarget(target), sourceView(&source),
      targetView(target) {
  if (target.states == StateConvention::None)
    return;
  sourceStates = StateIndex(source, target.states);
  if (sourceStates.hasStates()) {
    ownSource = viewOf(sourceStates);
    sourceView = &ownSource;
  }
  if (!target.list)
    return;
  targetStates = StateIndex(*target.list, target.states);
  if (targetStates.hasStates()) {
    ownList = viewOf(targetStates);
    targetView.list = &ownList;
  }
}
