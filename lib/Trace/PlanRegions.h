//===- PlanRegions.h - Where a plan writes some tensors ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_TRACE_PLANREGIONS_H
#define AOA_LIB_TRACE_PLANREGIONS_H

#include "aoa/Plan/TransferPlan.h"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace aoa::trace {

struct PlannedRegion {
  const TargetFile *file;
  const TargetRegion *region;
};

/// The regions of some tensors, by tensor and file. Cost: the regions of the
/// plan, once; a search in those of the tensor.
class PlanRegions {
public:
  /// Keeps views of `tensors` and `plan`.
  PlanRegions(const TransferPlan &plan,
              const std::vector<std::string_view> &tensors);

  /// Returns the region of `tensor` in `file`, in the first of its files where
  /// that is empty.
  std::optional<PlannedRegion> find(std::string_view tensor,
                                    std::string_view file) const;

private:
  /// Sorted by the names of the files.
  std::unordered_map<std::string_view, std::vector<PlannedRegion>> regionsOf;
};

} // namespace aoa::trace

#endif // AOA_LIB_TRACE_PLANREGIONS_H
