//===- Overlay.cpp - Boxes cut where what lies on them changes --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "Overlay.h"

#include "BoxDivision.h"
#include "BoxLaws.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

using namespace aoa::affine;

namespace {
class Overlay {
public:
  Overlay(unsigned numAxes, std::vector<int64_t> bounds,
          llvm::ArrayRef<uint32_t> colors, RankSets &colorSets)
      : numAxes(numAxes), boxes(numAxes, std::move(bounds)), colors(colors),
        colorSets(colorSets) {}

  Cells find() {
    findColorsThatMeetThemselves();
    solve(boxes.all());
    return collect();
  }

private:
  using Part = BoxDivision<int64_t>::Part;

  void solve(Part part);
  bool isOneColor(Part part) const;
  void findColorsThatMeetThemselves();
  /// Whether each color fills `region`, for all that is easily seen.
  bool allFill(Part part, llvm::ArrayRef<int64_t> region);
  llvm::SmallVector<int64_t, 8> regionOf(Part part) const;
  /// The only axis along which the boxes of `part` differ; numAxes if they do
  /// not; nothing if there are several.
  std::optional<unsigned> findOnlyAxis(Part part) const;
  void sweep(Part part, unsigned axis);
  RankSetId colorsOf(llvm::ArrayRef<uint32_t> active);
  RankSetId colorsOf(Part part) {
    std::vector<uint32_t> active;
    for (size_t i = part.begin; i < part.end; ++i)
      active.push_back(boxes.box(i));
    return colorsOf(active);
  }

  void addCell(uint32_t box, RankSetId set) {
    addCell(box, set, boxes.boundsOf(box));
  }
  void addCell(uint32_t box, RankSetId set, llvm::ArrayRef<int64_t> bounds) {
    cellBoxes.push_back(boxes.originOf(box));
    cellSets.push_back(set);
    cellBounds.insert(cellBounds.end(), bounds.begin(), bounds.end());
  }
  llvm::ArrayRef<int64_t> boundsOf(size_t cell) const {
    return llvm::ArrayRef(cellBounds).slice(cell * 2 * numAxes, 2 * numAxes);
  }
  Cells collect();
  void mergeCells(std::vector<size_t> &cells);
  bool mergeAlong(std::vector<size_t> &cells, unsigned axis);

