//===- Cover.cpp - Whether boxes cover a space exactly once -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The space is divided until one box fills each part. A plane that cuts no box
// divides without making new boxes; sharded tensors nearly always have such
// planes, and all of an axis are used at once. Where there is none (pinwheels,
// overlaps) or only one that peels off a few boxes (spirals), the plane through
// a box's face that leaves the smallest larger half is taken, and the boxes it
// cuts go to both halves.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Box.h"

#include <algorithm>

using namespace aoa::affine;

namespace {
/// A box clipped to the part of the space that is looked at.
struct Clipped {
  Box box;
  unsigned id;
};

class CoverCheck {
public:
  /// Checks that `boxes`, all inside `region`, fill it. Returns whether they
  /// do; otherwise `result` says where not.
  bool fills(const Box &region, std::vector<Clipped> boxes);

  CoverResult result;

private:
  struct Plane {
    unsigned axis = 0;
    int64_t at = 0;
    size_t largerHalf = SIZE_MAX;
  };

  bool hole(Extents index) {
    result = {CoverResult::Kind::Hole, std::move(index)};
    return false;
  }
  bool overlap(const Clipped &a, const Clipped &b) {
    result = {CoverResult::Kind::Overlap, intersect(a.box, b.box)->offset,
              std::min(a.id, b.id), std::max(a.id, b.id)};
    return false;
  }
  /// Sorts by begin along `axis` and finds where runs of boxes start that no
  /// plane divides without cutting one.
  std::vector<size_t> findRuns(std::vector<Clipped> &boxes, unsigned axis);
  bool fillRuns(const Box &region, std::vector<Clipped> boxes, unsigned axis,
                llvm::ArrayRef<size_t> starts);
  Plane findPlane(const Box &region, llvm::ArrayRef<Clipped> boxes);
};

int64_t endOf(const Box &box, unsigned axis) {
  return box.offset[axis] + box.shape[axis];
}

bool CoverCheck::fills(const Box &region, std::vector<Clipped> boxes) {
  if (boxes.empty())
    return hole(region.offset);
  for (const Clipped &clipped : boxes)
    if (clipped.box == region)
      return boxes.size() == 1 ||
             overlap(clipped, &clipped == boxes.data() ? boxes[1] : boxes[0]);
  if (boxes.size() == 1)
    return hole(subtract(region, boxes[0].box).front().offset);

  // The axis whose longest run is the shortest divides best.
  unsigned bestAxis = 0;
  size_t bestLongest = SIZE_MAX;
  std::vector<size_t> bestStarts;
  unsigned sortedBy = 0;
  for (unsigned axis = 0; axis < region.rank(); ++axis) {
    std::vector<size_t> starts = findRuns(boxes, axis);
    sortedBy = axis;
    size_t longest = boxes.size() - starts.back();
    for (size_t i = 1; i < starts.size(); ++i)
      longest = std::max(longest, starts[i] - starts[i - 1]);
    if (longest < bestLongest) {
      bestLongest = longest;
      bestAxis = axis;
      bestStarts = std::move(starts);
    }
    if (bestLongest == 1)
      break;
  }
  if (bestLongest <= boxes.size() / 4 * 3 ||
      (bestLongest < boxes.size() && boxes.size() <= 64)) {
    if (sortedBy != bestAxis)
      findRuns(boxes, bestAxis);
    return fillRuns(region, std::move(boxes), bestAxis, bestStarts);
  }

  Plane plane = findPlane(region, boxes);
  Box low = region, high = region;
  low.shape[plane.axis] = plane.at - region.offset[plane.axis];
  high.offset[plane.axis] = plane.at;
  high.shape[plane.axis] = endOf(region, plane.axis) - plane.at;
  std::vector<Clipped> lowBoxes, highBoxes;
  for (Clipped &clipped : boxes) {
    int64_t begin = clipped.box.offset[plane.axis];
    int64_t end = endOf(clipped.box, plane.axis);
    if (begin < plane.at && end > plane.at) {
      lowBoxes.push_back(clipped);
      lowBoxes.back().box.shape[plane.axis] = plane.at - begin;
      clipped.box.offset[plane.axis] = plane.at;
      clipped.box.shape[plane.axis] = end - plane.at;
      highBoxes.push_back(std::move(clipped));
    } else {
      (end <= plane.at ? lowBoxes : highBoxes).push_back(std::move(clipped));
    }
  }
  boxes = std::vector<Clipped>();
  return fills(low, std::move(lowBoxes)) && fills(high, std::move(highBoxes));
}

std::vector<size_t> CoverCheck::findRuns(std::vector<Clipped> &boxes,
                                         unsigned axis) {
  llvm::sort(boxes, [&](const Clipped &a, const Clipped &b) {
    return std::pair(a.box.offset[axis], a.id) <
           std::pair(b.box.offset[axis], b.id);
  });
  std::vector<size_t> starts = {0};
  int64_t end = endOf(boxes[0].box, axis);
  for (size_t i = 1; i < boxes.size(); ++i) {
    if (boxes[i].box.offset[axis] >= end)
      starts.push_back(i);
    end = std::max(end, endOf(boxes[i].box, axis));
  }
  return starts;
}

bool CoverCheck::fillRuns(const Box &region, std::vector<Clipped> boxes,
                          unsigned axis, llvm::ArrayRef<size_t> starts) {
  int64_t reached = region.offset[axis];
  for (size_t run = 0; run < starts.size(); ++run) {
    size_t begin = starts[run];
    size_t end = run + 1 < starts.size() ? starts[run + 1] : boxes.size();
    Box part = region;
    part.offset[axis] = boxes[begin].box.offset[axis];
    if (part.offset[axis] > reached) {
      Extents index = region.offset;
      index[axis] = reached;
      return hole(std::move(index));
    }
    for (size_t i = begin; i < end; ++i)
      reached = std::max(reached, endOf(boxes[i].box, axis));
    part.shape[axis] = reached - part.offset[axis];
    std::vector<Clipped> inside(std::make_move_iterator(boxes.begin() + begin),
                                std::make_move_iterator(boxes.begin() + end));
    if (!fills(part, std::move(inside)))
      return false;
  }
  if (reached < endOf(region, axis)) {
    Extents index = region.offset;
    index[axis] = reached;
    return hole(std::move(index));
  }
  return true;
}

CoverCheck::Plane CoverCheck::findPlane(const Box &region,
                                        llvm::ArrayRef<Clipped> boxes) {
  Plane best;
  std::vector<int64_t> begins, ends;
  for (unsigned axis = 0; axis < region.rank(); ++axis) {
    begins.clear();
    ends.clear();
    for (const Clipped &clipped : boxes) {
      begins.push_back(clipped.box.offset[axis]);
      ends.push_back(endOf(clipped.box, axis));
    }
    llvm::sort(begins);
    llvm::sort(ends);
    auto consider = [&](int64_t at) {
      if (at <= region.offset[axis] || at >= endOf(region, axis))
        return;
      size_t low = llvm::lower_bound(begins, at) - begins.begin();
      size_t high = ends.end() - llvm::upper_bound(ends, at);
      if (std::max(low, high) < best.largerHalf)
        best = {axis, at, std::max(low, high)};
    };
    for (size_t i = 0; i < boxes.size(); ++i) {
      if (i == 0 || begins[i] != begins[i - 1])
        consider(begins[i]);
      if (i == 0 || ends[i] != ends[i - 1])
        consider(ends[i]);
    }
  }
  return best;
}

/// Returns an element of `box` that lies in none of `others`.
std::optional<Extents> findOutside(const Box &box, llvm::ArrayRef<Box> others) {
  std::vector<Box> rest = {box};
  for (const Box &other : others) {
    std::vector<Box> next;
    for (const Box &part : rest)
      llvm::append_range(next, subtract(part, other));
    rest = std::move(next);
  }
  if (rest.empty())
    return std::nullopt;
  return rest.front().offset;
}
} // namespace

