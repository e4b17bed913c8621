//===- CheckHomogeneous.cpp - Pieces that meet, held by the same ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "BoxLaws.h"
#include "CutsOfOneAxis.h"
#include "aoa/Affine/Holders.h"

using namespace aoa::affine;

template <typename Coord>
static std::optional<HolderConflict>
findConflict(const PieceSet &set, Side side, SideAxes &axes,
             llvm::ArrayRef<RankSetId> holders) {
  auto boxes = SideBoxes<Coord>::of(set, side, axes);
  std::vector<uint32_t> colors(boxes.size());
  for (size_t box = 0; box < colors.size(); ++box)
    colors[box] = holders[boxes.ownerOf(box)].index();
  BoxFinding finding = findBreach<Coord>(
      boxes.numAxes, std::move(boxes.bounds), SideBoxes<Coord>::wholeOf(axes),
      {true, BoxLaw::Meeting::SameColor, colors});
  if (finding.kind == BoxFinding::Kind::None)
    return std::nullopt;
  return HolderConflict{axes.addressOf(finding.point),
                        boxes.ownerOf(finding.first),
                        boxes.ownerOf(finding.second)};
}

std::optional<HolderConflict>
aoa::affine::checkHomogeneous(const PieceSet &set, Side side,
                              llvm::ArrayRef<RankSetId> holders) {
  assert(holders.size() == set.size() && "one set of ranks a piece");
  int64_t last = findLastAddress(set, side);
  if (last < 0)
    return std::nullopt;
  SideAxes axes = SideAxes::ofUpTo({{&set, side}}, last + 1);
  // Where nothing meets, sorted cuts of one axis tell so without any boxes.
  auto cuts = checkCutsOfOneAxis(set, side, axes, {.leaveHoles = true});
  if (cuts && cuts->kind == Coverage::Kind::Exact)
    return std::nullopt;
  return axes.areSmall() ? findConflict<uint32_t>(set, side, axes, holders)
                         : findConflict<int64_t>(set, side, axes, holders);
}
