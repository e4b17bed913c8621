//===- Places.cpp - The bytes of traced elements --------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Trace/Places.h"

#include "ElementList.h"
#include "FindInRegion.h"
#include "PlanRegions.h"
#include "aoa/Affine/Compose.h"
#include "aoa/Planner/ShardFiles.h"
#include "aoa/Primitives/Primitives.h"
#include "aoa/Support/FormatShape.h"
#include "aoa/Transforms/ShardPieces.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace aoa;
using namespace aoa::affine;
using namespace aoa::ir;
using namespace aoa::trace;

namespace {

/// An element in a shard of its tensor.
struct ShardElement {
  uint32_t shard;
  int64_t local;
};

/// The search for one result.
class ResultPlaces {
public:
  ResultPlaces(const Program &program, const Target &target,
               const TransferPlan &plan, const PlanRegions &regions,
               uint32_t resultNumber, llvm::ArrayRef<Way> ways,
               size_t &placesLeft)
      : program(program), target(target), plan(plan), regions(regions),
        resultNumber(resultNumber), result(program.results[resultNumber]),
        ways(ways), places(ways.size()), placesLeft(placesLeft),
        holders(ways.size()) {}

  Expected<std::vector<std::vector<WrittenPlace>>> find();

private:
  void findHolders();
  Expected<void> findInFile(const ShardFile &file,
                            std::vector<NumberedElement> elements);
  Expected<PlannedRegion> regionOf(const ShardFile &file) const;
  Expected<void> setSource(WrittenPlace &place, size_t number,
                           const ReadElement &read) const;
  Expected<void> checkOps(const WrittenPlace &place, const Way &way) const;
  Expected<void> checkConstant(const Way &way, const ReadElement &read) const;

