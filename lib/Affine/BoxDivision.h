//===- BoxDivision.h - Dividing many boxes at planes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Boxes in one flat array, and a search's order of them: a part of the search
// is a range of that order. Parts are divided at planes that cut no box, all of
// an axis at once, or at one plane that may cut some; what it cuts stands twice
// until the search comes back.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_BOXDIVISION_H
#define AOA_LIB_AFFINE_BOXDIVISION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aoa::affine {

/// Coord is uint32_t or int64_t.
template <typename Coord> class BoxDivision {
public:
  /// Low and high bound of each axis.
  using Region = llvm::SmallVector<Coord, 8>;
  struct Plane {
    unsigned axis;
    Coord at;
  };
  /// Boxes order[begin, end).
  struct Part {
    size_t begin, end;
    size_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
  };

  /// Box i is 2 · numAxes numbers from i · 2 · numAxes on, none of them empty.
  BoxDivision(unsigned numAxes, std::vector<Coord> bounds);

  unsigned numAxes() const { return axes; }
  uint32_t numBoxes() const { return originals; }
  Part all() const { return {0, order.size()}; }
  uint32_t &box(size_t i) { return order[i]; }
  uint32_t box(size_t i) const { return order[i]; }

  Coord low(uint32_t box, unsigned axis) const {
    return bounds[(size_t(box) * axes + axis) * 2];
  }
  Coord high(uint32_t box, unsigned axis) const {
    return bounds[(size_t(box) * axes + axis) * 2 + 1];
  }
  void setLow(uint32_t box, unsigned axis, Coord at) {
    bounds[(size_t(box) * axes + axis) * 2] = at;
  }
  void setHigh(uint32_t box, unsigned axis, Coord at) {
    bounds[(size_t(box) * axes + axis) * 2 + 1] = at;
  }
  llvm::ArrayRef<Coord> boundsOf(uint32_t box) const {
    return llvm::ArrayRef(bounds).slice(size_t(box) * 2 * axes, 2 * axes);
  }
  /// The box that a part of a cut box was.
  uint32_t originOf(uint32_t box) const {
    return box < originals ? box : origins[box - originals];
  }

  /// Looks for planes of one axis that cut no box and leave no part too large
  /// to be worth it. If there are, sorts the part along that axis and returns
  /// it; calls to `forEachRun` then go through the parts between them.
  std::optional<unsigned> sortForCleanPlanes(Part part);
  /// Calls `visit(run)` for the runs of boxes along `axis` that no plane
  /// divides without cutting one, until it returns false. Requires the order
  /// that sortForCleanPlanes left. Returns whether all returned true.
  template <typename Visit>
  bool forEachRun(Part part, unsigned axis, Visit visit) {
    for (Part run{part.begin, part.begin}; run.begin != part.end;
         run.begin = run.end) {
      run.end = endOfRun(run.begin, part.end, axis);
      if (!visit(run))
        return false;
    }
    return true;
  }

  /// Returns the plane through a box's face that leaves about the smallest
  /// larger half, or nothing if no face lies inside of `region`.
  std::optional<Plane> findPlane(Part part, llvm::ArrayRef<Coord> region);

  /// Divides at `plane` and calls `visit(half)` for the lower and the upper
  /// half, until it returns false. Either half may be empty.
  template <typename Visit> bool cutAt(Part part, Plane plane, Visit visit) {
    size_t numBounds = bounds.size(), numOrigins = origins.size();
    Part upper{order.size(), 0};
    Part lower = cut(part, plane);
    upper.end = order.size();
    bool goOn = visit(lower) && visit(upper);
    order.resize(upper.begin);
    bounds.resize(numBounds);
    origins.resize(numOrigins);
    return goOn;
  }

private:
  bool isSortedAlong(unsigned axis, Part part) const;
  void sortAlong(unsigned axis, Part part);
  size_t longestRun(Part part, unsigned axis) const;
  size_t endOfRun(size_t begin, size_t end, unsigned axis) const {
    Coord reached = high(order[begin], axis);
    for (size_t i = begin + 1; i < end; ++i) {
      if (low(order[i], axis) >= reached)
        return i;
      reached = std::max(reached, high(order[i], axis));
    }
    return end;
  }
  /// Appends the upper half to the order and returns the lower.
  Part cut(Part part, Plane plane);

  unsigned axes;
  std::vector<Coord> bounds; ///< Parts of cut boxes stand behind the boxes.
  uint32_t originals;
  std::vector<uint32_t> origins; ///< Of the parts.
  std::vector<uint32_t> order;
  std::vector<Coord> faces;
  std::vector<uint64_t> keys, keyScratch;
  std::vector<std::pair<Coord, uint32_t>> wideKeys;
};

} // namespace aoa::affine

#endif // AOA_LIB_AFFINE_BOXDIVISION_H
