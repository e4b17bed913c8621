//===- BoxLaws.cpp - Where boxes meet and what they leave out ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxLaws.h"

#include "BoxDivision.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

using namespace aoa::affine;

namespace {
/// Parts of up to this many boxes are not divided if that can be avoided.
constexpr size_t fewBoxes = 16;

template <typename Coord> class BreachSearch {
public:
  BreachSearch(unsigned numAxes, std::vector<Coord> bounds,
               llvm::ArrayRef<Coord> region, const BoxLaw &law)
      : numAxes(numAxes), boxes(numAxes, std::move(bounds)), region(region),
        law(law) {}

  BoxFinding find() {
    solve(boxes.all());
    return std::move(finding);
  }

private:
  using Part = typename BoxDivision<Coord>::Part;
  using Region = llvm::SmallVector<Coord, 8>;
  /// A slab, without what slabs before it hold.
  struct Segment {
    Coord begin, end;
    uint32_t box;
    Coord lengthBefore;     ///< Of all segments before it.
    uint32_t nextColor = 0; ///< First one behind it of another color.
  };
  /// Slabs of one axis that were taken out of the space.
  struct Contraction {
    unsigned axis;
    std::vector<Segment> segments;
  };

  // All of these return whether the search goes on.
  bool solve(Part part);
  std::optional<bool> solveFew(Part part);
  bool solveRuns(Part part, unsigned axis);
  bool takeSlabsAndCut(Part part);
  bool checkSlabsOfTwoAxes(llvm::ArrayRef<std::vector<uint32_t>> slabs);
  bool takeSlabs(unsigned axis, std::vector<uint32_t> &slabs, Part &rest);
  bool checkAgainstSlabs(unsigned axis, uint32_t box,
                         llvm::ArrayRef<Segment> segments);
  /// Returns the first segment that ends behind `at`.
  static const Segment *segmentBehind(llvm::ArrayRef<Segment> segments,
                                      Coord at) {
    return llvm::partition_point(
        segments, [&](const Segment &segment) { return segment.end <= at; });
  }
  bool cut(Part part);
  bool report(BoxFinding::Kind kind, Region point, uint32_t first = 0,
              uint32_t second = 0);
  /// Reports a hole at the region's low corner, moved to `at` along `axis`.
  bool hole(unsigned axis, Coord at);
  bool meeting(uint32_t a, uint32_t b);
  bool checkFills(uint32_t box);
  /// Checks that the boxes of `part` may meet `box`.
  bool checkMayMeet(uint32_t box, Part part);

  Coord low(uint32_t box, unsigned axis) const { return boxes.low(box, axis); }
  Coord high(uint32_t box, unsigned axis) const {
    return boxes.high(box, axis);
  }
  bool spans(uint32_t box, unsigned axis) const {
    return low(box, axis) <= region[2 * axis] &&
           high(box, axis) >= region[2 * axis + 1];
  }
  bool mayMeet(uint32_t a, uint32_t b) const {
    a = boxes.originOf(a);
    b = boxes.originOf(b);
    switch (law.meeting) {
    case BoxLaw::Meeting::Free:
      return true;
    case BoxLaw::Meeting::SameColor:
      return law.colors[a] == law.colors[b];
    case BoxLaw::Meeting::Never:
      break;
    }
    return a == b;
  }
  uint64_t volumeOf(llvm::ArrayRef<Coord> bounds) const {
    uint64_t volume = 1;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      volume *= bounds[2 * axis + 1] - bounds[2 * axis];
    return volume;
  }
  bool isOneColor(Part part) const {
    for (size_t i = part.begin + 1; i < part.end; ++i)
      if (!mayMeet(boxes.box(part.begin), boxes.box(i)))
        return false;
    return true;
  }

  unsigned numAxes;
  BoxDivision<Coord> boxes;
  Region region; ///< What the part that is looked at lies in.
  const BoxLaw &law;
  std::vector<Contraction> contractions; ///< A stack.
  BoxFinding finding;
};

template <typename Coord>
bool BreachSearch<Coord>::report(BoxFinding::Kind kind, Region point,
                                 uint32_t first, uint32_t second) {
  for (size_t i = contractions.size(); i-- > 0;) {
    Coord &coordinate = point[contractions[i].axis];
    for (const Segment &segment : contractions[i].segments) {
      if (coordinate < segment.begin)
        break;
      coordinate += segment.end - segment.begin;
    }
  }
  finding.kind = kind;
  finding.point.assign(point.begin(), point.end());
  finding.first = std::min(boxes.originOf(first), boxes.originOf(second));
  finding.second = std::max(boxes.originOf(first), boxes.originOf(second));
  return false;
}

template <typename Coord>
bool BreachSearch<Coord>::meeting(uint32_t a, uint32_t b) {
  Region point;
  for (unsigned axis = 0; axis < numAxes; ++axis)
    point.push_back(std::max(low(a, axis), low(b, axis)));
  return report(BoxFinding::Kind::Meeting, std::move(point), a, b);
}

template <typename Coord> bool BreachSearch<Coord>::checkFills(uint32_t box) {
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    if (low(box, axis) > region[2 * axis])
      return hole(axis, region[2 * axis]);
    if (high(box, axis) < region[2 * axis + 1])
      return hole(axis, high(box, axis));
  }
  return true;
}

