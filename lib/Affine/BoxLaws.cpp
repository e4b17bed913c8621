//===- BoxLaws.cpp - Where boxes meet and what they leave out ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxLaws.h"

#include "RadixSort.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <type_traits>

using namespace aoa::affine;

namespace {
template <typename Coord> class BreachSearch {
public:
  BreachSearch(unsigned numAxes, std::vector<Coord> bounds,
               llvm::ArrayRef<Coord> region, const BoxLaw &law)
      : numAxes(numAxes), bounds(std::move(bounds)), region(region),
        numBoxes(this->bounds.size() / (2 * numAxes)), law(law) {
    order.resize(numBoxes);
    for (uint32_t i = 0; i < numBoxes; ++i)
      order[i] = i;
  }

  BoxFinding find() {
    solve(0, order.size());
    return std::move(finding);
  }

private:
  /// A slab, without what slabs before it hold.
  struct Segment {
    Coord begin, end;
    uint32_t box;
    uint32_t nextColor = 0; ///< First one behind it of another color.
    Coord lengthBefore = 0; ///< Of all segments before it.
  };
  /// Slabs of one axis that were taken out of the space.
  struct Contraction {
    unsigned axis;
    std::vector<Segment> segments;
  };
  struct Plane {
    unsigned axis = 0;
    Coord at = 0;
    size_t largerHalf = SIZE_MAX;
  };
  using Region = llvm::SmallVector<Coord, 8>;

  // The boxes of a part of the search are order[begin, end). All of these
  // return whether the search goes on.
  bool solve(size_t begin, size_t end);
  bool divideAtCleanPlanes(size_t begin, size_t end, bool &goOn);
  bool solveRuns(size_t end, unsigned axis, size_t firstStart);
  bool takeSlabsAndCut(size_t begin, size_t end);
  bool takeSlabs(unsigned axis, std::vector<uint32_t> &slabs, size_t begin,
                 size_t &end);
  bool cut(size_t begin, size_t end);

  Coord low(uint32_t box, unsigned axis) const {
    return bounds[size_t(box) * 2 * numAxes + 2 * axis];
  }
  Coord high(uint32_t box, unsigned axis) const {
    return bounds[size_t(box) * 2 * numAxes + 2 * axis + 1];
  }
  Coord &low(uint32_t box, unsigned axis) {
    return bounds[size_t(box) * 2 * numAxes + 2 * axis];
  }
  Coord &high(uint32_t box, unsigned axis) {
    return bounds[size_t(box) * 2 * numAxes + 2 * axis + 1];
  }
  Coord regionLow(unsigned axis) const { return region[2 * axis]; }
  Coord regionHigh(unsigned axis) const { return region[2 * axis + 1]; }
  bool spans(uint32_t box, unsigned axis) const {
    return low(box, axis) <= regionLow(axis) &&
           high(box, axis) >= regionHigh(axis);
  }

  uint32_t originOf(uint32_t box) const {
    return box < numBoxes ? box : origins[box - numBoxes];
  }
  bool mayMeet(uint32_t a, uint32_t b) const {
    switch (law.meeting) {
    case BoxLaw::Meeting::Free:
      return true;
    case BoxLaw::Meeting::SameColor:
      return law.colors[originOf(a)] == law.colors[originOf(b)];
    case BoxLaw::Meeting::Never:
      return originOf(a) == originOf(b);
    }
    return true;
  }
  bool isOneColor(size_t begin, size_t end) const {
    for (size_t i = begin + 1; i < end; ++i)
      if (!mayMeet(order[begin], order[i]))
        return false;
    return true;
  }

  void sortAlong(unsigned axis, size_t begin, size_t end);
  bool isSortedAlong(unsigned axis, size_t begin, size_t end) const;
  /// Appends where runs begin that no plane divides without cutting a box;
  /// returns the size of the longest. Requires order sorted along `axis`.
  size_t findRuns(unsigned axis, size_t begin, size_t end);
  Plane findPlane(size_t begin, size_t end);

  bool report(BoxFinding::Kind kind, Region point, uint32_t first = 0,
              uint32_t second = 0);
  /// Reports a hole at the region's low corner, moved to `at` along `axis`.
  bool hole(unsigned axis, Coord at) {
    Region point = lowCorner();
    point[axis] = at;
    return report(BoxFinding::Kind::Hole, std::move(point));
  }
  bool meeting(uint32_t a, uint32_t b);
  bool checkFills(uint32_t box);
  Region lowCorner() const {
    Region corner;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      corner.push_back(regionLow(axis));
    return corner;
  }

  unsigned numAxes;
  std::vector<Coord> bounds; ///< Parts of cut boxes stand behind the boxes.
  Region region;
  uint32_t numBoxes;
  const BoxLaw &law;
  std::vector<uint32_t> order, origins;
  std::vector<uint32_t> runStarts;       ///< A stack.
  std::vector<Contraction> contractions; ///< A stack.
  std::vector<Coord> faces;
  std::vector<uint64_t> keys, keyScratch;
  std::vector<std::pair<Coord, uint32_t>> wideKeys;
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
  finding.first = std::min(originOf(first), originOf(second));
  finding.second = std::max(originOf(first), originOf(second));
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
    if (low(box, axis) > regionLow(axis))
      return hole(axis, regionLow(axis));
    if (high(box, axis) < regionHigh(axis))
      return hole(axis, high(box, axis));
  }
  return true;
}

