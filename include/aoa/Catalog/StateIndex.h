//===- StateIndex.h - Which tensors are states of which ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The tensors of a catalog apart: those of the model, and optimizer states with
// the tensor each belongs to. A checkpoint may hold states of a tensor and not
// the tensor itself; one state of the tensor's shape is enough to know it, a
// counter is not: then it is a tensor like any other.
//
//   w.weight, w.weight.moment1_0      model: w.weight        states: 1
//   w.moment1_0, w.beta1_pow_acc_0    model: w (states only) states: 2
//   w.beta1_pow_acc_0                 model: w.beta1_pow_acc_0
//
// Cost: a hash look-up a tensor.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_STATEINDEX_H
#define AOA_CATALOG_STATEINDEX_H

#include "aoa/Catalog/Catalog.h"
#include "aoa/Catalog/StateNames.h"

namespace aoa {

/// Whether states of this kind have the shape of their tensor.
inline bool hasShapeOfTensor(const StateSuffix &suffix) {
  return suffix.scalePower != 0;
}

class StateIndex {
public:
  StateIndex() = default;
  /// Requires that `catalog` outlives the index unchanged.
  StateIndex(const Catalog &catalog, StateConvention convention);

  /// A tensor of the model.
  struct ModelTensor {
    std::string_view name;
    /// The tensor; where the catalog has states only, the first of its shape.
    const Tensor *tensor;
    bool hasStatesOnly;
  };
  /// In the order of the catalog.
  const std::vector<ModelTensor> &model() const { return modelTensors; }
  bool hasStates() const { return !stateTensors.empty(); }
  /// The tensors that are states, in the order of the catalog.
  struct State {
    const Tensor *tensor;
    StateName name;
  };
  const std::vector<State> &states() const { return stateTensors; }

  const ModelTensor *findModel(std::string_view name) const;
  /// Returns number `suffix` of the convention's states of `tensor`, or null.
  const Tensor *findState(std::string_view tensor, size_t suffix) const;
  std::span<const StateSuffix> suffixes() const {
    return stateSuffixes(convention);
  }

private:
  const Catalog *catalog = nullptr;
  StateConvention convention = StateConvention::None;
  std::vector<ModelTensor> modelTensors;
  std::vector<State> stateTensors;
  std::unordered_map<std::string_view, size_t> indexOf;
};

} // namespace aoa

#endif // AOA_CATALOG_STATEINDEX_H