template <typename Coord>
bool BreachSearch<Coord>::hole(unsigned axis, Coord at) {
  Region point;
  for (unsigned i = 0; i < numAxes; ++i)
    point.push_back(i == axis ? at : region[2 * i]);
  return report(BoxFinding::Kind::Hole, std::move(point));
}

template <typename Coord>
bool BreachSearch<Coord>::checkMayMeet(uint32_t box, Part part) {
  if (law.meeting != BoxLaw::Meeting::Free)
    for (size_t i = part.begin; i < part.end; ++i)
      if (!mayMeet(box, boxes.box(i)))
        return meeting(box, boxes.box(i));
  return true;
}

template <typename Coord> bool BreachSearch<Coord>::solve(Part part) {
  if (part.empty())
    return law.leaveHoles || hole(0, region[0]);
  if (part.size() == 1)
    return law.leaveHoles || checkFills(boxes.box(part.begin));
  if (law.leaveHoles && isOneColor(part))
    return true;
  if (part.size() <= fewBoxes)
    if (std::optional<bool> goOn = solveFew(part))
      return *goOn;
  if (std::optional<unsigned> axis = boxes.sortForCleanPlanes(part))
    return solveRuns(part, *axis);
  return takeSlabsAndCut(part);
}

/// Compares each box with each other. Disjoint boxes fill the region if their
/// volumes add up to its own. Returns nothing where that does not decide.
template <typename Coord>
std::optional<bool> BreachSearch<Coord>::solveFew(Part part) {
  bool areDisjoint = true;
  uint64_t volume = 0;
  for (size_t i = part.begin; i < part.end; ++i) {
    uint32_t box = boxes.box(i);
    for (size_t j = part.begin; j < i; ++j) {
      uint32_t other = boxes.box(j);
      bool meet = true;
      for (unsigned axis = 0; axis < numAxes && meet; ++axis)
        meet = low(box, axis) < high(other, axis) &&
               low(other, axis) < high(box, axis);
      if (meet && !mayMeet(box, other))
        return meeting(box, other);
      areDisjoint &= !meet;
    }
    volume += volumeOf(boxes.boundsOf(box));
  }
  if (law.leaveHoles || (areDisjoint && volume == volumeOf(region)))
    return true;
  return std::nullopt;
}

