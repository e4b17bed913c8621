//===- BuildPlan.cpp - From pieces to a transfer plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Planner/BuildPlan.h"

#include "ChooseReplicas.h"
#include "FileNames.h"
#include "RegionClasses.h"
#include "SourceTable.h"
#include "TargetFiles.h"
#include "aoa/Plan/PlanFile.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/ExactValue.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace aoa;
using namespace aoa::ir;

namespace {

class PlanBuilder {
public:
  PlanBuilder(const Program &program, const BuildPlanOptions &options)
      : program(program), options(options), sources(program), replicas(program),
        classes(plan) {}

  Expected<TransferPlan> build(const Target &target);

private:
  Expected<void> checkAllFilled() const;
  Expected<TargetFile> buildFile(PlannedFile &planned);
  Expected<TargetRegion> buildRegion(const Result &result,
                                     const TargetShard &shard, uint32_t rank);
  Expected<void> addTransfers(TargetRegion &region, const TargetShard &shard,
                              uint32_t rank);
  Expected<std::string> padding(const Result &result,
                                const TargetShard &shard) const;
  ElementOps elementOps(const StoragePiece &piece) const;

  const Program &program;
  const BuildPlanOptions &options;
  TransferPlan plan;
  SourceTable sources;
  ReplicaChooser replicas;
  RegionClasses classes;
};

Expected<TransferPlan> PlanBuilder::build(const Target &target) {
  if (Expected<void> filled = checkAllFilled(); !filled)
    return failWith(std::move(filled));
  Expected<PlannedFiles> files =
      planTargetFiles(program, target, options.maxShardBytes);
  if (!files)
    return failWith(std::move(files));

  plan.sourceRoot = program.source->root;
  plan.origin = options.origin;
  for (PlannedFile &planned : files->files) {
    Expected<TargetFile> file = buildFile(planned);
    if (!file)
      return failWith(std::move(file));
    plan.targets.push_back(std::move(*file));
  }
  sources.finish(plan);
  for (auto &[file, text] : files->indexes)
    plan.indexes.push_back({std::move(file), std::move(text)});
  for (const SideFile &side : options.sideFiles)
    plan.copies.push_back({side.file, side.bytes});

  if (Expected<void> apart = checkFileNames(plan); !apart)
    return failWith(std::move(apart));
  // What runs must pass this anyway; here a fault of ours shows before
  // anything is written.
  if (Expected<void> sound = verifyPlan(plan); !sound)
    return failWith(std::move(sound));
  return std::move(plan);
}

Expected<void> PlanBuilder::checkAllFilled() const {
  for (const Result &result : program.results)
    if (result.leftToCaller)
      return fail(ErrorKind::Unsupported,
                  "`" + result.name +
                      "` is left to the caller: a conversion to files cannot "
                      "write it");
  return {};
}

Expected<TargetFile> PlanBuilder::buildFile(PlannedFile &planned) {
  TargetFile file;
  file.file = std::move(planned.image.file);
  file.bytes = planned.image.bytes;
  file.prefix = std::move(planned.image.prefix);
  file.regions.reserve(planned.shards.size());
  for (auto [tensor, atBytes] :
       llvm::zip(planned.image.tensors, planned.image.atBytes)) {
    ShardRef ref = planned.shards[tensor];
    const Result &result = program.results[ref.result];
    Expected<TargetRegion> region =
        buildRegion(result, result.shards[ref.shard], planned.rank);
    if (!region)
      return failWith(std::move(region));
    region->atBytes = atBytes;
    file.regions.push_back(std::move(*region));
  }
  // Empty regions stand before the one that starts at the same byte.
  auto isBefore = [](const TargetRegion &a, const TargetRegion &b) {
    return std::tie(a.atBytes, a.sizeBytes, a.tensor) <
           std::tie(b.atBytes, b.sizeBytes, b.tensor);
  };
  if (!llvm::is_sorted(file.regions, isBefore))
    llvm::sort(file.regions, isBefore);
  return file;
}

Expected<TargetRegion> PlanBuilder::buildRegion(const Result &result,
                                                const TargetShard &shard,
                                                uint32_t rank) {
  TargetRegion region;
  region.tensor = result.name;
  region.dtype = program.value(result.value).dtype;
  region.shape.assign(shard.localShape.begin(), shard.localShape.end());
  std::optional<int64_t> size = checkedSizeBytes(region.dtype, region.shape);
  if (!size)
    return fail(ErrorKind::Limit,
                "the bytes of `" + result.name + "` do not fit in 63 bits");
  region.sizeBytes = *size;
  Expected<std::string> filler = padding(result, shard);
  if (!filler)
    return failWith(std::move(filler));
  region.padding = std::move(*filler);
  if (Expected<void> added = addTransfers(region, shard, rank); !added)
    return failWith(std::move(added), "reading `" + result.name + "`");
  return region;
}

Expected<std::string> PlanBuilder::padding(const Result &result,
                                           const TargetShard &shard) const {
  int64_t left = affine::wholeBox(shard.localShape).numElements();
  for (const Block &block : shard.blocks)
    left -= *checkedNumElements(block.shape);
  if (left == 0)
    return std::string();
  DType dtype = program.value(result.value).dtype;
  std::optional<std::string> bytes = encodeExactly(result.padValue, dtype);
  if (!bytes)
    return fail(ErrorKind::Unsupported,
                "the padding of `" + result.name + "`, " +
                    std::to_string(result.padValue) + ", is no value of " +
                    std::string(nameOf(dtype)));
  return *bytes;
}

/// Adds the class of `shard` and where its slots lie to `region`.
Expected<void> PlanBuilder::addTransfers(TargetRegion &region,
                                         const TargetShard &shard,
                                         uint32_t rank) {
  llvm::SmallDenseMap<std::pair<unsigned, uint32_t>, uint32_t, 4> slots;
  for (const StoragePiece &piece : shard.pieces) {
    uint32_t from = replicas.choose(piece.source, piece.sourceShard, rank);
    auto [slot, isNew] =
        slots.try_emplace({piece.source.index(), from}, slots.size());
    if (isNew) {
      Expected<SourceTable::Place> place = sources.find(piece.source, from);
      if (!place)
        return failWith(std::move(place));
      appendSlot(region.slots, place->source, place->atBytes);
    }
    classes.add(slot->second, classes.internOps(elementOps(piece)),
                affine::foldDims(piece.piece));
  }
  region.regionClass = classes.finish();
  return {};
}

/// A widening and the way back fall away here.
ElementOps PlanBuilder::elementOps(const StoragePiece &piece) const {
  ElementOps ops{program.value(piece.source).dtype, {}};
  if (!piece.casts.isNone())
    for (DType dtype :
         llvm::drop_begin(program.castChains[piece.casts.index()]))
      ops.cast(dtype);
  return ops;
}

} // namespace

Expected<TransferPlan> aoa::buildPlan(const Program &program,
                                      const Target &target,
                                      const BuildPlanOptions &options) {
  return PlanBuilder(program, options).build(target);
}
