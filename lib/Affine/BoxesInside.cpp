//===- BoxesInside.cpp - Whether boxes lie inside others --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxesInside.h"

#include <algorithm>
#include <vector>

using namespace aoa::affine;

namespace {
/// Boxes clipped to a part of the region, and which they were.
struct Clipped {
  std::vector<int64_t> bounds;
  std::vector<uint32_t> ids;
};

class Search {
public:
  explicit Search(unsigned numAxes) : numAxes(numAxes) {}
  /// Returns whether `boxes` lie in `space`; if not, sets `outside`.
  bool isInside(const Clipped &boxes, const Clipped &space,
                llvm::ArrayRef<int64_t> region);
  OutsidePoint outside;

private:
  struct Plane {
    unsigned axis = 0;
    int64_t at = 0;
    size_t largerHalf = SIZE_MAX;
  };
  uint64_t volumeOf(llvm::ArrayRef<int64_t> bounds) const;
  Plane findPlane(const Clipped &boxes, const Clipped &space,
                  llvm::ArrayRef<int64_t> region);
  Clipped clip(const Clipped &boxes, unsigned axis, int64_t low,
               int64_t high) const;

  unsigned numAxes;
  std::vector<int64_t> faces;
};

uint64_t Search::volumeOf(llvm::ArrayRef<int64_t> bounds) const {
  uint64_t sum = 0;
  for (; !bounds.empty(); bounds = bounds.drop_front(2 * numAxes)) {
    uint64_t volume = 1;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      volume *= bounds[2 * axis + 1] - bounds[2 * axis];
    sum += volume;
  }
  return sum;
}

Search::Plane Search::findPlane(const Clipped &boxes, const Clipped &space,
                                llvm::ArrayRef<int64_t> region) {
  Plane best;
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    faces.clear();
    for (const Clipped *side : {&boxes, &space})
      for (size_t i = 2 * axis; i < side->bounds.size(); i += 2 * numAxes)
        for (int64_t face : {side->bounds[i], side->bounds[i + 1]})
          if (face > region[2 * axis] && face < region[2 * axis + 1])
            faces.push_back(face);
    if (faces.empty())
      continue;
    auto median = faces.begin() + faces.size() / 2;
    std::nth_element(faces.begin(), median, faces.end());
    size_t numLow = 0, numHigh = 0;
    for (const Clipped *side : {&boxes, &space})
      for (size_t i = 2 * axis; i < side->bounds.size(); i += 2 * numAxes) {
        numLow += side->bounds[i] < *median;
        numHigh += side->bounds[i + 1] > *median;
      }
    if (size_t larger = std::max(numLow, numHigh); larger < best.largerHalf)
      best = {axis, *median, larger};
  }
  return best;
}

Clipped Search::clip(const Clipped &boxes, unsigned axis, int64_t low,
                     int64_t high) const {
  Clipped result;
  for (size_t i = 0; i < boxes.ids.size(); ++i) {
    const int64_t *bounds = &boxes.bounds[i * 2 * numAxes];
    int64_t begin = std::max(low, bounds[2 * axis]);
    int64_t end = std::min(high, bounds[2 * axis + 1]);
    if (begin >= end)
      continue;
    result.bounds.insert(result.bounds.end(), bounds, bounds + 2 * numAxes);
    int64_t *added = &*(result.bounds.end() - 2 * numAxes);
    added[2 * axis] = begin;
    added[2 * axis + 1] = end;
    result.ids.push_back(boxes.ids[i]);
  }
  return result;
}

bool Search::isInside(const Clipped &boxes, const Clipped &space,
                      llvm::ArrayRef<int64_t> region) {
  if (boxes.ids.empty() || volumeOf(space.bounds) == volumeOf(region))
    return true;
  if (space.ids.empty()) {
    for (unsigned axis = 0; axis < numAxes; ++axis)
      outside.point.push_back(boxes.bounds[2 * axis]);
    outside.box = boxes.ids.front();
    return false;
  }
  Plane plane = findPlane(boxes, space, region);
  if (plane.largerHalf == SIZE_MAX)
    return true; // All fill the region.
  llvm::SmallVector<int64_t, 8> half(region.begin(), region.end());
  auto halfIsInside = [&](int64_t low, int64_t high) {
    half[2 * plane.axis] = low;
    half[2 * plane.axis + 1] = high;
    return isInside(clip(boxes, plane.axis, low, high),
                    clip(space, plane.axis, low, high), half);
  };
  return halfIsInside(region[2 * plane.axis], plane.at) &&
         halfIsInside(plane.at, region[2 * plane.axis + 1]);
}
} // namespace

std::optional<OutsidePoint>
aoa::affine::findOutside(unsigned numAxes, llvm::ArrayRef<int64_t> boxes,
                         llvm::ArrayRef<int64_t> space,
                         llvm::ArrayRef<int64_t> region) {
  auto clipped = [&](llvm::ArrayRef<int64_t> bounds) {
    Clipped result{bounds.vec(), {}};
    for (uint32_t i = 0; i < bounds.size() / (2 * numAxes); ++i)
      result.ids.push_back(i);
    return result;
  };
  Search search(numAxes);
  if (search.isInside(clipped(boxes), clipped(space), region))
    return std::nullopt;
  return search.outside;
}
