//===- FindInRegion.h - Elements of a target region -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_TRACE_FINDINREGION_H
#define AOA_LIB_TRACE_FINDINREGION_H

#include "aoa/Plan/TransferPlan.h"
#include "aoa/Support/Error.h"

#include <vector>

namespace aoa::trace {

/// What a transfer reads for one element.
struct ReadElement {
  uint32_t source; ///< Index into TransferPlan::sources.
  uint32_t ops;    ///< Index into TransferPlan::elementOps.
  int64_t byte;    ///< In the source.
};

/// Returns what is read for each of `offsets`: elements of the region, sorted.
/// Requires a plan that verifyPlan accepts. Fails with Mismatch where no
/// transfer, or more than one, writes an element; with Limit where a plan is
/// made so that finding elements takes too long. Cost: the transfers of the
/// region, and a step for each element that lies between the ends of one.
Expected<std::vector<ReadElement>>
findInRegion(const TransferPlan &plan, const TargetRegion &region,
             const std::vector<int64_t> &offsets);

} // namespace aoa::trace

#endif // AOA_LIB_TRACE_FINDINREGION_H