  unsigned numAxes;
  BoxDivision<int64_t> boxes;
  llvm::ArrayRef<uint32_t> colors;
  RankSets &colorSets;
  std::vector<uint32_t> cellBoxes;
  std::vector<RankSetId> cellSets;
  std::vector<int64_t> cellBounds;
  std::vector<uint32_t> list;              ///< Colors of one place.
  llvm::DenseSet<uint32_t> meetThemselves; ///< Colors whose boxes do.
  llvm::DenseMap<uint32_t, uint64_t> volumes;
};

void Overlay::solve(Part part) {
  if (part.empty())
    return;
  if (isOneColor(part)) {
    RankSetId set = colorsOf(llvm::ArrayRef(boxes.box(part.begin)));
    for (size_t i = part.begin; i < part.end; ++i)
      addCell(boxes.box(i), set);
    return;
  }
  llvm::SmallVector<int64_t, 8> region = regionOf(part);
  if (allFill(part, region)) {
    RankSetId set = colorsOf(part);
    for (size_t i = part.begin; i < part.end; ++i)
      addCell(boxes.box(i), set);
    return;
  }
  if (std::optional<unsigned> axis = findOnlyAxis(part)) {
    sweep(part, *axis);
    return;
  }
  if (std::optional<unsigned> axis = boxes.sortForCleanPlanes(part)) {
    boxes.forEachRun(part, *axis, [&](Part run) {
      solve(run);
      return true;
    });
    return;
  }
  auto plane = boxes.findPlane(part, region);
  assert(plane && "boxes that differ have a face inside of what they span");
  boxes.cutAt(part, *plane, [&](Part half) {
    solve(half);
    return true;
  });
}

llvm::SmallVector<int64_t, 8> Overlay::regionOf(Part part) const {
  llvm::SmallVector<int64_t, 8> region(boxes.boundsOf(boxes.box(part.begin)));
  for (size_t i = part.begin; i < part.end; ++i)
    for (unsigned axis = 0; axis < numAxes; ++axis) {
      int64_t &low = region[2 * axis], &high = region[2 * axis + 1];
      low = std::min(low, boxes.low(boxes.box(i), axis));
      high = std::max(high, boxes.high(boxes.box(i), axis));
    }
  return region;
}

void Overlay::findColorsThatMeetThemselves() {
  llvm::MapVector<uint32_t, std::vector<int64_t>> boundsOfColor;
  for (uint32_t box = 0; box < boxes.numBoxes(); ++box)
    llvm::append_range(boundsOfColor[colors[box]], boxes.boundsOf(box));
  if (boxes.numBoxes() == 0)
    return;
  llvm::SmallVector<int64_t, 8> region = regionOf(boxes.all());
  for (auto &[color, bounds] : boundsOfColor)
    if (findBreach<int64_t>(numAxes, std::move(bounds), region,
                            {.leaveHoles = true})
            .kind != BoxFinding::Kind::None)
      meetThemselves.insert(color);
}

/// Replicas that are cut in different ways need no cells: a color whose boxes
/// are disjoint fills what their volumes add up to.
bool Overlay::allFill(Part part, llvm::ArrayRef<int64_t> region) {
  auto volumeOf = [&](llvm::ArrayRef<int64_t> bounds) {
    uint64_t volume = 1;
    for (unsigned axis = 0; axis < numAxes; ++axis)
      volume *= bounds[2 * axis + 1] - bounds[2 * axis];
    return volume;
  };
  volumes.clear();
  for (size_t i = part.begin; i < part.end; ++i) {
    uint32_t color = colors[boxes.originOf(boxes.box(i))];
    if (meetThemselves.contains(color))
      return false;
    volumes[color] += volumeOf(boxes.boundsOf(boxes.box(i)));
  }
  uint64_t whole = volumeOf(region);
  return llvm::all_of(volumes,
                      [&](const auto &each) { return each.second == whole; });
}

bool Overlay::isOneColor(Part part) const {
  uint32_t first = colors[boxes.originOf(boxes.box(part.begin))];
  for (size_t i = part.begin + 1; i < part.end; ++i)
    if (colors[boxes.originOf(boxes.box(i))] != first)
      return false;
  return true;
}

std::optional<unsigned> Overlay::findOnlyAxis(Part part) const {
  unsigned found = numAxes;
  llvm::ArrayRef<int64_t> first = boxes.boundsOf(boxes.box(part.begin));
  for (size_t i = part.begin + 1; i < part.end; ++i) {
    llvm::ArrayRef<int64_t> bounds = boxes.boundsOf(boxes.box(i));
    for (unsigned axis = 0; axis < numAxes; ++axis)
      if (axis != found &&
          bounds.slice(2 * axis, 2) != first.slice(2 * axis, 2)) {
        if (found != numAxes)
          return std::nullopt;
        found = axis;
      }
  }
  return found;
}

RankSetId Overlay::colorsOf(llvm::ArrayRef<uint32_t> active) {
  list.clear();
  for (uint32_t box : active)
    list.push_back(colors[boxes.originOf(box)]);
  llvm::sort(list);
  list.erase(llvm::unique(list), list.end());
  return colorSets.intern(list);
}

/// Adds the cells of boxes that differ along one axis.
void Overlay::sweep(Part part, unsigned axis) {
  if (axis == numAxes)
    axis = 0; // All are one box, whichever way.
  std::vector<std::pair<int64_t, uint32_t>> begins;
  std::vector<int64_t> faces;
  for (size_t i = part.begin; i < part.end; ++i) {
    uint32_t box = boxes.box(i);
    begins.emplace_back(boxes.low(box, axis), box);
    faces.push_back(boxes.low(box, axis));
    faces.push_back(boxes.high(box, axis));
  }
  llvm::sort(begins);
  llvm::sort(faces);
  faces.erase(llvm::unique(faces), faces.end());

  std::vector<uint32_t> active;
  std::vector<int64_t> cellBegins; ///< Of the cell that grows, one an active.
  RankSetId set;
  size_t next = 0;
  auto finish = [&](size_t i, int64_t end) {
    llvm::SmallVector<int64_t, 8> bounds(boxes.boundsOf(active[i]));
    bounds[2 * axis] = cellBegins[i];
    bounds[2 * axis + 1] = end;
    addCell(active[i], set, bounds);
  };
  for (int64_t face : faces) {
    size_t kept = 0;
    for (size_t i = 0; i < active.size(); ++i) {
      if (boxes.high(active[i], axis) == face) {
        finish(i, face);
        continue;
      }
      active[kept] = active[i];
      cellBegins[kept++] = cellBegins[i];
    }
    active.resize(kept);
    cellBegins.resize(kept);
    size_t numOld = kept;
    for (; next < begins.size() && begins[next].first == face; ++next) {
      active.push_back(begins[next].second);
      cellBegins.push_back(face);
    }
    if (active.empty())
      continue;
    RankSetId now = colorsOf(active);
    if (now != set)
      for (size_t i = 0; i < numOld; ++i) {
        finish(i, face);
        cellBegins[i] = face;
      }
    set = now;
  }
}

/// Sorts the cells by their boxes and merges those of each.
Cells Overlay::collect() {
  Cells result;
  uint32_t numBoxes = boxes.numBoxes();
  std::vector<size_t> ends(numBoxes + 1, 0);
  for (uint32_t box : cellBoxes)
    ++ends[box + 1];
  for (uint32_t box = 0; box < numBoxes; ++box)
    ends[box + 1] += ends[box];
  std::vector<size_t> sorted(cellBoxes.size());
  std::vector<size_t> places(ends.begin(), ends.end() - 1);
  for (size_t cell = 0; cell < cellBoxes.size(); ++cell)
    sorted[places[cellBoxes[cell]]++] = cell;

  result.begins.push_back(0);
  result.bounds.reserve(cellBounds.size());
  result.sets.reserve(cellSets.size());
  std::vector<size_t> cells;
  for (uint32_t box = 0; box < numBoxes; ++box) {
    cells.assign(sorted.begin() + ends[box], sorted.begin() + ends[box + 1]);
    mergeCells(cells);
    for (size_t cell : cells) {
      llvm::append_range(result.bounds, boundsOf(cell));
      result.sets.push_back(cellSets[cell]);
    }
    result.begins.push_back(result.sets.size());
  }
  return result;
}

void Overlay::mergeCells(std::vector<size_t> &cells) {
  for (bool merged = true; merged && cells.size() > 1;) {
    merged = false;
    for (unsigned axis = numAxes; axis-- > 0;)
      merged |= mergeAlong(cells, axis);
  }
  llvm::sort(cells, [&](size_t a, size_t b) {
    return std::lexicographical_compare(boundsOf(a).begin(), boundsOf(a).end(),
                                        boundsOf(b).begin(), boundsOf(b).end());
  });
}

bool Overlay::mergeAlong(std::vector<size_t> &cells, unsigned axis) {
  // Neighbours along the axis behind each other.
  auto compare = [&](size_t a, size_t b) {
    if (cellSets[a] != cellSets[b])
      return cellSets[a] < cellSets[b] ? -1 : 1;
    for (unsigned other = 0; other < 2 * numAxes; ++other)
      if (other / 2 != axis && boundsOf(a)[other] != boundsOf(b)[other])
        return boundsOf(a)[other] < boundsOf(b)[other] ? -1 : 1;
    return 0;
  };
  llvm::sort(cells, [&](size_t a, size_t b) {
    int order = compare(a, b);
    return order != 0 ? order < 0
                      : boundsOf(a)[2 * axis] < boundsOf(b)[2 * axis];
  });
  size_t kept = 0;
  for (size_t i = 1; i < cells.size(); ++i) {
    int64_t &end = cellBounds[cells[kept] * 2 * numAxes + 2 * axis + 1];
    if (compare(cells[kept], cells[i]) == 0 &&
        end == boundsOf(cells[i])[2 * axis])
      end = boundsOf(cells[i])[2 * axis + 1];
    else
      cells[++kept] = cells[i];
  }
  bool merged = kept + 1 < cells.size();
  cells.resize(std::min(cells.size(), kept + 1));
  return merged;
}
} // namespace

Cells aoa::affine::overlay(unsigned numAxes, std::vector<int64_t> bounds,
                           llvm::ArrayRef<uint32_t> colors,
                           RankSets &colorSets) {
  return Overlay(numAxes, std::move(bounds), colors, colorSets).find();
}
