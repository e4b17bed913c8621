//===- BuildPlan.cpp - From pieces to a transfer plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Planner/BuildPlan.h"

#include "ChooseReplicas.h"
#include "FileNames.h"
#include "SourceTable.h"
#include "TargetFiles.h"
#include "aoa/Plan/PlanFile.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/ExactValue.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace aoa;
using namespace aoa::ir;

namespace {

class PlanBuilder {
public:
  PlanBuilder(const Program &program, const BuildPlanOptions &options)
      : program(program), options(options), sources(program),
        replicas(program) {}

  Expected<TransferPlan> build(const Target &target);

private:
  Expected<void> checkAllFilled() const;
  Expected<TargetFile> buildFile(PlannedFile &planned);
  Expected<TargetRegion> buildRegion(const Result &result,
                                     const TargetShard &shard, uint32_t rank);
  Expected<Transfer> buildTransfer(const StoragePiece &piece, uint32_t rank);
  Expected<std::string> padding(const Result &result,
                                const TargetShard &shard) const;
  uint32_t castChain(const StoragePiece &piece);

  const Program &program;
  const BuildPlanOptions &options;
  TransferPlan plan;
  SourceTable sources;
  ReplicaChooser replicas;
  std::map<std::vector<DType>, uint32_t> castChains;
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
  region.transfers.reserve(shard.pieces.size());
  for (const StoragePiece &piece : shard.pieces) {
    Expected<Transfer> transfer = buildTransfer(piece, rank);
    if (!transfer)
      return failWith(std::move(transfer), "reading `" + result.name + "`");
    region.transfers.push_back(std::move(*transfer));
  }
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

Expected<Transfer> PlanBuilder::buildTransfer(const StoragePiece &piece,
                                              uint32_t rank) {
  uint32_t shard = replicas.choose(piece.source, piece.sourceShard, rank);
  Expected<SourceTable::Place> place = sources.find(piece.source, shard);
  if (!place)
    return failWith(std::move(place));

  affine::Piece folded = affine::foldDims(piece.piece);
  DType from = program.value(piece.source).dtype;
  // Parts of bytes are only moved as whole tensors: their offset is 0.
  std::optional<int64_t> offsetBytes =
      hasWholeBytes(from) ? checkedMul(folded.src.offset, bytesPerElement(from))
                          : std::optional<int64_t>(0);
  std::optional<int64_t> at =
      offsetBytes ? checkedAdd(place->atBytes, *offsetBytes) : std::nullopt;
  if (!at)
    return fail(ErrorKind::Limit, "an offset in the source does not fit in 63 "
                                  "bits");
  Transfer transfer;
  transfer.source = place->source;
  transfer.castChain = castChain(piece);
  transfer.srcAtBytes = *at;
  transfer.dstOffset = folded.dst.offset;
  for (size_t i = 0; i < folded.shape.size(); ++i)
    transfer.dims.push_back(
        {folded.shape[i], folded.src.strides[i], folded.dst.strides[i]});
  return transfer;
}

uint32_t PlanBuilder::castChain(const StoragePiece &piece) {
  std::vector<DType> chain;
  if (piece.casts.isNone())
    chain = {program.value(piece.source).dtype};
  else
    chain = program.castChains[piece.casts.index()];
  auto [entry, isNew] = castChains.try_emplace(chain, plan.castChains.size());
  if (isNew)
    plan.castChains.push_back(std::move(chain));
  return entry->second;
}

} // namespace

Expected<TransferPlan> aoa::buildPlan(const Program &program,
                                      const Target &target,
                                      const BuildPlanOptions &options) {
  return PlanBuilder(program, options).build(target);
}