template <typename Coord>
bool BreachSearch<Coord>::solve(size_t begin, size_t end) {
  if (begin == end)
    return law.leaveHoles || hole(0, regionLow(0));
  if (end - begin == 1)
    return law.leaveHoles || checkFills(order[begin]);
  if (law.leaveHoles && isOneColor(begin, end))
    return true;
  bool goOn = true;
  if (divideAtCleanPlanes(begin, end, goOn))
    return goOn;
  return takeSlabsAndCut(begin, end);
}

template <typename Coord>
bool BreachSearch<Coord>::isSortedAlong(unsigned axis, size_t begin,
                                        size_t end) const {
  for (size_t i = begin + 1; i < end; ++i)
    if (low(order[i], axis) < low(order[i - 1], axis))
      return false;
  return true;
}

template <typename Coord>
void BreachSearch<Coord>::sortAlong(unsigned axis, size_t begin, size_t end) {
  if constexpr (sizeof(Coord) == 4) {
    keys.clear();
    for (size_t i = begin; i < end; ++i)
      keys.push_back(uint64_t(low(order[i], axis)) << 32 | order[i]);
    radixSort(keys, keyScratch, [](uint64_t key) { return key >> 32; });
    for (size_t i = begin; i < end; ++i)
      order[i] = static_cast<uint32_t>(keys[i - begin]);
  } else {
    wideKeys.clear();
    for (size_t i = begin; i < end; ++i)
      wideKeys.emplace_back(low(order[i], axis), order[i]);
    llvm::sort(wideKeys);
    for (size_t i = begin; i < end; ++i)
      order[i] = wideKeys[i - begin].second;
  }
}

template <typename Coord>
size_t BreachSearch<Coord>::findRuns(unsigned axis, size_t begin, size_t end) {
  size_t longest = 0, start = begin;
  runStarts.push_back(begin);
  Coord reached = high(order[begin], axis);
  for (size_t i = begin + 1; i < end; ++i) {
    if (low(order[i], axis) >= reached) {
      longest = std::max(longest, i - start);
      runStarts.push_back(start = i);
    }
    reached = std::max(reached, high(order[i], axis));
  }
  return std::max(longest, end - start);
}

/// Divides at planes that cut no box, if there are good ones, and solves the
/// parts.
template <typename Coord>
bool BreachSearch<Coord>::divideAtCleanPlanes(size_t begin, size_t end,
                                              bool &goOn) {
  size_t count = end - begin, bestLongest = count,
         firstStart = runStarts.size();
  unsigned bestAxis = 0;
  auto tryAxis = [&](unsigned axis) {
    runStarts.resize(firstStart);
    size_t longest = findRuns(axis, begin, end);
    if (longest < bestLongest) {
      bestLongest = longest;
      bestAxis = axis;
    }
    return longest <= count / 2;
  };
  llvm::SmallVector<bool, 8> tried(numAxes, false);
  bool done = false;
  for (bool mayReorder : {false, true})
    for (unsigned axis = 0; axis < numAxes && !done; ++axis) {
      if (tried[axis])
        continue;
      if (!isSortedAlong(axis, begin, end)) {
        if (!mayReorder)
          continue;
        sortAlong(axis, begin, end);
      }
      tried[axis] = true;
      done = tryAxis(axis);
    }
  if (!done && bestLongest > count / 4 * 3 &&
      (bestLongest == count || count > 64)) {
    runStarts.resize(firstStart);
    return false;
  }
  if (!done) {
    if (!isSortedAlong(bestAxis, begin, end))
      sortAlong(bestAxis, begin, end);
    tryAxis(bestAxis);
  }
  goOn = solveRuns(end, bestAxis, firstStart);
  runStarts.resize(firstStart);
  return true;
}

