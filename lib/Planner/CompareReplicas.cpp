//===- CompareReplicas.cpp - Stored copies that must be equal -------------===//
// SPDX-License-Identifier: Apache-2.0
#include "CompareReplicas.h"

#include "aoa/Affine/Holders.h"
#include "aoa/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace aoa;
using namespace aoa::ir;

namespace {

std::string ranksOf(const Shard &shard) {
  if (shard.ranks.size() == 1)
    return "rank " + std::to_string(shard.ranks.front());
  std::string text = "ranks ";
  llvm::raw_string_ostream os(text);
  affine::printRanks(os, shard.ranks);
  return text;
}

/// The tensors that results are made of, each once, in order of their values.
std::vector<ValueId> readTensors(const Program &program) {
  std::vector<bool> isRead(program.values.size(), false);
  for (const Result &result : program.results)
    for (ValueId slot : result.slots)
      isRead[slot.index()] = !program.isFill(slot);
  std::vector<ValueId> read;
  for (size_t i = 0; i < isRead.size(); ++i)
    if (isRead[i])
      read.emplace_back(i);
  return read;
}

/// The slots of `runs`, one by one.
std::vector<SlotRun> eachSlot(std::span<const SlotRun> runs) {
  std::vector<SlotRun> slots;
  for (const SlotRun &run : runs)
    for (uint32_t i = 0; i < run.count; ++i)
      slots.push_back({1, run.source + i * run.sourceStep, 0,
                       run.atBytes + i * run.atStep, 0});
  return slots;
}

/// A shard of a tensor that another file holds, too.
struct Copy {
  ValueId source;
  uint32_t first, shard;
  SlotRun firstSlot, slot;
  int64_t sizeBytes;
};

/// Finds the copies of shards that lie elsewhere than the first of them:
/// several ranks may share one file.
Expected<std::vector<Copy>> findCopies(const Program &program, ValueId source,
                                       SourceTable &sources,
                                       ReplicaChooser &chooser) {
  std::vector<Copy> copies;
  if (!chooser.hasCopies(source))
    return copies;
  Expected<std::span<const SlotRun>> places = sources.placesOf(source);
  if (!places)
    return failWith(std::move(places));
  const std::vector<SlotRun> slots = eachSlot(*places);
  const Tensor &tensor = program.sourceTensor(source);
  for (uint32_t shard = 0; shard < slots.size(); ++shard) {
    uint32_t first = chooser.firstOf(source, shard);
    if (tensor.shards[shard].isEmpty() || slots[shard] == slots[first])
      continue;
    auto size = checkedSizeBytes(tensor.dtype, tensor.shards[shard].localShape);
    copies.push_back(
        {source, first, shard, slots[first], slots[shard], size.value_or(0)});
  }
  return copies;
}

} // namespace

Expected<ReplicaComparisons>
aoa::compareReplicas(const Program &program, CheckReplicas check,
                     int64_t bytesRead, SourceTable &sources,
                     RegionGeometries &geometries) {
  ReplicaComparisons made;
  if (program.source->storages.empty())
    return made;
  // There may be far too many to compare, so they are kept within the budget
  // only, and counted.
  std::vector<Copy> copies;
  int64_t bytesLeft = check == CheckReplicas::Yes    ? INT64_MAX
                      : check == CheckReplicas::Auto ? bytesRead / 10
                                                     : -1;
  for (ValueId source : readTensors(program)) {
    Expected<std::vector<Copy>> found =
        findCopies(program, source, sources, geometries.chooser());
    if (!found)
      return failWith(std::move(found));
    made.numNotCompared += !found->empty();
    for (const Copy &copy : *found) {
      if (bytesLeft < 0)
        break;
      // Both sides are read.
      bytesLeft =
          copy.sizeBytes > bytesLeft / 2 ? -1 : bytesLeft - 2 * copy.sizeBytes;
      copies.push_back(copy);
    }
  }
  if (bytesLeft < 0)
    return made;
  made.numNotCompared = 0;
  for (const Copy &copy : copies) {
    const Tensor &tensor = program.sourceTensor(copy.source);
    const Shard &shard = tensor.shards[copy.shard];
    TargetRegion region;
    region.tensor = tensor.name;
    region.dtype = tensor.dtype;
    region.shape = shard.localShape;
    region.sizeBytes = copy.sizeBytes;
    region.regionClass = geometries.classOfCopy(tensor.dtype, shard.localShape);
    Comparison comparison{ranksOf(tensor.shards[copy.first]) + " and " +
                              ranksOf(shard) + " store the same part",
                          region, region, /*areCopies=*/true};
    comparison.left.slots = {copy.firstSlot};
    comparison.right.slots = {copy.slot};
    made.comparisons.push_back(std::move(comparison));
  }
  return made;
}
