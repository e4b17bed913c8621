//===- PlanRegions.cpp - Where a plan writes some tensors -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "PlanRegions.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::trace;

static std::string_view fileNameOf(const PlannedRegion &region) {
  return region.file->file;
}

PlanRegions::PlanRegions(const TransferPlan &plan,
                         const std::vector<std::string_view> &tensors) {
  for (std::string_view tensor : tensors)
    regionsOf[tensor];
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions)
      if (auto wanted = regionsOf.find(region.tensor);
          wanted != regionsOf.end())
        wanted->second.push_back({&file, &region});
  for (auto &[tensor, regions] : regionsOf)
    std::ranges::sort(regions, {}, fileNameOf);
}

std::optional<PlannedRegion> PlanRegions::find(std::string_view tensor,
                                               std::string_view file) const {
  auto known = regionsOf.find(tensor);
  if (known == regionsOf.end())
    return std::nullopt;
  const std::vector<PlannedRegion> &regions = known->second;
  auto found = file.empty()
                   ? regions.begin()
                   : std::ranges::lower_bound(regions, file, {}, fileNameOf);
  if (found == regions.end() || (!file.empty() && fileNameOf(*found) != file))
    return std::nullopt;
  return *found;
}
