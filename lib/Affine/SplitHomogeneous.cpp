//===- SplitHomogeneous.cpp - Pieces cut where their holders change -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Where pieces that meet have the same holders all the same, as without
// replicas, nothing is cut and nothing sorted. Else the pieces of a side become
// boxes, those boxes the cells of an overlay, and the cells pieces again.
//===----------------------------------------------------------------------===//

#include "CutsOfOneAxis.h"
#include "Overlay.h"
#include "aoa/Affine/Holders.h"
#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace aoa::affine;

namespace {
class Splitter {
public:
  Splitter(const PieceSet &set, Side side, std::vector<RankSetId> claims,
           RankSets &rankSets)
      : set(set), side(side), claims(std::move(claims)), rankSets(rankSets) {}

  HomogeneousSet split(int64_t lastAddress);
  HomogeneousSet keepAll() { return {set, std::move(claims)}; }

private:
  void addPiece(size_t index, const SideAxes &axes);
  Piece partOf(const DigitBox &box, size_t cell, const SideAxes &axes) const;
  RankSetId holdersOf(size_t cell);

  const PieceSet &set;
  const Side side;
  std::vector<RankSetId> claims; ///< One a piece.
  RankSets &rankSets;
  RankSets claimSets;            ///< Sets of what is claimed about a place.
  std::vector<RankSetId> unions; ///< Of each of `claimSets`, as far as asked.
  Cells cells;
  size_t nextBox = 0;
  HomogeneousSet result;
};

HomogeneousSet Splitter::split(int64_t lastAddress) {
  SideAxes axes = SideAxes::ofUpTo({{&set, side}}, lastAddress + 1);
  auto boxes = SideBoxes<int64_t>::of(set, side, axes);
  std::vector<uint32_t> colors(boxes.size());
  for (size_t box = 0; box < colors.size(); ++box)
    colors[box] = claims[boxes.ownerOf(box)].index();
  cells = overlay(boxes.numAxes, std::move(boxes.bounds), colors, claimSets);
  result.pieces = set; // For its forms.
  result.pieces.truncate(0);
  for (size_t i = 0; i < set.size(); ++i)
    addPiece(i, axes);
  return std::move(result);
}

/// Adds the parts of a piece, whose boxes come next.
void Splitter::addPiece(size_t index, const SideAxes &axes) {
  PieceRef piece = set[index];
  size_t firstCell = cells.begins[nextBox], firstBox = nextBox;
  forEachDigitBox(piece, side, axes.digits,
                  [&](const DigitBox &) { ++nextBox; });
  size_t endOfCells = cells.begins[nextBox];
  bool isOne = true;
  for (size_t cell = firstCell; cell < endOfCells; ++cell)
    isOne &= holdersOf(cell) == holdersOf(firstCell);
  if (isOne) {
    result.pieces.add(set.entries()[index]);
    result.holders.push_back(firstCell == endOfCells ? claims[index]
                                                     : holdersOf(firstCell));
    return;
  }
  struct Part {
    Piece piece;
    RankSetId holders;
  };
  std::vector<Part> parts;
  size_t at = firstBox;
  forEachDigitBox(piece, side, axes.digits, [&](const DigitBox &box) {
    for (size_t cell = cells.begins[at]; cell < cells.begins[at + 1]; ++cell)
      parts.push_back({partOf(box, cell, axes), holdersOf(cell)});
    ++at;
  });
  Side other = side == Side::Src ? Side::Dst : Side::Src;
  llvm::sort(parts, [&](const Part &a, const Part &b) {
    return std::pair(a.piece.view(side).offset, a.piece.view(other).offset) <
           std::pair(b.piece.view(side).offset, b.piece.view(other).offset);
  });
  for (const Part &part : parts) {
    result.pieces.add(part.piece, piece.tag);
    result.holders.push_back(part.holders);
  }
}

Piece Splitter::partOf(const DigitBox &box, size_t cell,
                       const SideAxes &axes) const {
  Piece part;
  StridedView &own = side == Side::Src ? part.src : part.dst;
  StridedView &other = side == Side::Src ? part.dst : part.src;
  other.offset = box.otherOffset;
  for (unsigned i = 0; i < box.repeats.size(); ++i) {
    part.shape.push_back(box.repeats[i]);
    own.strides.push_back(0);
    other.strides.push_back(box.repeatStrides[i]);
  }
  const int64_t *bounds = &cells.bounds[cell * 2 * axes.axes.size()];
  for (unsigned digit = 0, axis = 0; digit < axes.digits.size(); ++digit) {
    int64_t low = box.low[digit], extent = box.extent[digit];
    if (axis < axes.axes.size() && axes.axes[axis] == digit) {
      low = bounds[2 * axis];
      extent = bounds[2 * axis + 1] - low;
      ++axis;
    }
    own.offset += low * axes.digits.stride(digit);
    other.offset += (low - box.low[digit]) * box.otherStrides[digit];
    part.shape.push_back(extent);
    own.strides.push_back(axes.digits.stride(digit));
    other.strides.push_back(box.otherStrides[digit]);
  }
  return foldDims(part);
}

RankSetId Splitter::holdersOf(size_t cell) {
  RankSetId set = cells.sets[cell];
  if (unions.size() < claimSets.size())
    unions.resize(claimSets.size());
  RankSetId &result = unions[set.index()];
  if (result)
    return result;
  llvm::ArrayRef<uint32_t> claimed = claimSets[set];
  if (claimed.size() == 1)
    return result = RankSetId(claimed.front());
  std::vector<uint32_t> ranks;
  for (uint32_t claim : claimed)
    llvm::append_range(ranks, rankSets[RankSetId(claim)]);
  llvm::sort(ranks);
  ranks.erase(llvm::unique(ranks), ranks.end());
  return result = rankSets.intern(ranks);
}

std::vector<RankSetId> internClaims(
    const PieceSet &set,
    llvm::function_ref<llvm::ArrayRef<uint32_t>(PieceSet::Tag)> holdersOf,
    RankSets &rankSets) {
  std::vector<RankSetId> claims;
  claims.reserve(set.size());
  llvm::DenseMap<uint64_t, RankSetId> known; // Tags use all of 32 bits.
  for (const PieceSet::Entry &entry : set.entries()) {
    if (!claims.empty() && entry.tag == set.entries()[claims.size() - 1].tag) {
      claims.push_back(claims.back());
      continue;
    }
    auto [at, isNew] = known.try_emplace(entry.tag, RankSetId());
    if (isNew)
      at->second = rankSets.intern(holdersOf(entry.tag));
    claims.push_back(at->second);
  }
  return claims;
}
} // namespace

HomogeneousSet aoa::affine::splitHomogeneous(
    const PieceSet &set, Side side,
    llvm::function_ref<llvm::ArrayRef<uint32_t>(PieceSet::Tag)> holdersOf,
    RankSets &rankSets) {
  std::vector<RankSetId> claims = internClaims(set, holdersOf, rankSets);
  int64_t last = findLastAddress(set, side);
  bool isUncut =
      last < 0 || checkHomogeneous(set, side, claims) == std::nullopt;
  Splitter splitter(set, side, std::move(claims), rankSets);
  return isUncut ? splitter.keepAll() : splitter.split(last);
}
