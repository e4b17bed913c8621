//===- BuildPlan.cpp - From pieces to a transfer plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Planner/BuildPlan.h"

#include "CompareReplicas.h"
#include "ComparisonReasons.h"
#include "FileNames.h"
#include "RegionGeometries.h"
#include "SourceTable.h"
#include "TargetFiles.h"
#include "aoa/Plan/PlanFile.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/ExactValue.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace aoa;
using namespace aoa::ir;

namespace {

class PlanBuilder {
public:
  PlanBuilder(const Program &program, const BuildPlanOptions &options)
      : program(program), options(options), sources(program),
        geometries(program, plan) {}

  Expected<TransferPlan> build(const Target &target);

private:
  Expected<void> checkAllFilled() const;
  Expected<TargetFile> buildFile(PlannedFile &planned);
  Expected<TargetRegion> buildRegion(const Result &result, uint32_t shard,
                                     uint32_t rank);
  Expected<Comparison> buildComparison(const Result &left, const Result &right,
                                       const ComparisonReasons &reasons);
  Expected<void> addTransfers(TargetRegion &region, const Result &result,
                              uint32_t shard, uint32_t rank);
  Expected<std::string> padding(const Result &result, const Shard &shard) const;

  const Program &program;
  const BuildPlanOptions &options;
  TransferPlan plan;
  SourceTable sources;
  RegionGeometries geometries;
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
  ComparisonReasons reasons(program, options.placeOf);
  for (size_t i = 0; i < program.results.size(); ++i)
    if (program.results[i].isCompared) {
      Expected<Comparison> comparison =
          buildComparison(program.results[i], program.results[i + 1], reasons);
      if (!comparison)
        return failWith(std::move(comparison));
      plan.comparisons.push_back(std::move(*comparison));
      ++i;
    }
  auto copies = compareReplicas(program, options.checkReplicas,
                                plan.transferBytesRead(), sources, geometries);
  if (!copies)
    return failWith(std::move(copies));
  llvm::move(copies->comparisons, std::back_inserter(plan.comparisons));
  if (options.numNotCompared)
    *options.numNotCompared = copies->numNotCompared;
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
        buildRegion(result, ref.shard, planned.rank);
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

Expected<TargetRegion>
PlanBuilder::buildRegion(const Result &result, uint32_t number, uint32_t rank) {
  const Shard &shard = result.shards[number];
  TargetRegion region;
  region.tensor = result.name;
  region.dtype = program.value(result.value).dtype;
  region.shape = shard.localShape;
  std::optional<int64_t> size = checkedSizeBytes(region.dtype, region.shape);
  if (!size)
    return fail(ErrorKind::Limit,
                "the bytes of `" + result.name + "` do not fit in 63 bits");
  region.sizeBytes = *size;
  Expected<std::string> filler = padding(result, shard);
  if (!filler)
    return failWith(std::move(filler));
  region.padding = std::move(*filler);
  if (Expected<void> added = addTransfers(region, result, number, rank); !added)
    return failWith(std::move(added), "reading `" + result.name + "`");
  return region;
}

Expected<Comparison>
PlanBuilder::buildComparison(const Result &left, const Result &right,
                             const ComparisonReasons &reasons) {
  Comparison comparison{reasons.of(left, right), {}, {}};
  for (auto [result, region] : {std::pair(&left, &comparison.left),
                                std::pair(&right, &comparison.right)}) {
    Expected<TargetRegion> built = buildRegion(*result, 0, 0);
    if (!built)
      return failWith(std::move(built));
    *region = std::move(*built);
  }
  return comparison;
}

Expected<std::string> PlanBuilder::padding(const Result &result,
                                           const Shard &shard) const {
  int64_t left = *checkedNumElements(shard.localShape);
  for (const Block &block : shard.blocks)
    left -= *checkedNumElements(block.shape);
  for (const StridedBlock &block : shard.strided)
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

/// Adds the class of a shard and where its slots lie to `region`.
Expected<void> PlanBuilder::addTransfers(TargetRegion &region,
                                         const Result &result, uint32_t shard,
                                         uint32_t rank) {
  const RegionGeometry &geometry = geometries.of(result, shard, rank);
  region.regionClass = geometry.regionClass;
  for (const SlotRange &range : geometry.slots) {
    Expected<std::span<const SlotRun>> places =
        sources.placesOf(result.slots[range.source]);
    if (!places)
      return failWith(std::move(places));
    appendSlots(region.slots, *places, range.firstShard, range.count);
  }
  return {};
}

} // namespace

Expected<TransferPlan> aoa::buildPlan(const Program &program,
                                      const Target &target,
                                      const BuildPlanOptions &options) {
  return PlanBuilder(program, options).build(target);
}
