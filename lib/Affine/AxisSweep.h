//===- AxisSweep.h - Two sorted cuts of one axis, composed ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Both lists are walked once, side by side. What two pieces share differs from
// what others share in two offsets and a length only: forms are remembered.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_AXISSWEEP_H
#define AOA_LIB_AFFINE_AXISSWEEP_H

#include "AxisCuts.h"
#include "aoa/Affine/Compose.h"

namespace aoa::affine {

class AxisSweep {
public:
  /// Returns the sweep that composes two sets, if both are sorted cuts of one
  /// axis of their middle buffer. Requires all three to outlive it.
  static std::optional<AxisSweep>
  make(const PieceSet &aToB, const PieceSet &bToC, const Digits &digits);

  /// How many pieces `compose` adds, or `limit` if that is less.
  int64_t count(int64_t limit) const;
  void compose(CombineTags combine, PieceSet &result) const;

private:
  AxisSweep(const PieceSet &aToB, const PieceSet &bToC, const Digits &digits)
      : aToB(aToB), bToC(bToC), digits(digits) {}
  /// Calls `visit(a, c, begin, end)` with the cursors of all pieces that meet,
  /// and where, until it returns false.
  template <typename Visit> void sweep(Visit visit) const;
  const PieceSet &aToB, &bToC;
  const Digits &digits;
  unsigned axis = 0;
  AxisCuts cutsOfA, cutsOfC;
  /// What all pairs share in the other digits. An extent below 1: nothing.
  llvm::SmallVector<int64_t, 8> low, extent;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_AXISSWEEP_H
