//===- Compare.h - Whether two sets are one relation ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AFFINE_COMPARE_H
#define AOA_AFFINE_COMPARE_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine {

/// One pair of addresses that only one of two sets has.
struct RelationDifference {
  int64_t srcAddress, dstAddress;
  PieceSet::Tag tag;
  bool inFirst; ///< Whether the first set has it.
};

/// Finds a pair that only one of `a` and `b` has, or a tag that differs. Exact,
/// whatever the cuts and the order. Requires that in each set no two pairs
/// share their dst address (within a tag). Cost: near-linear in both sets and
/// in how many of their boxes of dst digits meet.
std::optional<RelationDifference> findDifference(const PieceSet &a,
                                                 const PieceSet &b);

/// Whether two sets are the same relation.
inline bool equivalent(const PieceSet &a, const PieceSet &b) {
  return !findDifference(a, b);
}

} // namespace aoa::affine

#endif // AOA_AFFINE_COMPARE_H
