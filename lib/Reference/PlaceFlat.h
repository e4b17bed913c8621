//===- PlaceFlat.h - Buffers of several tensors, cut evenly -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_REFERENCE_PLACEFLAT_H
#define AOA_LIB_REFERENCE_PLACEFLAT_H

#include "aoa/Catalog/Layout.h"
#include "aoa/Reference/Evaluate.h"

#include <functional>

namespace aoa::reference {

/// A tensor whose rule has `flatten`.
struct FlatTensor {
  const LayoutRule *rule;
  std::string name;
  const WholeTensor *tensor;
};

/// What a rank holds of a tensor by all else that its rule says; nothing where
/// it does not hold the tensor.
using LocalShard = std::function<Expected<std::optional<WholeTensor>>(
    const FlatTensor &, int64_t rank)>;
/// Takes a fragment.
using PutFragment = std::function<Expected<bool>(
    int64_t rank, const std::string &name, WholeTensor fragment)>;

/// Lays the tensors' local shards into buffers, element by element, and deals
/// those out.
Expected<bool> placeFlat(const Layout &layout, std::vector<FlatTensor> tensors,
                         const LocalShard &localShard, const PutFragment &put);

} // namespace aoa::reference

#endif // AOA_LIB_REFERENCE_PLACEFLAT_H
