//===- FreshStates.cpp - States of elements that are new --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "FreshStates.h"
#include "CastTensor.h"
#include "Elements.h"

using namespace aoa;
using namespace aoa::reference;

Expected<WholeTensor> reference::allFresh(const WholeTensor &state,
                                          const WholeTensor &model,
                                          bool isMaster) {
  return isMaster ? castTensor(model, state.dtype)
                  : zeros(state.dtype, model.shape);
}

Expected<WholeTensor> reference::withFreshElements(const Step &step,
                                                   const Shape &from,
                                                   WholeTensor state,
                                                   const WholeTensor &model,
                                                   bool isMaster) {
  bool pads = step.name() == "pad", repeats = step.name() == "repeat";
  if (!pads && !repeats && step.name() != "plus")
    return state;
  auto fresh = allFresh(state, model, isMaster);
  if (!fresh || step.name() == "plus")
    return fresh;
  Expected<std::vector<std::pair<int64_t, int64_t>>> around = {};
  int64_t count = 1;
  if (pads) {
    around = pairsOfNumbers(*step.of);
    if (!around)
      return failWith(std::move(around));
  } else {
    count = std::get<int64_t>(step.of->value.data);
  }
  forEachIndex(state.shape, [&](const Index &index) {
    bool isNew = false;
    for (size_t dim = 0; dim != index.size(); ++dim) {
      int64_t at = index[dim];
      if (pads)
        isNew |=
            at < (*around)[dim].first || at >= (*around)[dim].first + from[dim];
      else if (dim == axisPlace(*step.axis, index.size()).value())
        isNew |= at / *step.block % count != 0;
    }
    int64_t place = placeOf(index, state.shape);
    if (isNew)
      copyElement(state, place, *fresh, place);
  });
  return state;
}
