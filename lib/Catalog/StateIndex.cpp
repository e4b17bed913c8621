//===- StateIndex.cpp - Which tensors are states of which -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/StateIndex.h"

#include <unordered_set>

namespace aoa {

StateIndex::StateIndex(const Catalog &catalog, StateConvention convention)
    : catalog(&catalog), convention(convention) {
  // Tensors that the catalog has, or a state of their shape.
  std::unordered_set<std::string_view> known;
  for (const Tensor &tensor : catalog.tensors) {
    auto state = stateName(convention, tensor.name);
    if (!state)
      known.insert(tensor.name);
    else if (hasShapeOfTensor(*state))
      known.insert(state->tensor);
  }
  auto addModel = [&](std::string_view name, const Tensor &tensor,
                      bool hasStatesOnly) {
    auto [at, isNew] = indexOf.try_emplace(name, modelTensors.size());
    if (isNew)
      modelTensors.push_back({name, &tensor, hasStatesOnly});
    else if (!hasStatesOnly)
      modelTensors[at->second] = {name, &tensor, false};
  };
  for (const Tensor &tensor : catalog.tensors) {
    auto state = stateName(convention, tensor.name);
    if (!state || !known.contains(state->tensor)) {
      addModel(tensor.name, tensor, false);
      continue;
    }
    stateTensors.push_back({&tensor, *state});
    if (hasShapeOfTensor(*state))
      addModel(state->tensor, tensor, true);
  }
}

const StateIndex::ModelTensor *
StateIndex::findModel(std::string_view name) const {
  auto found = indexOf.find(name);
  return found == indexOf.end() ? nullptr : &modelTensors[found->second];
}

const Tensor *StateIndex::findState(std::string_view tensor,
                                    size_t suffix) const {
  return catalog->find(std::string(tensor) +
                       std::string(suffixes()[suffix].text));
}

} // namespace aoa
