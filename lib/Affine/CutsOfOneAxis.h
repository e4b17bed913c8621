//===- CutsOfOneAxis.h - Covers of intervals --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most tensors are cut along one axis only. Then the views are intervals of one
// digit, and their offsets tell all: no boxes are made. Views in order are
// swept without taking memory or dividing.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_CUTSOFONEAXIS_H
#define AOA_LIB_AFFINE_CUTSOFONEAXIS_H

#include "SideBoxes.h"
#include "aoa/Affine/Cover.h"

namespace aoa::affine {

/// What addresses may be, besides held once.
struct CoverLaw {
  bool leaveHoles = false;
  bool meet = false;
};

/// Checks `law` for the views of `set` on `side`, or returns nothing if they
/// are not intervals of one axis of `axes`. Requires addresses in bounds.
std::optional<Coverage> checkCutsOfOneAxis(const PieceSet &set, Side side,
                                           const SideAxes &axes, CoverLaw law);

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_CUTSOFONEAXIS_H