CoverResult aoa::affine::checkCover(llvm::ArrayRef<Box> boxes,
                                    llvm::ArrayRef<Box> space) {
  std::vector<std::vector<Clipped>> inside(space.size());
  std::optional<BoxIndex> index;
  if (space.size() > 1)
    index.emplace(space.vec());
  for (unsigned id = 0; id < boxes.size(); ++id) {
    if (boxes[id].isEmpty())
      continue;
    int64_t left = boxes[id].numElements();
    llvm::SmallVector<Box, 2> met;
    auto clipTo = [&](unsigned part) {
      std::optional<Box> common = intersect(boxes[id], space[part]);
      if (!common)
        return;
      left -= common->numElements();
      met.push_back(space[part]);
      inside[part].push_back({std::move(*common), id});
    };
    if (index)
      index->visit(boxes[id], clipTo);
    else if (space.size() == 1)
      clipTo(0);
    if (left != 0)
      if (std::optional<Extents> outside = findOutside(boxes[id], met))
        return {CoverResult::Kind::OutOfBounds, std::move(*outside), id};
  }
  CoverCheck check;
  for (size_t part = 0; part < space.size(); ++part)
    if (!space[part].isEmpty() &&
        !check.fills(space[part], std::move(inside[part])))
      return check.result;
  return {};
}
