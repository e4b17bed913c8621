//===- RunComparisons.cpp - Tensors that must be equal ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "RunComparisons.h"

#include "FormatElement.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/FormatShape.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace aoa {

namespace {

/// How the memory of a run is used for comparing: two buffers a thread.
struct CompareSetup {
  unsigned numThreads;
  TileBuffers::Shares shares;
  TileLimits limits;
  std::vector<int64_t> stepBytes; ///< Of each comparison.

  CompareSetup(const TransferPlan &plan, const RunSetup &setup,
               const RunOptions &options)
      : numThreads(static_cast<unsigned>(std::clamp<int64_t>(
            options.memoryBytes / (2 * TileBuffers::minBytes), 1,
            setup.numThreads))),
        shares(options.memoryBytes / (2 * int64_t(numThreads))),
        limits(chooseLimits(shares, options)) {
    int64_t largest = 0;
    for (const Comparison &comparison : plan.comparisons) {
      stepBytes.push_back(chooseStep(plan, setup.casts, comparison));
      largest = std::max(largest,
                         std::min(stepBytes.back(), comparison.left.sizeBytes));
    }
    shares.tileBytes = ceilDiv(largest, 64) * 64;
  }

  int64_t memory() const { return 2 * numThreads * shares.total(); }

private:
  /// The larger of what suits either side; whole elements.
  int64_t chooseStep(const TransferPlan &plan,
                     const std::vector<CastSteps> &casts,
                     const Comparison &comparison) const {
    const int64_t step =
        std::max(chooseTileBytes(plan, casts, comparison.left, limits),
                 chooseTileBytes(plan, casts, comparison.right, limits));
    // Four elements of six bits are three bytes.
    return hasWholeBytes(comparison.left.dtype) ? step : step / 3 * 3;
  }
};

class Comparer {
public:
  Comparer(const TransferPlan &plan, const RunSetup &setup,
           const CompareSetup &compare, Workers &workers);

  /// What one thread does: parts of comparisons one after another.
  Expected<void> work();
  /// Fails with what differs first.
  Expected<void> result() const;

  std::atomic<int64_t> bytesRead = 0;

private:
  struct Part {
    uint32_t comparison;
    int64_t begin, end; ///< Bytes of either region.
  };
  struct Found {
    size_t part;
    std::string text;
  };

  bool isLive(size_t part) const {
    return part < parts.size() && part < firstDiffering;
  }
  const TransferIndex &indexOf(const TargetRegion &region) const {
    return indexes.at(region.regionClass);
  }
  Expected<void> comparePart(size_t number, TileReader &ours,
                             TileReader &theirs, const std::byte *left,
                             const std::byte *right);
  void keep(size_t part, std::string text);
  std::string describe(const Part &part, const std::byte *left,
                       const std::byte *right) const;
  std::string placeOf(const TargetRegion &region, int64_t begin,
                      int64_t end) const;

