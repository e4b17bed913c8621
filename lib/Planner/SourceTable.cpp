//===- SourceTable.cpp - Where the bytes of source shards lie ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SourceTable.h"

#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;

Expected<SourceTable::Place> SourceTable::find(ir::ValueId source,
                                               uint32_t shard) {
  const Tensor *&known = tensors[source.index()];
  if (!known)
    known = &program.sourceTensor(source);
  const Tensor &tensor = *known;
  const Shard *stored = tensor.shards.empty() ? nullptr : &tensor.shards[shard];
  ShardPlace place = tensor.placeOf(shard);
  if (!place.storage.isNone())
    return Place{static_cast<uint32_t>(place.storage.index()), place.atBytes};

  auto [entry, isNew] = namelessPlaces.try_emplace({source, shard});
  if (!isNew)
    return entry->second;
  return placeNameless(tensor, stored, entry->second);
}

Expected<SourceTable::Place> SourceTable::placeNameless(const Tensor &tensor,
                                                        const Shard *shard,
                                                        Place &place) {
  uint32_t rank = shard && !shard->ranks.empty() ? shard->ranks.front() : 0;
  auto [entry, isNew] = namelessOfRank.try_emplace(
      rank, Nameless{static_cast<uint32_t>(namelessOfRank.size())});
  Nameless &nameless = entry->second;
  std::optional<int64_t> size =
      checkedSizeBytes(tensor.dtype, shard ? shard->localShape : tensor.shape);
  std::optional<int64_t> end =
      size ? checkedAdd(nameless.bytes, *size) : std::nullopt;
  if (!end)
    return fail(ErrorKind::Limit, "the bytes of the source up to `" +
                                      tensor.name + "` do not fit in 63 bits");
  place = {static_cast<uint32_t>(program.source->storages.size()) +
               nameless.index,
           nameless.bytes};
  nameless.bytes = *end;
  return place;
}

/// Returns for each source how many before it the plan reads, and behind them
/// the count of all.
static std::vector<uint32_t> countRead(const TransferPlan &plan,
                                       size_t numSources) {
  // How many runs over neighbouring files begin or, if negative, end here.
  std::vector<int64_t> starts(numSources + 1, 0);
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions)
      for (const SlotRun &run : region.slots) {
        if (run.sourceStep <= 1) {
          ++starts[run.source];
          --starts[run.source + (run.count - 1) * run.sourceStep + 1];
          continue;
        }
        for (uint32_t i = 0; i < run.count; ++i) {
          ++starts[run.source + i * run.sourceStep];
          --starts[run.source + i * run.sourceStep + 1];
        }
      }
  std::vector<uint32_t> before(numSources + 1, 0);
  int64_t open = 0;
  for (size_t i = 0; i < numSources; ++i) {
    open += starts[i];
    before[i + 1] = before[i] + (open > 0);
  }
  return before;
}

/// Gives each source that is read its number among these.
static void renumber(TransferPlan &plan,
                     const std::vector<uint32_t> &newIndex) {
  for (TargetFile &file : plan.targets)
    for (TargetRegion &region : file.regions) {
      // All files of a run over neighbours are read, so it stays one.
      if (llvm::all_of(region.slots, [](const SlotRun &run) {
            return run.sourceStep <= 1;
          })) {
        for (SlotRun &run : region.slots)
          run.source = newIndex[run.source];
        continue;
      }
      std::vector<SlotRun> slots;
      for (const SlotRun &run : region.slots)
        for (uint32_t i = 0; i < run.count; ++i)
          appendSlot(slots, newIndex[run.source + i * run.sourceStep],
                     run.atBytes + i * run.atStep);
      region.slots = std::move(slots);
    }
}

void SourceTable::finish(TransferPlan &plan) const {
  const std::vector<Storage> &storages = program.source->storages;
  std::vector<PlanSource> all;
  for (const Storage &storage : storages)
    all.push_back({storage.file, storage.bytes, storage.fingerprint});
  all.resize(all.size() + namelessOfRank.size());
  for (const auto &[rank, nameless] : namelessOfRank)
    all[storages.size() + nameless.index].bytes = nameless.bytes;

  const std::vector<uint32_t> newIndex = countRead(plan, all.size());
  for (size_t i = 0; i < all.size(); ++i)
    if (newIndex[i + 1] != newIndex[i])
      plan.sources.push_back(std::move(all[i]));
  renumber(plan, newIndex);
}
