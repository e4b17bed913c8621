//===- BoxRemains.cpp - What other boxes leave of a piece -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxRemains.h"
#include "Meeting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace aoa::affine;

void BoxRemains::add(size_t index, uint32_t numBlocking, PieceSet &result) {
  bool isEmpty = true, isBlocked = false;
  source.visit(index, [&](const DigitBox &box) {
    isEmpty = false;
    isBlocked = isBlocked || findBlockers(box, numBlocking);
  });
  if (isEmpty)
    return;
  if (!isBlocked) {
    result.add(set[index]);
    return;
  }
  source.visit(index, [&](const DigitBox &box) {
    findBlockers(box, numBlocking);
    Corners whole(box.low.begin(), box.low.end());
    for (unsigned i = 0; i < digits.size(); ++i)
      whole.push_back(box.low[i] + box.extent[i]);
    std::vector<uint32_t> blockers(corners.size() / whole.size());
    for (uint32_t i = 0; i < blockers.size(); ++i)
      blockers[i] = i;
    takeFrom(box, std::move(whole), blockers, set.entries()[index].tag, result);
  });
}

bool BoxRemains::findBlockers(const DigitBox &box, uint32_t numBlocking) {
  tree.find(box, found);
  corners.clear();
  llvm::SmallVector<int64_t, 8> low(digits.size());
  for (uint32_t number : found) {
    if (tree.list().pieceOf(number) >= numBlocking)
      break; // Ordered by piece.
    DigitBox blocker = tree.list().box(number, low);
    corners.insert(corners.end(), low.begin(), low.end());
    for (unsigned i = 0; i < digits.size(); ++i)
      corners.push_back(low[i] + blocker.extent[i]);
  }
  return !corners.empty();
}

void BoxRemains::takeFrom(const DigitBox &box, Corners part,
                          llvm::ArrayRef<uint32_t> blockers, PieceSet::Tag tag,
                          PieceSet &result) {
  unsigned numDigits = digits.size();
  std::vector<uint32_t> inside;
  for (uint32_t blocker : blockers) {
    llvm::ArrayRef<int64_t> of = cornersOf(blocker);
    bool meets = true, covers = true;
    for (unsigned i = 0; i < numDigits; ++i) {
      meets &= of[i] < part[numDigits + i] && part[i] < of[numDigits + i];
      covers &= of[i] <= part[i] && part[numDigits + i] <= of[numDigits + i];
    }
    if (covers)
      return;
    if (meets)
      inside.push_back(blocker);
  }
  if (inside.empty()) {
    addPart(box, part, tag, result);
    return;
  }
  Plane plane = findPlane(part, inside);
  Corners high = part;
  part[numDigits + plane.axis] = high[plane.axis] = plane.at;
  takeFrom(box, std::move(part), inside, tag, result);
  takeFrom(box, std::move(high), inside, tag, result);
}

BoxRemains::Plane BoxRemains::findPlane(const Corners &part,
                                        llvm::ArrayRef<uint32_t> blockers) {
  unsigned numDigits = digits.size();
  Plane best;
  for (unsigned axis = 0; axis < numDigits; ++axis) {
    int64_t low = part[axis], high = part[numDigits + axis];
    faces.clear();
    for (uint32_t blocker : blockers)
      for (int64_t face :
           {cornersOf(blocker)[axis], cornersOf(blocker)[numDigits + axis]})
        if (low < face && face < high)
          faces.push_back(face);
    if (faces.empty())
      continue;
    auto middle = faces.begin() + faces.size() / 2;
    std::nth_element(faces.begin(), middle, faces.end());
    Plane plane{axis, *middle, 0};
    for (uint32_t blocker : blockers) {
      llvm::ArrayRef<int64_t> of = cornersOf(blocker);
      plane.numBoxes += of[axis] < plane.at;
      plane.numBoxes += of[numDigits + axis] > plane.at;
    }
    if (plane.numBoxes < best.numBoxes)
      best = plane;
  }
  // A blocker that does not cover the part has a face in it.
  return best;
}

void BoxRemains::addPart(const DigitBox &box, const Corners &part,
                         PieceSet::Tag tag, PieceSet &result) {
  unsigned numDigits = digits.size();
  llvm::ArrayRef<int64_t> low = llvm::ArrayRef(part).take_front(numDigits);
  llvm::SmallVector<int64_t, 8> extent, strides;
  int64_t address = 0;
  for (unsigned i = 0; i < numDigits; ++i) {
    extent.push_back(part[numDigits + i] - part[i]);
    strides.push_back(digits.stride(i));
    address += part[i] * digits.stride(i);
  }
  DigitBox itself{low, extent, strides, address, {}, {}};
  Meeting meeting;
  if (side == Side::Dst)
    meeting.meet(box, itself);
  else
    meeting.meet(itself, box);
  result.add(PieceSet::Entry{
      meeting.srcOffset, meeting.dstOffset,
      result.internForm(meeting.shape, meeting.srcStrides, meeting.dstStrides),
      tag});
}
