//===- Tiles.cpp - Output files cut into pieces of work ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "Tiles.h"

#include "ReadShape.h"
#include "RestrictTransfer.h"

#include <algorithm>

namespace aoa {

TransferIndex::TransferIndex(const RegionClass &regionClass, DType dtype) {
  const int64_t bits = bitsOf(dtype);
  entries.reserve(regionClass.transfers.size());
  for (uint32_t i = 0; i < regionClass.transfers.size(); ++i) {
    const ClassTransfer &transfer = regionClass.transfers[i];
    int64_t last = transfer.dstOffset;
    for (const TransferDim &dim : regionClass.forms[transfer.form].dims)
      last += (dim.extent - 1) * dim.dstStride;
    entries.push_back(
        {transfer.dstOffset * bits / 8, (last + 1) * bits / 8, 0, i});
  }
  std::ranges::sort(entries, [](const Entry &a, const Entry &b) {
    return std::pair(a.begin, a.transfer) < std::pair(b.begin, b.transfer);
  });
  buildMaxEnds(0, entries.size());
}

int64_t TransferIndex::buildMaxEnds(size_t low, size_t high) {
  if (low == high)
    return 0;
  const size_t middle = low + (high - low) / 2;
  return entries[middle].maxEnd =
             std::max({entries[middle].end, buildMaxEnds(low, middle),
                       buildMaxEnds(middle + 1, high)});
}

namespace {

/// Rounds a tile down to whole rows, or whole blocks of rows, that fit it.
int64_t roundToRows(const TargetRegion &region, int64_t bytes) {
  if (!hasWholeBytes(region.dtype) || region.sizeBytes == 0)
    return bytes;
  int64_t unit = bytesPerElement(region.dtype);
  for (size_t i = region.shape.size(); i-- > 0;) {
    if (region.shape[i] > bytes / unit)
      break;
    unit *= region.shape[i];
  }
  return bytes / unit * unit;
}

/// How often a transfer writes each element it reads.
double repetitions(const ByteTransfer &transfer) {
  double count = 1;
  for (const ByteDim &dim : transfer.dims.all())
    if (dim.srcStride == 0)
      count *= static_cast<double>(dim.extent);
  return count;
}

/// What reading costs for tiles of `tileBytes`, in bytes read for each byte
/// needed, estimated in the middle of some of the transfers. What is repeated
/// is needed once, but an eighth of what is written costs nothing to speak of.
double readCost(const TransferPlan &plan, const std::vector<CastSteps> &casts,
                const TargetRegion &region, int64_t tileBytes) {
  constexpr size_t maxSamples = 8;
  const RegionTransfers transfers(plan, region);
  const size_t step = std::max<size_t>(1, transfers.size() / maxSamples);
  double read = 0, needed = 0;
  for (size_t i = 0; i < transfers.size(); i += step) {
    const Transfer transfer = transfers[i];
    if (!plan.sources[transfer.source].inlined.empty())
      continue;
    const CastSteps &cast = casts[transfer.ops];
    const ByteTransfer bytes(transfer, cast, bitsOf(region.dtype));
    const double once = 1 / std::min(repetitions(bytes), 8.0);
    const int64_t middle = bytes.dstAt + (bytes.dstEnd() - bytes.dstAt) / 2;
    const int64_t begin = middle / tileBytes * tileBytes;
    const int64_t end = std::min(begin + tileBytes, region.sizeBytes);
    restrictTransfer(bytes, begin, end, [&](const TransferPart &part) {
      BlockDims dims = bytes.dims;
      double count = 1;
      for (size_t d = 0; d < dims.size(); ++d) {
        if (d < part.firstDim)
          dims[d].extent = 1;
        if (d == part.firstDim)
          dims[d].extent = part.extent;
        count *= static_cast<double>(dims[d].extent);
      }
      const ReadShape shape(dims.all(), cast.srcBytes);
      read += static_cast<double>(shape.numSpans) *
              static_cast<double>(shape.spanBytes + readCallBytes);
      needed += count * static_cast<double>(cast.srcBytes) * once;
    });
  }
  return needed > 0 ? read / needed : 1;
}

} // namespace

int64_t chooseTileBytes(const TransferPlan &plan,
                        const std::vector<CastSteps> &casts,
                        const TargetRegion &region, const TileLimits &limits) {
  // Good enough: at most half as much again as must be read.
  constexpr double goodCost = 1.5;
  int64_t best = roundToRows(region, limits.normalBytes);
  if (region.sizeBytes <= best || !hasWholeBytes(region.dtype))
    return best;
  double bestCost = readCost(plan, casts, region, best);
  for (int64_t bytes = limits.normalBytes; bestCost > goodCost &&
                                           bytes < limits.maxBytes &&
                                           bytes < region.sizeBytes;) {
    bytes = bytes > limits.maxBytes / 2 ? limits.maxBytes : bytes * 2;
    const int64_t tile = roundToRows(region, bytes);
    const double cost = readCost(plan, casts, region, tile);
    if (cost < bestCost * 0.9) {
      best = tile;
      bestCost = cost;
    }
  }
  return best;
}

FileTiles cutIntoTiles(const TransferPlan &plan,
                       const std::vector<CastSteps> &casts,
                       const TargetFile &file, const TileLimits &limits) {
  FileTiles result;
  result.transfers.reserve(file.regions.size());
  for (const TargetRegion &region : file.regions) {
    result.transfers.emplace_back(plan, region);
    if (!result.indexes.contains(region.regionClass))
      result.indexes.try_emplace(
          region.regionClass, plan.classes[region.regionClass], region.dtype);
  }

  int64_t begin = static_cast<int64_t>(file.prefix.size());
  uint32_t first = 0;
  const auto closeTile = [&](int64_t end, uint32_t next) {
    if (end > begin)
      result.tiles.push_back({begin, end, first, next});
    begin = end;
    first = next;
  };
  for (uint32_t i = 0; i < file.regions.size(); ++i) {
    const TargetRegion &region = file.regions[i];
    const int64_t end = region.atBytes + region.sizeBytes;
    if (end - begin <= limits.normalBytes)
      continue;
    closeTile(region.atBytes, i);
    const int64_t bytes = chooseTileBytes(plan, casts, region, limits);
    if (region.sizeBytes <= bytes)
      continue;
    while (begin < end) {
      closeTile(std::min(begin + bytes, end), i + 1);
      first = i;
    }
    first = i + 1;
  }
  closeTile(file.bytes, static_cast<uint32_t>(file.regions.size()));
  return result;
}

int64_t largestTileBytes(const TransferPlan &plan,
                         const std::vector<CastSteps> &casts,
                         const TileLimits &limits) {
  int64_t largest = 0;
  for (const TargetFile &file : plan.targets) {
    int64_t together = 0;
    for (const TargetRegion &region : file.regions) {
      together = std::min(limits.normalBytes, together + region.sizeBytes);
      if (region.sizeBytes > limits.normalBytes)
        largest = std::max(
            largest, std::min(region.sizeBytes,
                              chooseTileBytes(plan, casts, region, limits)));
    }
    largest = std::max(largest, together);
  }
  return largest;
}

} // namespace aoa