  const TransferPlan &plan;
  const RunSetup &setup;
  const CompareSetup &compare;
  Workers &workers;
  SourceFiles sources;
  std::unordered_map<uint32_t, TransferIndex> indexes; ///< By class.
  std::vector<Part> parts;
  std::atomic<size_t> nextPart = 0;
  std::atomic<size_t> firstDiffering = SIZE_MAX;
  std::mutex mutex;
  std::optional<Found> found; ///< Of the first part that differs.
};

Comparer::Comparer(const TransferPlan &plan, const RunSetup &setup,
                   const CompareSetup &compare, Workers &workers)
    : plan(plan), setup(setup), compare(compare), workers(workers),
      sources(plan, setup.sourceRoot, compare.numThreads) {
  for (uint32_t i = 0; i < plan.comparisons.size(); ++i) {
    const Comparison &comparison = plan.comparisons[i];
    for (const TargetRegion *side : {&comparison.left, &comparison.right})
      if (!indexes.contains(side->regionClass))
        indexes.try_emplace(side->regionClass, plan.classes[side->regionClass],
                            side->dtype);
    const int64_t bytes = comparison.left.sizeBytes;
    for (int64_t at = 0; at < bytes;) {
      const int64_t step = std::min(compare.stepBytes[i], bytes - at);
      parts.push_back({i, at, at + step});
      at += step;
    }
  }
}

Expected<void> Comparer::work() {
  Expected<TileBuffers> ours = TileBuffers::allocate(compare.shares);
  if (!ours)
    return failWith(std::move(ours));
  Expected<TileBuffers> theirs = TileBuffers::allocate(compare.shares);
  if (!theirs)
    return failWith(std::move(theirs));
  TileReader left(setup.casts, sources, *ours);
  TileReader right(setup.casts, sources, *theirs);
  // Parts are begun in order: when one differs, those before it are finished
  // and those behind it do not matter.
  for (size_t i; isLive(i = nextPart++);) {
    if (Expected<void> go = workers.checkStop(); !go)
      return go;
    if (Expected<void> done =
            comparePart(i, left, right, ours->tile(), theirs->tile());
        !done)
      return done;
  }
  bytesRead += left.bytesRead() + right.bytesRead();
  return {};
}

Expected<void> Comparer::comparePart(size_t number, TileReader &ours,
                                     TileReader &theirs, const std::byte *left,
                                     const std::byte *right) {
  const Part &part = parts[number];
  const Comparison &comparison = plan.comparisons[part.comparison];
  for (auto [region, reader] : {std::pair(&comparison.left, &ours),
                                std::pair(&comparison.right, &theirs)})
    if (Expected<void> done =
            reader->fillPart(*region, RegionTransfers(plan, *region),
                             indexOf(*region), part.begin, part.end);
        !done)
      return failWith(std::move(done), "comparing, " + comparison.reason);
  const int64_t bytes = part.end - part.begin;
  if (std::memcmp(left, right, static_cast<size_t>(bytes)) != 0)
    keep(number, describe(part, left, right));
  workers.addProgress(bytes);
  return {};
}

void Comparer::keep(size_t part, std::string text) {
  const std::lock_guard lock(mutex);
  if (found && found->part < part)
    return;
  found = {part, std::move(text)};
  firstDiffering = part;
}

std::string Comparer::describe(const Part &part, const std::byte *left,
                               const std::byte *right) const {
  const Comparison &comparison = plan.comparisons[part.comparison];
  const DType dtype = comparison.left.dtype;
  const int64_t bits = bitsOf(dtype);
  const int64_t byte =
      std::mismatch(left, left + (part.end - part.begin), right).first - left;
  // Parts begin at whole elements. Of a sub-byte dtype an element in front of
  // the one that differs may share its first byte.
  int64_t element = byte * 8 / bits;
  while (elementBits(dtype, left, element) ==
         elementBits(dtype, right, element))
    ++element;
  std::string ours = formatElement(dtype, left, element);
  std::string theirs = formatElement(dtype, right, element);
  if (ours == theirs) { // NaNs, say.
    ours = fmt::format("0x{:x}", elementBits(dtype, left, element));
    theirs = fmt::format("0x{:x}", elementBits(dtype, right, element));
  }
  const int64_t number = part.begin * 8 / bits + element;
  const int64_t begin = number * bits / 8;
  const int64_t end = ceilDiv((number + 1) * bits, 8);
  const std::string &leftName = comparison.left.tensor;
  const std::string &rightName = comparison.right.tensor;
  return fmt::format("{} differ at {}: {} in {}, {} in {}; {}",
                     leftName == rightName
                         ? "copies of `" + leftName + "`"
                         : "`" + leftName + "` and `" + rightName + "`",
                     formatShape(indexOfElement(comparison.left.shape, number)),
                     ours, placeOf(comparison.left, begin, end), theirs,
                     placeOf(comparison.right, begin, end), comparison.reason);
}

/// Returns which file bytes [begin, end) of a region come from.
std::string Comparer::placeOf(const TargetRegion &region, int64_t begin,
                              int64_t end) const {
  const RegionTransfers transfers(plan, region);
  std::string place = "the source";
  indexOf(region).forEachIn(begin, end, [&](uint32_t number) {
    const Transfer transfer = transfers[number];
    const ByteTransfer bytes(transfer, setup.casts[transfer.ops],
                             bitsOf(region.dtype));
    restrictTransfer(bytes, begin, end, [&](const TransferPart &) {
      const PlanSource &source = plan.sources[transfer.source];
      place =
          source.inlined.empty() ? "`" + source.file + "`" : "a filled element";
    });
  });
  return place;
}

Expected<void> Comparer::result() const {
  if (found)
    return fail(ErrorKind::Mismatch, found->text);
  return {};
}

} // namespace

int64_t memoryOfComparisons(const TransferPlan &plan, const RunSetup &setup,
                            const RunOptions &options) {
  if (plan.comparisons.empty())
    return 0;
  return CompareSetup(plan, setup, options).memory();
}

Expected<void> runComparisons(const TransferPlan &plan, const RunSetup &setup,
                              const RunOptions &options, Workers &workers,
                              RunReport &report) {
  if (plan.comparisons.empty())
    return {};
  const CompareSetup compare(plan, setup, options);
  Comparer comparer(plan, setup, compare, workers);
  if (Expected<void> done =
          workers.run(compare.numThreads, [&] { return comparer.work(); });
      !done)
    return done;
  report.bytesRead += comparer.bytesRead;
  return comparer.result();
}

} // namespace aoa