  const Program &program;
  const Target &target;
  const TransferPlan &plan;
  const PlanRegions &regions;
  uint32_t resultNumber;
  const Result &result;
  llvm::ArrayRef<Way> ways;
  std::vector<std::vector<WrittenPlace>> places;
  size_t &placesLeft;
  /// Of each way: the shards of its source tensor that hold the element.
  std::vector<std::vector<ShardElement>> holders;
};

/// Finds elements in shards: visit(number, shard, element of the shard).
void forEachHolder(const ShardList &shards, llvm::ArrayRef<int64_t> shape,
                   std::vector<NumberedElement> elements,
                   llvm::function_ref<void(int64_t, uint32_t, int64_t)> visit) {
  PieceSet held =
      *compose(shardPieces(shards, shape), asPieces(elements),
               [](PieceSet::Tag shard, PieceSet::Tag) { return shard; });
  for (size_t i = 0; i < held.size(); ++i) {
    PieceRef piece = held[i];
    forEachElement(piece, [&](int64_t local, int64_t number) {
      visit(number, piece.tag, local);
    });
  }
}

Expected<std::vector<std::vector<WrittenPlace>>> ResultPlaces::find() {
  findHolders();
  std::vector<NumberedElement> elements;
  for (auto [number, way] : llvm::enumerate(ways))
    elements.push_back({static_cast<int64_t>(number), way.address});
  std::map<uint32_t, std::vector<NumberedElement>> byShard;
  forEachHolder(result.shards, program.value(result.value).shape,
                std::move(elements),
                [&](int64_t number, uint32_t shard, int64_t local) {
                  byShard[shard].push_back({number, local});
                });
  for (const ShardFile &file : filesOfShards(program, target, resultNumber))
    if (auto held = byShard.find(file.shard); held != byShard.end())
      if (Expected<void> found = findInFile(file, held->second); !found)
        return failWith(std::move(found));
  for (std::vector<WrittenPlace> &each : places)
    llvm::sort(each, [](const WrittenPlace &a, const WrittenPlace &b) {
      return a.at < b.at;
    });
  return std::move(places);
}

void ResultPlaces::findHolders() {
  std::map<ValueId, std::vector<NumberedElement>> bySource;
  for (auto [number, way] : llvm::enumerate(ways))
    if (program.definition(way.end).kind == OpKind::Source)
      bySource[way.end].push_back(
          {static_cast<int64_t>(number), way.endAddress});
  for (auto &[source, elements] : bySource) {
    StoredValue stored = program.storedValue(source);
    forEachHolder(shardsOf(stored), stored.shape, std::move(elements),
                  [&](int64_t number, uint32_t shard, int64_t local) {
                    holders[number].push_back({shard, local});
                  });
  }
}

Expected<PlannedRegion> ResultPlaces::regionOf(const ShardFile &file) const {
  std::optional<PlannedRegion> found = regions.find(result.name, file.file);
  if (!found)
    return fail(ErrorKind::Mismatch,
                "the plan does not write `" + result.name + "` to " +
                    (file.file.empty() ? "any file" : "`" + file.file + "`") +
                    ", as its script and source say; was the source changed "
                    "since?");
  const TargetRegion &region = *found->region;
  const Shape &shape = result.shards[file.shard].localShape;
  if (region.shape == shape &&
      region.dtype == program.value(result.value).dtype)
    return *found;
  return fail(ErrorKind::Mismatch,
              "the plan writes `" + result.name + "` " +
                  formatShape(region.shape) + " to `" + found->file->file +
                  "`, its script and source say " + formatShape(shape) +
                  "; was the source changed since?");
}

Expected<void> ResultPlaces::findInFile(const ShardFile &file,
                                        std::vector<NumberedElement> elements) {
  Expected<PlannedRegion> planned = regionOf(file);
  if (!planned)
    return failWith(std::move(planned));
  const TargetRegion &region = *planned->region;
  llvm::sort(elements, [](const NumberedElement &a, const NumberedElement &b) {
    return std::tie(a.address, a.number) < std::tie(b.address, b.number);
  });
  if (elements.size() > placesLeft)
    return fail(ErrorKind::Limit,
                "the elements are written to too many places, more than " +
                    std::to_string(maxPlaces) + " up to those of `" +
                    result.name +
                    "`; trace fewer of them, or one target tensor at a time");
  placesLeft -= elements.size();
  std::vector<int64_t> offsets;
  for (const NumberedElement &element : elements)
    offsets.push_back(element.address);
  auto found = findInRegion(plan, region, offsets);
  if (!found)
    return failWith(std::move(found));
  for (auto [element, read] : llvm::zip(elements, *found)) {
    WrittenPlace place;
    place.at = {file.rank, planned->file->file,
                region.atBytes + element.address * bitsOf(region.dtype) / 8};
    place.ops = plan.elementOps[read.ops];
    place.scale = result.shards[file.shard].scale;
    if (Expected<void> set = setSource(place, element.number, read); !set)
      return set;
    if (Expected<void> same = checkOps(place, ways[element.number]); !same)
      return same;
    places[element.number].push_back(std::move(place));
  }
  return {};
}

/// Whether a run computes what the script and the layouts say.
Expected<void> ResultPlaces::checkOps(const WrittenPlace &place,
                                      const Way &way) const {
  ElementOps chain; // As lowering makes it: the script's own steps first.
  chain.from = program.value(way.end).dtype;
  for (const Hop &hop : llvm::reverse(way.hops)) {
    const Op &op = program.op(hop.op);
    if (op.kind == OpKind::Cast)
      chain.cast(op.dtype);
    else if (op.kind == OpKind::Scale)
      chain.scale(op.number);
    else if (op.kind == OpKind::Plus)
      chain.plus(op.number);
  }
  ElementOps expected;
  expected.from = chain.from;
  expected.divide(place.sourceScale);
  expected.append(chain);
  expected.multiply(place.scale);
  if (place.ops == expected)
    return {};
  return fail(ErrorKind::Mismatch,
              "the plan makes `" + result.name + "` by " + format(place.ops) +
                  ", its script and layouts say " + format(expected));
}

Expected<void> ResultPlaces::checkConstant(const Way &way,
                                           const ReadElement &read) const {
  const PlanSource &source = plan.sources[read.source];
  const Value &value = program.value(way.end);
  auto bytes =
      primitives::encodeNumber(program.definition(way.end).value, value.dtype);
  if (bytes && !source.inlined.empty() &&
      source.inlined.compare(read.byte, bytes->size(), *bytes) == 0)
    return {};
  return fail(
      ErrorKind::Mismatch,
      "the plan does not write the constant that its script says for "
      "element " +
          formatShape(indexOf(way.address, program.value(result.value).shape)) +
          " of `" + result.name + "`");
}

/// Sets where the plan reads the element, if that is where the way leads.
Expected<void> ResultPlaces::setSource(WrittenPlace &written, size_t number,
                                       const ReadElement &read) const {
  const Way &way = ways[number];
  const Op &end = program.definition(way.end);
  if (end.kind != OpKind::Source)
    return checkConstant(way, read);
  const Tensor &tensor = program.sourceTensor(way.end);
  const PlanSource &source = plan.sources[read.source];
  for (const ShardElement &held : holders[number]) {
    ShardPlace stored = tensor.placeOf(held.shard);
    // Names and shapes alone: the files are the plan's own imagination.
    bool isNameless = stored.storage.isNone() && source.file.empty() &&
                      source.inlined.empty();
    if (!isNameless &&
        (stored.storage.isNone() || source.file.empty() ||
         program.source->storages[stored.storage.index()].file != source.file ||
         stored.atBytes + held.local * bitsOf(tensor.dtype) / 8 != read.byte))
      continue;
    written.source = {0, source.file, read.byte};
    if (tensor.shards.empty())
      return {};
    const Shard &shard = tensor.shards[held.shard];
    written.sourceScale = shard.scale;
    if (!shard.ranks.empty())
      written.source->rank = shard.ranks.front();
    return {};
  }
  return fail(ErrorKind::Mismatch,
              "the plan reads byte " + std::to_string(read.byte) + " of `" +
                  source.file + "` where its script takes element " +
                  formatShape(indexOf(way.endAddress, tensor.shape)) + " of `" +
                  tensor.name +
                  "`, which lies elsewhere; was the source changed since?");
}

} // namespace

PlaceFinder::PlaceFinder(const Program &program, const Target &target,
                         const TransferPlan &plan,
                         llvm::ArrayRef<uint32_t> results)
    : program(program), target(target), plan(plan) {
  std::vector<std::string_view> tensors;
  for (uint32_t result : results)
    tensors.push_back(program.results[result].name);
  regions = std::make_unique<const PlanRegions>(plan, tensors);
}

PlaceFinder::~PlaceFinder() = default;

Expected<std::vector<std::vector<WrittenPlace>>>
PlaceFinder::find(uint32_t result, llvm::ArrayRef<Way> ways) {
  return ResultPlaces(program, target, plan, *regions, result, ways, placesLeft)
      .find();
}
