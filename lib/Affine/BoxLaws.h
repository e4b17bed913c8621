//===- BoxLaws.h - Where boxes meet and what they leave out -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One search for the laws on boxes of digits: boxes that meet although they may
// not, and places in no box. The region is divided until one box is left:
//
//   1  at planes that cut no box, all of an axis at once: shards nearly always
//      have such planes, and boxes in order need no sorting for it;
//   2  boxes that fill the region but for one axis (slabs) are taken out, the
//      space without them is pushed together (Chan, "Klee's measure problem
//      made easy"): replicas cut at different boundaries, rows under columns;
//   3  else at the plane through a face that leaves the smallest larger half;
//      boxes that it cuts go to both.
//
// Cost: linear for boxes sorted along their axes, O(n log n) for one and two
// axes whatever the boxes, n^(d/2) at worst for d axes.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXLAWS_H
#define AOA_LIB_AFFINE_BOXLAWS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace aoa::affine {

struct BoxFinding {
  enum class Kind { None, Hole, Meeting };
  Kind kind = Kind::None;
  llvm::SmallVector<int64_t, 4> point;
  uint32_t first = 0, second = 0; ///< Boxes, for Meeting.
};

/// What boxes must not do.
struct BoxLaw {
  bool leaveHoles = false; ///< Whether they may leave holes.
  enum class Meeting { Free, SameColor, Never };
  Meeting meeting = Meeting::Never; ///< Which boxes may meet.
  /// Of each box, for SameColor.
  llvm::ArrayRef<uint32_t> colors = {};
};

/// Looks for one breach of `law`. Box i is low and high bound of each axis, 2 ·
/// numAxes numbers from i · 2 · numAxes on, not empty and inside of `region`,
/// which is bounds of the same form. Coord is uint32_t or int64_t. Requires at
/// least one axis and fewer than 2^32 boxes.
template <typename Coord>
BoxFinding findBreach(unsigned numAxes, std::vector<Coord> bounds,
                      llvm::ArrayRef<Coord> region, const BoxLaw &law);

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXLAWS_H
