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

/// Two shards of a tensor that hold the same elements.
struct Copies {
  ValueId source;
  uint32_t first, copy;
};

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

} // namespace

Expected<std::vector<Comparison>>
aoa::compareReplicas(const Program &program, CheckReplicas check,
                     int64_t bytesRead, SourceTable &sources,
                     RegionGeometries &geometries) {
  std::vector<Comparison> comparisons;
  if (check == CheckReplicas::No || program.source->storages.empty())
    return comparisons;
  // What is found may be far too much to compare, so bytes are counted first.
  std::vector<Copies> copies;
  uint64_t bytesAdded = 0;
  for (ValueId source : readTensors(program)) {
    if (!geometries.chooser().hasCopies(source))
      continue;
    const Tensor &tensor = program.sourceTensor(source);
    for (uint32_t shard = 0; shard < tensor.shards.size(); ++shard) {
      uint32_t first = geometries.chooser().firstOf(source, shard);
      if (first == shard || tensor.shards[shard].isEmpty())
        continue;
      auto size =
          checkedSizeBytes(tensor.dtype, tensor.shards[shard].localShape);
      bytesAdded += 2 * static_cast<uint64_t>(size.value_or(INT64_MAX / 4));
      if (check == CheckReplicas::Auto &&
          bytesAdded > static_cast<uint64_t>(bytesRead) / 10)
        return comparisons;
      copies.push_back({source, first, shard});
    }
  }
  for (const Copies &each : copies) {
    const Tensor &tensor = program.sourceTensor(each.source);
    const Shard &shard = tensor.shards[each.copy];
    Expected<std::span<const SlotRun>> places = sources.placesOf(each.source);
    if (!places)
      return failWith(std::move(places));
    TargetRegion region;
    region.tensor = tensor.name;
    region.dtype = tensor.dtype;
    region.shape = shard.localShape;
    region.sizeBytes = *checkedSizeBytes(tensor.dtype, shard.localShape);
    region.regionClass = geometries.classOfCopy(tensor.dtype, shard.localShape);
    Comparison comparison{ranksOf(tensor.shards[each.first]) + " and " +
                              ranksOf(shard) + " store the same part",
                          region, region};
    appendSlots(comparison.left.slots, *places, each.first, 1);
    appendSlots(comparison.right.slots, *places, each.copy, 1);
    // Several ranks may share one file.
    if (comparison.left.slots != comparison.right.slots)
      comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}
