//===- SourceTable.cpp - Where the bytes of source shards lie ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SourceTable.h"

#include "aoa/Support/CheckedMath.h"

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

void SourceTable::finish(TransferPlan &plan) const {
  const std::vector<Storage> &storages = program.source->storages;
  std::vector<PlanSource> all;
  for (const Storage &storage : storages)
    all.push_back({storage.file, storage.bytes, storage.fingerprint});
  all.resize(all.size() + namelessOfRank.size());
  for (const auto &[rank, nameless] : namelessOfRank)
    all[storages.size() + nameless.index].bytes = nameless.bytes;

  std::vector<bool> isRead(all.size(), false);
  auto forEachTransfer = [&](auto visit) {
    for (TargetFile &file : plan.targets)
      for (TargetRegion &region : file.regions)
        for (Transfer &transfer : region.transfers)
          visit(transfer);
  };
  forEachTransfer([&](Transfer &transfer) { isRead[transfer.source] = true; });
  std::vector<uint32_t> newIndex(all.size(), 0);
  for (size_t i = 0; i < all.size(); ++i)
    if (isRead[i]) {
      newIndex[i] = plan.sources.size();
      plan.sources.push_back(std::move(all[i]));
    }
  forEachTransfer(
      [&](Transfer &transfer) { transfer.source = newIndex[transfer.source]; });
}