template <typename Coord>
bool BreachSearch<Coord>::solveRuns(size_t end, unsigned axis,
                                    size_t firstStart) {
  const Coord outerLow = regionLow(axis), outerHigh = regionHigh(axis);
  Coord reached = outerLow;
  size_t endOfStarts = runStarts.size();
  for (size_t run = firstStart; run < endOfStarts; ++run) {
    size_t runBegin = runStarts[run];
    size_t runEnd = run + 1 < endOfStarts ? runStarts[run + 1] : end;
    Coord runLow = low(order[runBegin], axis);
    if (runLow > reached && !law.leaveHoles)
      return hole(axis, reached);
    for (size_t i = runBegin; i < runEnd; ++i)
      reached = std::max(reached, high(order[i], axis));
    region[2 * axis] = runLow;
    region[2 * axis + 1] = reached;
    if (!solve(runBegin, runEnd))
      return false;
    region[2 * axis] = outerLow;
    region[2 * axis + 1] = outerHigh;
  }
  return reached >= outerHigh || law.leaveHoles || hole(axis, reached);
}

template <typename Coord>
bool BreachSearch<Coord>::takeSlabsAndCut(size_t begin, size_t end) {
  llvm::SmallVector<std::vector<uint32_t>, 4> slabs(numAxes);
  size_t rest = begin;
  for (size_t i = begin; i < end; ++i) {
    uint32_t box = order[i];
    unsigned numCut = 0, cutAxis = 0;
    for (unsigned axis = 0; axis < numAxes && numCut < 2; ++axis)
      if (!spans(box, axis)) {
        ++numCut;
        cutAxis = axis;
      }
    if (numCut == 0) {
      for (size_t other = begin; other < end; ++other)
        if (!mayMeet(box, order[other]))
          return meeting(box, order[other]);
      return true;
    }
    if (numCut == 1)
      slabs[cutAxis].push_back(box);
    else
      std::swap(order[rest++], order[i]);
  }
  if (rest == end)
    return cut(begin, end);

  // Slabs of two axes meet.
  std::optional<uint32_t> ofOtherAxis;
  for (const std::vector<uint32_t> &ofAxis : slabs) {
    if (ofOtherAxis)
      for (uint32_t slab : ofAxis)
        if (!mayMeet(*ofOtherAxis, slab))
          return meeting(*ofOtherAxis, slab);
    if (!ofAxis.empty() && !ofOtherAxis)
      ofOtherAxis = ofAxis.front();
  }
  // Now slabs of the other axes have the first one's color, but others of its
  // own axis may not.
  if (ofOtherAxis) {
    unsigned axis = 0;
    while (slabs[axis].empty())
      ++axis;
    for (unsigned later = axis + 1; later < numAxes; ++later)
      if (!slabs[later].empty())
        for (uint32_t slab : slabs[axis])
          if (!mayMeet(slab, slabs[later].front()))
            return meeting(slab, slabs[later].front());
  }

  Region outer = region;
  size_t numContractions = contractions.size(), numBefore = end - begin;
  end = rest;
  bool goOn = true, isFilled = false;
  for (unsigned axis = 0; axis < numAxes && goOn; ++axis) {
    if (slabs[axis].empty())
      continue;
    goOn = takeSlabs(axis, slabs[axis], begin, end);
    isFilled |= goOn && regionLow(axis) == regionHigh(axis);
  }
  slabs.clear();
  if (goOn && !isFilled)
    // Spirals have a slab again and again: without a cut between, taking them
    // out one by one would be quadratic.
    goOn = end - begin <= numBefore / 2 ? solve(begin, end) : cut(begin, end);
  contractions.resize(numContractions);
  region = outer;
  return goOn;
}

