//===- SourceTable.cpp - Where the bytes of source shards lie ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "SourceTable.h"

#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"

using namespace aoa;

Expected<std::span<const SlotRun>> SourceTable::placesOf(ir::ValueId source) {
  std::vector<SlotRun> &places = known[source.index()];
  if (places.empty()) {
    Expected<std::vector<SlotRun>> made = makePlaces(source);
    if (!made)
      return failWith(std::move(made));
    places = std::move(*made);
  }
  return std::span<const SlotRun>(places);
}

Expected<std::vector<SlotRun>> SourceTable::makePlaces(ir::ValueId source) {
  if (program.isFill(source))
    return placeInlined(source);
  const Tensor &tensor = program.sourceTensor(source);
  std::vector<SlotRun> places;
  if (tensor.places.empty()) {
    if (Expected<void> placed = placeNameless(tensor, places); !placed)
      return failWith(std::move(placed));
    return places;
  }
  for (const ShardPlace &place : tensor.places)
    if (place.storage.isNone())
      return fail(ErrorKind::Format, "a shard of `" + tensor.name +
                                         "` lies in no storage, others do");
    else
      appendSlot(places, place.storage.index(), place.atBytes);
  return places;
}

Expected<std::vector<SlotRun>> SourceTable::placeInlined(ir::ValueId fill) {
  const ir::Value &value = program.value(fill);
  std::optional<std::string> element =
      primitives::encodeNumber(program.definition(fill).value, value.dtype);
  if (!element)
    return fail(ErrorKind::Unsupported, "the value of `" + value.name +
                                            "` is no value of " +
                                            std::string(nameOf(value.dtype)));
  auto [known, isNew] =
      inlinedAt.try_emplace(*element, static_cast<int64_t>(inlined.size()));
  if (isNew)
    inlined += *element;
  std::vector<SlotRun> places;
  appendSlot(places, inlinedSource(), known->second);
  return places;
}

const std::vector<SourceTable::NamelessShard> &
SourceTable::namelessOf(const Tensor &tensor) {
  // A tensor that lists no shards is whole on rank 0, whatever its shape.
  if (tensor.shards.empty())
    return wholeOnRank0 = {{namelessOfFirst({}),
                            checkedNumElements(tensor.shape).value_or(-1)}};
  auto [entry, isNew] = namelessOfShards.try_emplace(tensor.shards.identity());
  if (isNew)
    for (const Shard &shard : tensor.shards)
      entry->second.push_back(
          {namelessOfFirst(shard.ranks),
           checkedNumElements(shard.localShape).value_or(-1)});
  return entry->second;
}

uint32_t SourceTable::namelessOfFirst(std::span<const uint32_t> ranks) {
  auto [entry, isNew] = namelessOfRank.try_emplace(
      ranks.empty() ? 0 : ranks.front(), namelessBytes.size());
  if (isNew)
    namelessBytes.push_back(0);
  return entry->second;
}

Expected<void> SourceTable::placeNameless(const Tensor &tensor,
                                          std::vector<SlotRun> &places) {
  uint32_t first = inlinedSource() + 1;
  int64_t bits = bitsOf(tensor.dtype);
  for (const NamelessShard &shard : namelessOf(tensor)) {
    int64_t &bytes = namelessBytes[shard.source];
    std::optional<int64_t> sizeBits = checkedMul(shard.numElements, bits);
    std::optional<int64_t> end = sizeBits && *sizeBits >= 0
                                     ? checkedAdd(bytes, ceilDiv(*sizeBits, 8))
                                     : std::nullopt;
    if (!end)
      return fail(ErrorKind::Limit, "the bytes of the source up to `" +
                                        tensor.name +
                                        "` do not fit in 63 bits");
    appendSlot(places, first + shard.source, bytes);
    bytes = *end;
  }
  return {};
}

/// Calls `visit` for all regions, those compared included.
template <typename Plan, typename Visit>
static void forEachRegion(Plan &plan, Visit visit) {
  for (auto &file : plan.targets)
    for (auto &region : file.regions)
      visit(region);
  for (auto &comparison : plan.comparisons) {
    visit(comparison.left);
    visit(comparison.right);
  }
}

/// Returns for each source how many before it the plan reads, and behind them
/// the count of all.
static std::vector<uint32_t> countRead(const TransferPlan &plan,
                                       size_t numSources) {
  // How many runs over neighbouring files begin or, if negative, end here.
  std::vector<int64_t> starts(numSources + 1, 0);
  forEachRegion(plan, [&](const TargetRegion &region) {
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
  });
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
  forEachRegion(plan, [&](TargetRegion &region) {
    // All files of a run over neighbours are read, so it stays one.
    if (llvm::all_of(region.slots,
                     [](const SlotRun &run) { return run.sourceStep <= 1; })) {
      for (SlotRun &run : region.slots)
        run.source = newIndex[run.source];
      return;
    }
    std::vector<SlotRun> slots;
    for (const SlotRun &run : region.slots)
      for (uint32_t i = 0; i < run.count; ++i)
        appendSlot(slots, newIndex[run.source + i * run.sourceStep],
                   run.atBytes + i * run.atStep);
    region.slots = std::move(slots);
  });
}

void SourceTable::finish(TransferPlan &plan) {
  const std::vector<Storage> &storages = program.source->storages;
  std::vector<PlanSource> all;
  for (const Storage &storage : storages)
    all.push_back({storage.file, storage.bytes, storage.fingerprint});
  all.push_back(
      {"", static_cast<int64_t>(inlined.size()), 0, std::move(inlined)});
  for (int64_t bytes : namelessBytes)
    all.push_back({"", bytes, 0});

  const std::vector<uint32_t> newIndex = countRead(plan, all.size());
  for (size_t i = 0; i < all.size(); ++i)
    if (newIndex[i + 1] != newIndex[i])
      plan.sources.push_back(std::move(all[i]));
  renumber(plan, newIndex);
}
