//===- RegionGeometries.cpp - From layout classes to region classes -------===//
// SPDX-License-Identifier: Apache-2.0

#include "RegionGeometries.h"

#include "llvm/ADT/STLExtras.h"

using namespace aoa;
using namespace aoa::ir;

const RegionGeometry &RegionGeometries::of(const Result &result, uint32_t shard,
                                           uint32_t rank) {
  if (llvm::any_of(result.slots,
                   [&](ValueId source) { return replicas.hasCopies(source); }))
    return last = make(result, shard, rank);
  auto entry = known.find({result.layoutClass, shard});
  if (entry == known.end())
    entry = known
                .emplace(std::pair(result.layoutClass, shard),
                         make(result, shard, rank))
                .first;
  return entry->second;
}

uint32_t RegionGeometries::opsOf(const Result &result,
                                 const StorageOrigin &origin) {
  DType from = program.value(result.slots[origin.slot]).dtype;
  return classes.internOps(program.opsOf(origin.ops, from));
}

RegionGeometry RegionGeometries::make(const Result &result, uint32_t shard,
                                      uint32_t rank) {
  const LayoutClass &layoutClass = program.classes[result.layoutClass.index()];
  const affine::PieceSet &pieces = layoutClass.shards[shard];

  // The source shards that are read, each once, in order.
  using Place = std::pair<uint32_t, uint32_t>; // Slot of the result, shard.
  constexpr uint32_t unused = UINT32_MAX;
  slotOf.resize(std::max(slotOf.size(), layoutClass.origins.size()), unused);
  std::vector<Place> places;
  std::vector<uint32_t> used;
  for (const affine::PieceSet::Entry &piece : pieces.entries())
    if (slotOf[piece.tag] == unused) {
      slotOf[piece.tag] = used.size();
      used.push_back(piece.tag);
      const StorageOrigin &origin = layoutClass.origins[piece.tag];
      places.emplace_back(
          origin.slot,
          replicas.choose(result.slots[origin.slot], origin.sourceShard, rank));
    }
  std::vector<Place> sorted = places;
  llvm::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  struct Use {
    uint32_t slot, ops;
  };
  std::vector<Use> uses;
  for (auto [place, tag] : llvm::zip(places, used))
    uses.push_back({static_cast<uint32_t>(llvm::lower_bound(sorted, place) -
                                          sorted.begin()),
                    opsOf(result, layoutClass.origins[tag])});

  for (const affine::PieceSet::Entry &entry : pieces.entries()) {
    const Use &use = uses[slotOf[entry.tag]];
    classes.add(use.slot, use.ops, pieces.ref(entry));
  }
  for (uint32_t tag : used)
    slotOf[tag] = unused;
  RegionGeometry made{classes.finish(), {}};
  for (auto [slot, from] : sorted) {
    SlotRange *range = made.slots.empty() ? nullptr : &made.slots.back();
    if (range && range->source == slot &&
        range->firstShard + range->count == from)
      ++range->count;
    else
      made.slots.push_back({slot, from, 1});
  }
  return made;
}

uint32_t RegionGeometries::classOfCopy(DType dtype,
                                       llvm::ArrayRef<int64_t> shape) {
  affine::PieceSet whole(affine::foldDims(affine::identityPiece(shape)));
  ElementOps asIs;
  asIs.from = dtype;
  classes.add(0, classes.internOps(asIs), whole[0]);
  return classes.finish();
}
