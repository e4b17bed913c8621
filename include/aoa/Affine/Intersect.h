//===- Intersect.h - What two sets share on one side ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef AOA_AFFINE_INTERSECT_H
#define AOA_AFFINE_INTERSECT_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine {

/// Returns the part of `set` whose addresses on `side` lie in `region` (its own
/// addresses on `regionSide`; its other side does not matter). Tags of `set`
/// stay. Requires that no address lies in `region` twice. Cost: as compose.
PieceSet restrict(const PieceSet &set, Side side, const PieceSet &region,
                  Side regionSide);

/// Returns the part of `set` whose addresses on `side` lie outside of `region`.
PieceSet subtract(const PieceSet &set, Side side, const PieceSet &region,
                  Side regionSide);

/// Of addresses on `side` that several pieces hold, leaves the first piece's
/// (in the order of the set): replicas count once, of a partial overlap the
/// earlier piece keeps it. Pieces that hold nothing then are left out; others
/// keep their order. An address that one piece holds several times stays so.
/// Cost: near-linear in the pieces where replicas are whole
/// pieces or overlaps few.
PieceSet keepFirst(const PieceSet &set, Side side);

} // namespace aoa::affine

#endif // AOA_AFFINE_INTERSECT_H
