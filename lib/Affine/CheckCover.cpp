//===- CheckCover.cpp - The laws of sets of pieces, with witnesses --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Bounds first, by offsets alone; then intervals where the pieces are cuts of
// one axis, else boxes.
//===----------------------------------------------------------------------===//

#include "BoxLaws.h"
#include "BoxesInside.h"
#include "CutsOfOneAxis.h"
#include "aoa/Affine/Cover.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::affine;

using Kind = Coverage::Kind;

template <typename Coord>
static Coverage checkBoxes(const PieceSet &set, Side side, SideAxes &axes,
                           CoverLaw law) {
  auto boxes = SideBoxes<Coord>::of(set, side, axes);
  if (boxes.firstRepeated && !law.meet) {
    uint32_t piece = *boxes.firstRepeated;
    return {Kind::Overlap, offsetOf(set.entries()[piece], side), piece, piece};
  }
  if (!law.leaveHoles)
    boxes.fillUp(axes, set.size());
  BoxFinding finding = findBreach<Coord>(
      boxes.numAxes, std::move(boxes.bounds), SideBoxes<Coord>::wholeOf(axes),
      {law.leaveHoles,
       law.meet ? BoxLaw::Meeting::Free : BoxLaw::Meeting::Never});
  switch (finding.kind) {
  case BoxFinding::Kind::None:
    return {};
  case BoxFinding::Kind::Hole:
    return {Kind::Hole, axes.addressOf(finding.point), 0, 0};
  case BoxFinding::Kind::Meeting:
    break;
  }
  return {Kind::Overlap, axes.addressOf(finding.point),
          boxes.ownerOf(finding.first), boxes.ownerOf(finding.second)};
}

static Coverage checkLaw(const PieceSet &set, Side side, int64_t numElements,
                         CoverLaw law) {
  assert(numElements < elementLimit && "an element count of a tensor");
  int64_t last = findLastAddress(set, side);
  if (last >= numElements) {
    size_t piece = *findOutOfBounds(set, side, numElements);
    const PieceSet::Entry &entry = set.entries()[piece];
    return {Kind::OutOfBounds,
            offsetOf(entry, side) + reachOf(set, entry.form, side), piece, 0};
  }
  if (numElements == 0 || (last < 0 && law.leaveHoles))
    return {};
  SideAxes axes = law.leaveHoles ? SideAxes::ofUpTo({{&set, side}}, last + 1)
                                 : SideAxes::of({{&set, side}}, numElements);
  if (auto coverage = checkCutsOfOneAxis(set, side, axes, law))
    return *coverage;
  Coverage coverage = axes.areSmall()
                          ? checkBoxes<uint32_t>(set, side, axes, law)
                          : checkBoxes<int64_t>(set, side, axes, law);
  // An overlap is the nearer cause.
  if (coverage.kind == Kind::Hole && !law.meet)
    if (Coverage overlap = checkDisjoint(set, side, numElements);
        overlap.kind == Kind::Overlap)
      return overlap;
  return coverage;
}

Coverage aoa::affine::checkCover(const PieceSet &set, Side side,
                                 llvm::ArrayRef<int64_t> shape) {
  std::optional<int64_t> numElements = checkedNumElements(shape);
  assert(numElements && "a shape of a tensor");
  return checkLaw(set, side, *numElements, {});
}

Coverage aoa::affine::checkDisjoint(const PieceSet &set, Side side,
                                    int64_t numElements) {
  return checkLaw(set, side, numElements, {.leaveHoles = true});
}

Coverage aoa::affine::checkHeld(const PieceSet &set, Side side,
                                int64_t numElements) {
  return checkLaw(set, side, numElements, {.meet = true});
}

Coverage aoa::affine::checkCover(const PieceSet &set, Side side,
                                 const PieceSet &space, Side spaceSide) {
  int64_t lastOfSpace = findLastAddress(space, spaceSide);
  int64_t last = findLastAddress(set, side);
  if (last > lastOfSpace) {
    size_t piece = *findOutOfBounds(set, side, lastOfSpace + 1);
    const PieceSet::Entry &entry = set.entries()[piece];
    return {Kind::OutOfBounds,
            offsetOf(entry, side) + reachOf(set, entry.form, side), piece, 0};
  }
  if (lastOfSpace < 0)
    return {};
  SideAxes axes =
      SideAxes::ofUpTo({{&set, side}, {&space, spaceSide}}, lastOfSpace + 1);
  auto spaceBoxes = SideBoxes<int64_t>::of(space, spaceSide, axes);
  unsigned numAxes = axes.axes.size();
  auto boxes = SideBoxes<int64_t>::of(set, side, axes);
  if (axes.axes.size() != numAxes)
    spaceBoxes = SideBoxes<int64_t>::of(space, spaceSide, axes);
  auto whole = SideBoxes<int64_t>::wholeOf(axes);

  if (auto outside =
          findOutside(axes.axes.size(), boxes.bounds, spaceBoxes.bounds, whole))
    return {Kind::OutOfBounds, axes.addressOf(outside->point),
            boxes.ownerOf(outside->box), 0};
  Coverage coverage = checkDisjoint(set, side, lastOfSpace + 1);
  if (coverage.kind != Kind::Exact)
    return coverage;
  if (auto hole =
          findOutside(axes.axes.size(), spaceBoxes.bounds, boxes.bounds, whole))
    return {Kind::Hole, axes.addressOf(hole->point), 0, 0};
  return {};
}
