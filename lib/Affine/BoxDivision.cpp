//===- BoxDivision.cpp - Dividing many boxes at planes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxDivision.h"

#include "RadixSort.h"

#include <algorithm>
#include <numeric>

using namespace aoa::affine;

template <typename Coord>
BoxDivision<Coord>::BoxDivision(unsigned numAxes, std::vector<Coord> bounds)
    : axes(numAxes), bounds(std::move(bounds)),
      originals(this->bounds.size() / (2 * numAxes)), order(originals) {
  std::iota(order.begin(), order.end(), 0);
}

template <typename Coord>
bool BoxDivision<Coord>::isSortedAlong(unsigned axis, Part part) const {
  for (size_t i = part.begin + 1; i < part.end; ++i)
    if (low(order[i], axis) < low(order[i - 1], axis))
      return false;
  return true;
}

template <typename Coord>
void BoxDivision<Coord>::sortAlong(unsigned axis, Part part) {
  if constexpr (sizeof(Coord) == 4) {
    keys.clear();
    for (size_t i = part.begin; i < part.end; ++i)
      keys.push_back(uint64_t(low(order[i], axis)) << 32 | order[i]);
    radixSort(keys, keyScratch, [](uint64_t key) { return key >> 32; });
    for (size_t i = part.begin; i < part.end; ++i)
      order[i] = static_cast<uint32_t>(keys[i - part.begin]);
  } else {
    wideKeys.clear();
    for (size_t i = part.begin; i < part.end; ++i)
      wideKeys.emplace_back(low(order[i], axis), order[i]);
    llvm::sort(wideKeys);
    for (size_t i = part.begin; i < part.end; ++i)
      order[i] = wideKeys[i - part.begin].second;
  }
}

template <typename Coord>
size_t BoxDivision<Coord>::longestRun(Part part, unsigned axis) const {
  size_t longest = 0;
  for (size_t begin = part.begin; begin != part.end;) {
    size_t end = endOfRun(begin, part.end, axis);
    longest = std::max(longest, end - begin);
    begin = end;
  }
  return longest;
}

template <typename Coord>
std::optional<unsigned> BoxDivision<Coord>::sortForCleanPlanes(Part part) {
  size_t bestLongest = part.size();
  unsigned bestAxis = 0;
  llvm::SmallVector<bool, 8> tried(axes, false);
  for (bool maySort : {false, true})
    for (unsigned axis = 0; axis < axes; ++axis) {
      if (tried[axis])
        continue;
      if (!isSortedAlong(axis, part)) {
        if (!maySort)
          continue;
        sortAlong(axis, part);
      }
      tried[axis] = true;
      size_t longest = longestRun(part, axis);
      if (longest <= part.size() / 2)
        return axis;
      if (longest < bestLongest) {
        bestLongest = longest;
        bestAxis = axis;
      }
    }
  // Peeling a few boxes at a time off a spiral would be quadratic.
  constexpr size_t fewBoxes = 64;
  if (bestLongest == part.size() ||
      (bestLongest > part.size() / 4 * 3 && part.size() > fewBoxes))
    return std::nullopt;
  if (!isSortedAlong(bestAxis, part))
    sortAlong(bestAxis, part);
  return bestAxis;
}

template <typename Coord>
std::optional<typename BoxDivision<Coord>::Plane>
BoxDivision<Coord>::findPlane(Part part, llvm::ArrayRef<Coord> region) {
  // The median of some of the faces divides about as well as that of all.
  constexpr size_t sampleSize = 1024;
  std::optional<Plane> best;
  size_t bestLarger = SIZE_MAX;
  for (size_t step : {part.size() / sampleSize + 1, size_t(1)}) {
    for (unsigned axis = 0; axis < axes; ++axis) {
      faces.clear();
      for (size_t i = part.begin; i < part.end; i += step)
        for (Coord face : {low(order[i], axis), high(order[i], axis)})
          if (face > region[2 * axis] && face < region[2 * axis + 1])
            faces.push_back(face);
      if (faces.empty())
        continue;
      auto median = faces.begin() + faces.size() / 2;
      std::nth_element(faces.begin(), median, faces.end());
      size_t numLow = 0, numHigh = 0;
      for (size_t i = part.begin; i < part.end; ++i) {
        numLow += low(order[i], axis) < *median;
        numHigh += high(order[i], axis) > *median;
      }
      if (std::max(numLow, numHigh) < bestLarger) {
        bestLarger = std::max(numLow, numHigh);
        best = {axis, *median};
      }
    }
    if (best)
      break;
  }
  return best;
}

template <typename Coord>
typename BoxDivision<Coord>::Part BoxDivision<Coord>::cut(Part part,
                                                          Plane plane) {
  Part lower{part.begin, part.begin};
  for (size_t i = part.begin; i < part.end; ++i) {
    uint32_t box = order[i];
    if (low(box, plane.axis) >= plane.at) {
      order.push_back(box);
      continue;
    }
    order[lower.end++] = box;
    if (high(box, plane.axis) <= plane.at)
      continue;
    auto upper = static_cast<uint32_t>(bounds.size() / (2 * axes));
    for (unsigned bound = 0; bound < 2 * axes; ++bound)
      bounds.push_back(bounds[size_t(box) * 2 * axes + bound]);
    origins.push_back(originOf(box));
    setHigh(box, plane.axis, plane.at);
    setLow(upper, plane.axis, plane.at);
    order.push_back(upper);
  }
  return lower;
}

template class aoa::affine::BoxDivision<uint32_t>;
template class aoa::affine::BoxDivision<int64_t>;