/// Checks the slabs of one axis against each other and the rest, and takes them
/// out of the space. Drops boxes that lie in them.
template <typename Coord>
bool BreachSearch<Coord>::takeSlabs(unsigned axis, std::vector<uint32_t> &slabs,
                                    size_t begin, size_t &end) {
  llvm::sort(slabs, [&](uint32_t a, uint32_t b) {
    return std::pair(low(a, axis), a) < std::pair(low(b, axis), b);
  });
  // Of those before, the one that reaches farthest, and the one that does of
  // those that may not meet it.
  std::optional<uint32_t> farthest, farthestOther;
  Contraction contraction{axis, {}};
  std::vector<Segment> &segments = contraction.segments;
  Coord length = 0;
  for (uint32_t slab : slabs) {
    for (std::optional<uint32_t> before : {farthest, farthestOther})
      if (before && high(*before, axis) > low(slab, axis) &&
          !mayMeet(*before, slab))
        return meeting(*before, slab);
    Coord reached = farthest ? high(*farthest, axis) : regionLow(axis);
    Coord segmentBegin = std::max(reached, low(slab, axis));
    if (high(slab, axis) > segmentBegin) {
      segments.push_back({segmentBegin, high(slab, axis), slab, 0, length});
      length += high(slab, axis) - segmentBegin;
    }
    if (!farthest || high(slab, axis) > reached) {
      if (farthest && !mayMeet(*farthest, slab))
        farthestOther = farthest;
      farthest = slab;
    }
  }
  for (size_t i = segments.size(); i-- > 0;)
    segments[i].nextColor =
        i + 1 == segments.size() ||
                !mayMeet(segments[i].box, segments[i + 1].box)
            ? i + 1
            : segments[i + 1].nextColor;

  /// Returns the first segment that ends behind `at`.
  auto segmentBehind = [&](Coord at) {
    return std::partition_point(
        segments.begin(), segments.end(),
        [&](const Segment &segment) { return segment.end <= at; });
  };
  auto lengthBelow = [&](Coord at) -> Coord {
    auto segment = segmentBehind(at);
    if (segment == segments.end())
      return length;
    return segment->lengthBefore +
           (at > segment->begin ? at - segment->begin : 0);
  };
  size_t kept = begin;
  for (size_t i = begin; i < end; ++i) {
    uint32_t box = order[i];
    auto segment = segmentBehind(low(box, axis));
    if (law.meeting != BoxLaw::Meeting::Free && segment != segments.end() &&
        segment->begin < high(box, axis)) {
      if (!mayMeet(segment->box, box))
        return meeting(segment->box, box);
      if (segment->nextColor < segments.size()) {
        const Segment &other = segments[segment->nextColor];
        if (other.begin < high(box, axis))
          return meeting(other.box, box);
      }
    }
    low(box, axis) -= lengthBelow(low(box, axis));
    high(box, axis) -= lengthBelow(high(box, axis));
    if (low(box, axis) < high(box, axis))
      order[kept++] = box;
  }
  end = kept;
  region[2 * axis + 1] -= length;
  contractions.push_back(std::move(contraction));
  return true;
}

template <typename Coord>
typename BreachSearch<Coord>::Plane BreachSearch<Coord>::findPlane(size_t begin,
                                                                   size_t end) {
  // The median of some of the faces divides about as well as that of all.
  constexpr size_t sampleSize = 1024;
  Plane best;
  for (size_t step : {(end - begin) / sampleSize + 1, size_t(1)}) {
    for (unsigned axis = 0; axis < numAxes; ++axis) {
      faces.clear();
      for (size_t i = begin; i < end; i += step)
        for (Coord face : {low(order[i], axis), high(order[i], axis)})
          if (face > regionLow(axis) && face < regionHigh(axis))
            faces.push_back(face);
      if (faces.empty())
        continue;
      auto median = faces.begin() + faces.size() / 2;
      std::nth_element(faces.begin(), median, faces.end());
      Coord at = *median;
      size_t numLow = 0, numHigh = 0;
      for (size_t i = begin; i < end; ++i) {
        numLow += low(order[i], axis) < at;
        numHigh += high(order[i], axis) > at;
      }
      size_t largerHalf = std::max(numLow, numHigh);
      if (largerHalf < best.largerHalf)
        best = {axis, at, largerHalf};
    }
    if (best.largerHalf != SIZE_MAX)
      break;
  }
  return best;
}

template <typename Coord>
bool BreachSearch<Coord>::cut(size_t begin, size_t end) {
  Plane plane = findPlane(begin, end);
  if (plane.largerHalf == SIZE_MAX) {
    // Every box fills the region.
    for (size_t i = begin + 1; i < end; ++i)
      if (!mayMeet(order[begin], order[i]))
        return meeting(order[begin], order[i]);
    return true;
  }
  unsigned axis = plane.axis;
  size_t highBegin = order.size(), lowEnd = begin;
  size_t numBounds = bounds.size(), numOrigins = origins.size();
  for (size_t i = begin; i < end; ++i) {
    uint32_t box = order[i];
    if (low(box, axis) >= plane.at) {
      order.push_back(box);
      continue;
    }
    order[lowEnd++] = box;
    if (high(box, axis) <= plane.at)
      continue;
    auto part = static_cast<uint32_t>(bounds.size() / (2 * numAxes));
    for (unsigned bound = 0; bound < 2 * numAxes; ++bound)
      bounds.push_back(bounds[size_t(box) * 2 * numAxes + bound]);
    origins.push_back(originOf(box));
    high(box, axis) = low(part, axis) = plane.at;
    order.push_back(part);
  }
  size_t highEnd = order.size();
  Coord outerHigh = regionHigh(axis), outerLow = regionLow(axis);
  region[2 * axis + 1] = plane.at;
  bool goOn = solve(begin, lowEnd);
  region[2 * axis] = plane.at;
  region[2 * axis + 1] = outerHigh;
  goOn = goOn && solve(highBegin, highEnd);
  region[2 * axis] = outerLow;
  order.resize(highBegin);
  bounds.resize(numBounds);
  origins.resize(numOrigins);
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