template <typename Coord>
bool BreachSearch<Coord>::solveRuns(Part part, unsigned axis) {
  const Coord outerLow = region[2 * axis], outerHigh = region[2 * axis + 1];
  Coord reached = outerLow;
  bool goOn = boxes.forEachRun(part, axis, [&](Part run) {
    Coord runLow = low(boxes.box(run.begin), axis);
    if (runLow > reached && !law.leaveHoles)
      return hole(axis, reached);
    for (size_t i = run.begin; i < run.end; ++i)
      reached = std::max(reached, high(boxes.box(i), axis));
    region[2 * axis] = runLow;
    region[2 * axis + 1] = reached;
    bool runGoesOn = solve(run);
    region[2 * axis] = outerLow;
    region[2 * axis + 1] = outerHigh;
    return runGoesOn;
  });
  return goOn &&
         (reached == outerHigh || law.leaveHoles || hole(axis, reached));
}

template <typename Coord> bool BreachSearch<Coord>::takeSlabsAndCut(Part part) {
  llvm::SmallVector<std::vector<uint32_t>, 4> slabs(numAxes);
  Part rest{part.begin, part.begin};
  for (size_t i = part.begin; i < part.end; ++i) {
    uint32_t box = boxes.box(i);
    unsigned numCut = 0, cutAxis = 0;
    for (unsigned axis = 0; axis < numAxes && numCut < 2; ++axis)
      if (!spans(box, axis)) {
        ++numCut;
        cutAxis = axis;
      }
    if (numCut == 0)
      return checkMayMeet(box, part); // It fills the region.
    if (numCut == 1)
      slabs[cutAxis].push_back(box);
    else
      std::swap(boxes.box(rest.end++), boxes.box(i));
  }
  if (rest.size() == part.size())
    return cut(part);
  if (!checkSlabsOfTwoAxes(slabs))
    return false;

  Region outer = region;
  size_t numContractions = contractions.size();
  bool goOn = true, isFilled = false;
  for (unsigned axis = 0; axis < numAxes && goOn; ++axis) {
    if (slabs[axis].empty())
      continue;
    goOn = takeSlabs(axis, slabs[axis], rest);
    isFilled |= goOn && region[2 * axis] == region[2 * axis + 1];
  }
  slabs.clear();
  // Spirals have a slab again and again: without a cut between, taking them out
  // one by one would be quadratic.
  if (goOn && !isFilled)
    goOn = rest.size() <= part.size() / 2 ? solve(rest) : cut(rest);
  contractions.resize(numContractions);
  region = outer;
  return goOn;
}

template <typename Coord>
bool BreachSearch<Coord>::checkSlabsOfTwoAxes(
    llvm::ArrayRef<std::vector<uint32_t>> slabs) {
  if (law.meeting == BoxLaw::Meeting::Free)
    return true;
  std::optional<uint32_t> before;
  for (size_t axis = 0; axis < slabs.size(); ++axis) {
    if (slabs[axis].empty())
      continue;
    // Those of one axis must all have the color of any of the other.
    for (uint32_t slab : slabs[axis])
      if (before && !mayMeet(*before, slab))
        return meeting(*before, slab);
    for (size_t other = 0; other < axis; ++other)
      for (uint32_t slab : slabs[other])
        if (!mayMeet(slab, slabs[axis].front()))
          return meeting(slab, slabs[axis].front());
    before = slabs[axis].front();
  }
  return true;
}

