//===- JoinNeighbours.h - Boxes that a merge put together again -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_LIB_TRANSFORMS_JOINNEIGHBOURS_H
#define AOA_LIB_TRANSFORMS_JOINNEIGHBOURS_H

#include "aoa/IR/Program.h"

namespace aoa {

/// Joins pieces of one source that continue each other along `axis` of the
/// result and along the same axis of the source: what a split cut and a merge
/// put together is one piece again. The others keep their order. Cost:
/// O(n log n).
void joinNeighbours(std::vector<ir::WholePiece> &pieces, unsigned axis);

} // namespace aoa

#endif // AOA_LIB_TRANSFORMS_JOINNEIGHBOURS_H
