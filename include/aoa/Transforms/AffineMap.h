//===- AffineMap.h - A target as an affine map ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Who holds what of each result, in the form that DeepSpeed's universal
// checkpoints have (Catalog/AffineMapJson.h).
//===----------------------------------------------------------------------===//
#ifndef AOA_TRANSFORMS_AFFINEMAP_H
#define AOA_TRANSFORMS_AFFINEMAP_H

#include "aoa/IR/Program.h"
#include "aoa/Support/Error.h"

namespace aoa {

enum class AffineMapForm {
  Folded, ///< The fewest pieces, of any number of dimensions.
  Boxes,  ///< Boxes of the tensor and of the shard, each of the tensor's rank,
          ///< those that meet equal: what DeepSpeed's planner of transfers
          ///< takes, also as the source.
};

/// Prints the map of all results. Requires a program after place-results and
/// split-homogeneous. Fails with the tensor and the rank for what a map cannot
/// say: padding, and as boxes a shard that is none (a flat or permuted one).
Expected<std::string> printAffineMap(const ir::Program &program,
                                     AffineMapForm form);

} // namespace aoa

#endif // AOA_TRANSFORMS_AFFINEMAP_H