/// Checks the slabs of one axis against each other and the rest, and takes them
/// out of the space. Drops boxes that lie in them.
template <typename Coord>
bool BreachSearch<Coord>::takeSlabs(unsigned axis, std::vector<uint32_t> &slabs,
                                    Part &rest) {
  llvm::sort(slabs, [&](uint32_t a, uint32_t b) {
    return std::pair(low(a, axis), a) < std::pair(low(b, axis), b);
  });
  std::vector<Segment> segments;
  // Of those before, the one that reaches farthest, and the one that does of
  // those that may not meet it.
  std::optional<uint32_t> farthest, farthestOther;
  Coord length = 0;
  for (uint32_t slab : slabs) {
    for (std::optional<uint32_t> before : {farthest, farthestOther})
      if (before && high(*before, axis) > low(slab, axis) &&
          !mayMeet(*before, slab))
        return meeting(*before, slab);
    Coord reached = farthest ? high(*farthest, axis) : region[2 * axis];
    if (high(slab, axis) <= reached)
      continue;
    Coord begin = std::max(reached, low(slab, axis));
    segments.push_back({begin, high(slab, axis), slab, length});
    length += high(slab, axis) - begin;
    if (farthest && !mayMeet(*farthest, slab))
      farthestOther = farthest;
    farthest = slab;
  }
  for (size_t i = segments.size(); i-- > 0;)
    segments[i].nextColor =
        i + 1 < segments.size() && mayMeet(segments[i].box, segments[i + 1].box)
            ? segments[i + 1].nextColor
            : i + 1;

  auto lengthBelow = [&](Coord at) -> Coord {
    const Segment *segment = segmentBehind(segments, at);
    if (segment == segments.data() + segments.size())
      return length;
    return segment->lengthBefore +
           (at > segment->begin ? at - segment->begin : 0);
  };
  Part kept{rest.begin, rest.begin};
  for (size_t i = rest.begin; i < rest.end; ++i) {
    uint32_t box = boxes.box(i);
    if (!checkAgainstSlabs(axis, box, segments))
      return false;
    boxes.setLow(box, axis, low(box, axis) - lengthBelow(low(box, axis)));
    boxes.setHigh(box, axis, high(box, axis) - lengthBelow(high(box, axis)));
    if (low(box, axis) < high(box, axis))
      boxes.box(kept.end++) = box;
  }
  rest = kept;
  region[2 * axis + 1] -= length;
  contractions.push_back({axis, std::move(segments)});
  return true;
}

template <typename Coord>
bool BreachSearch<Coord>::checkAgainstSlabs(unsigned axis, uint32_t box,
                                            llvm::ArrayRef<Segment> segments) {
  if (law.meeting == BoxLaw::Meeting::Free)
    return true;
  const Segment *segment = segmentBehind(segments, low(box, axis));
  if (segment == segments.end() || segment->begin >= high(box, axis))
    return true;
  if (!mayMeet(segment->box, box))
    return meeting(segment->box, box);
  if (segment->nextColor < segments.size() &&
      segments[segment->nextColor].begin < high(box, axis))
    return meeting(segments[segment->nextColor].box, box);
  return true;
}

template <typename Coord> bool BreachSearch<Coord>::cut(Part part) {
  auto plane = boxes.findPlane(part, region);
  if (!plane) // Every box fills the region.
    return checkMayMeet(boxes.box(part.begin), part);
  const Coord outerLow = region[2 * plane->axis];
  const Coord outerHigh = region[2 * plane->axis + 1];
  bool isUpper = false;
  bool goOn = boxes.cutAt(part, *plane, [&](Part half) {
    region[2 * plane->axis] = isUpper ? plane->at : outerLow;
    region[2 * plane->axis + 1] = isUpper ? outerHigh : plane->at;
    isUpper = true;
    return solve(half);
  });
  region[2 * plane->axis] = outerLow;
  region[2 * plane->axis + 1] = outerHigh;
  return goOn;
}
} // namespace

template <typename Coord>
BoxFinding aoa::affine::findBreach(unsigned numAxes, std::vector<Coord> bounds,
                                   llvm::ArrayRef<Coord> region,
                                   const BoxLaw &law) {
  assert(numAxes > 0 && region.size() == 2 * numAxes && "bounds of each axis");
  return BreachSearch<Coord>(numAxes, std::move(bounds), region, law).find();
}

template BoxFinding aoa::affine::findBreach(unsigned, std::vector<uint32_t>,
                                            llvm::ArrayRef<uint32_t>,
                                            const BoxLaw &);
template BoxFinding aoa::affine::findBreach(unsigned, std::vector<int64_t>,
                                            llvm::ArrayRef<int64_t>,
                                            const BoxLaw &);
