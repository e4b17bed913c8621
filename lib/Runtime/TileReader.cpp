//===- TileReader.cpp - A tile put together from the source -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "TileReader.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>

namespace aoa {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
constexpr int64_t maxStagingBytes = 4 << 20;
constexpr int64_t maxCastElements = 8192;
/// From here on a run is read straight to where it belongs.
constexpr int64_t minDirectBytes = 2048;
constexpr size_t maxDirectRuns = 256;
/// Bounds the memory of descriptions, not of data.
constexpr size_t maxPendingBlocks = 4096;
} // namespace

TileBuffers::Shares::Shares(int64_t bytes) {
  bytes = std::max(bytes, minBytes) / 64 * 64;
  castElements = std::min(bytes / 8 / 16, maxCastElements);
  stagingBytes = std::min(bytes / 4 / 64 * 64, maxStagingBytes);
  tileBytes = bytes - stagingBytes - 16 * castElements;
}

Expected<TileBuffers> TileBuffers::allocate(const Shares &shares) {
  TileBuffers buffers(shares);
  buffers.memory.reset(new (std::nothrow) std::byte[shares.total()]);
  if (!buffers.memory)
    return fail(
        ErrorKind::Limit,
        fmt::format("no memory for a buffer of {} bytes", shares.total()));
  return buffers;
}

CastScratch TileBuffers::castScratch() const {
  std::byte *start = staging() + shares.stagingBytes;
  return {{start, start + 8 * shares.castElements}, shares.castElements};
}

//===----------------------------------------------------------------------===//
// What a tile is made of
//===----------------------------------------------------------------------===//

TileReader::TileReader(const std::vector<CastSteps> &casts,
                       SourceFiles &sources, const TileBuffers &buffers)
    : casts(casts), sources(sources), buffers(buffers) {}

std::optional<WholeRun> TileReader::findWholeRun(const TargetFile &file,
                                                 const FileTiles &tiles,
                                                 const Tile &tile) const {
  if (tile.endRegion - tile.firstRegion != 1)
    return std::nullopt;
  const TargetRegion &region = file.regions[tile.firstRegion];
  if (!region.padding.empty())
    return std::nullopt;
  const int64_t begin = tile.begin - region.atBytes;
  const int64_t end = tile.end - region.atBytes;
  std::optional<WholeRun> run;
  bool more = false;
  const RegionTransfers &transfers = tiles.transfers[tile.firstRegion];
  tiles.indexOf(region).forEachIn(begin, end, [&](uint32_t number) {
    more |= run.has_value();
    if (more)
      return;
    const Transfer transfer = transfers[number];
    const CastSteps &cast = casts[transfer.ops];
    const ByteTransfer bytes(transfer, cast, bitsOf(region.dtype));
    const bool isRun =
        cast.steps.empty() &&
        (bytes.dims.size() == 0 ||
         (bytes.dims.size() == 1 && bytes.dims[0].srcStride == cast.srcBytes &&
          bytes.dims[0].dstStride == cast.dstBytes));
    if (!isRun || bytes.dstAt > begin || bytes.dstEnd() < end ||
        !sources.inlined(transfer.source).empty())
      more = true;
    else
      run = WholeRun{transfer.source, bytes.srcAt + (begin - bytes.dstAt)};
  });
  return more ? std::nullopt : run;
}

namespace {
void fillPadding(std::byte *to, int64_t bytes, std::string_view element) {
  if (element.find_first_not_of(element[0]) == element.npos) {
    std::memset(to, element[0], static_cast<size_t>(bytes));
    return;
  }
  for (int64_t at = 0; at < bytes; at += int64_t(element.size()))
    std::memcpy(to + at, element.data(), element.size());
}
} // namespace

Expected<void> TileReader::fill(const TargetFile &file, const FileTiles &tiles,
                                const Tile &tile) {
  for (uint32_t i = tile.firstRegion; i < tile.endRegion; ++i) {
    const TargetRegion &region = file.regions[i];
    const int64_t begin = std::max(tile.begin, region.atBytes);
    const int64_t end = std::min(tile.end, region.atBytes + region.sizeBytes);
    if (Expected<void> done =
            addPart(region, tiles.transfers[i], tiles.indexOf(region),
                    begin - region.atBytes, end - region.atBytes,
                    buffers.tile() + (begin - tile.begin));
        !done)
      return done;
  }
  return readPending();
}

Expected<void> TileReader::fillPart(const TargetRegion &region,
                                    const RegionTransfers &transfers,
                                    const TransferIndex &index, int64_t begin,
                                    int64_t end) {
  if (Expected<void> done =
          addPart(region, transfers, index, begin, end, buffers.tile());
      !done)
    return done;
  return readPending();
}

Expected<void> TileReader::addPart(const TargetRegion &region,
                                   const RegionTransfers &transfers,
                                   const TransferIndex &index, int64_t begin,
                                   int64_t end, std::byte *to) {
  if (!region.padding.empty())
    fillPadding(to, end - begin, region.padding);
  Expected<void> done;
  index.forEachIn(begin, end, [&](uint32_t number) {
    if (!done)
      return;
    collect(region, transfers[number], begin, end, to);
    if (pending.size() >= maxPendingBlocks)
      done = readPending();
  });
  return done;
}

void TileReader::collect(const TargetRegion &region, const Transfer &transfer,
                         int64_t begin, int64_t end, std::byte *to) {
  const ByteTransfer bytes(transfer, casts[transfer.ops], bitsOf(region.dtype));
  restrictTransfer(bytes, begin, end, [&](const TransferPart &part) {
    Block block{transfer.source,           transfer.ops,       part.srcAt,
                to + (part.dstAt - begin), pendingDims.size(), 0};
    for (size_t i = part.firstDim; i < bytes.dims.size(); ++i) {
      ByteDim dim = bytes.dims[i];
      if (i == part.firstDim)
        dim.extent = part.extent;
      if (dim.extent != 1)
        pendingDims.push_back(dim);
    }
    block.numDims = pendingDims.size() - block.firstDim;
    pending.push_back(block);
  });
}

Expected<void> TileReader::readPending() {
  std::ranges::sort(pending, [](const Block &a, const Block &b) {
    return std::pair(a.source, a.srcAt) < std::pair(b.source, b.srcAt);
  });
  for (const Block &block : pending) {
    const std::span<const ByteDim> dims = dimsOf(block);
    const CastSteps &cast = casts[block.ops];
    if (const std::string_view bytes = sources.inlined(block.source);
        !bytes.empty()) {
      move(block.dst,
           reinterpret_cast<const std::byte *>(bytes.data()) + block.srcAt,
           dims, cast);
      continue;
    }
    if (Expected<void> used = useSource(block.source); !used)
      return used;
    Expected<void> done;
    if (goesDirectly(dims, cast)) {
      done = readDirectly(block);
    } else if (const ReadShape shape(dims, cast.srcBytes);
               shape.numOuter == 0 &&
               shape.spanBytes <= buffers.stagingBytes()) {
      done = addToGroup(block, shape.spanBytes);
    } else {
      done = flushGroup();
      if (done)
        done = readSpans(block.srcAt, block.dst, dims, cast);
    }
    if (!done)
      return done;
  }
  if (Expected<void> done = flushGroup(); !done)
    return done;
  if (Expected<void> done = flushDirectRuns(); !done)
    return done;
  pending.clear();
  pendingDims.clear();
  return {};
}

//===----------------------------------------------------------------------===//
// Runs that need no staging
//===----------------------------------------------------------------------===//

bool TileReader::goesDirectly(std::span<const ByteDim> dims,
                              const CastSteps &cast) const {
  if (!cast.steps.empty() || dims.empty())
    return false;
  // A run that repeats is read once and copied.
  if (std::ranges::find(dims, 0, &ByteDim::srcStride) != dims.end())
    return false;
  const ByteDim &inner = dims.back();
  return inner.srcStride == cast.srcBytes && inner.dstStride == cast.dstBytes &&
         inner.extent * cast.srcBytes >= minDirectBytes;
}

Expected<void> TileReader::readDirectly(const Block &block) {
  const std::span<const ByteDim> dims = dimsOf(block);
  const int64_t run = dims.back().extent * casts[block.ops].srcBytes;
  std::array<ByteDim, maxBlockDims> outer;
  const size_t numOuter = dims.size() - 1;
  std::ranges::copy(dims.first(numOuter), outer.begin());
  std::sort(outer.begin(), outer.begin() + numOuter,
            [](const ByteDim &a, const ByteDim &b) {
              return a.srcStride > b.srcStride;
            });
  const auto step = [&](auto &self, size_t level, int64_t srcAt,
                        std::byte *dst) -> Expected<void> {
    if (level == numOuter)
      return addDirectRun(srcAt, dst, run);
    for (int64_t i = 0; i < outer[level].extent; ++i)
      if (Expected<void> done =
              self(self, level + 1, srcAt + i * outer[level].srcStride,
                   dst + i * outer[level].dstStride);
          !done)
        return done;
    return {};
  };
  return step(step, 0, block.srcAt, block.dst);
}

Expected<void> TileReader::addDirectRun(int64_t srcAt, std::byte *dst,
                                        int64_t bytes) {
  if (!directRuns.empty() &&
      (srcAt != directEnd || directRuns.size() >= maxDirectRuns))
    if (Expected<void> done = flushDirectRuns(); !done)
      return done;
  if (directRuns.empty())
    directBegin = srcAt;
  directEnd = srcAt + bytes;
  directRuns.push_back({dst, static_cast<size_t>(bytes)});
  return {};
}

Expected<void> TileReader::flushDirectRuns() {
  if (directRuns.empty())
    return {};
  numBytesRead += directEnd - directBegin;
  Expected<void> done = readAt(*sourceFile, directRuns, directBegin);
  directRuns.clear();
  return done;
}

//===----------------------------------------------------------------------===//
// Small blocks that lie near each other
//===----------------------------------------------------------------------===//

Expected<void> TileReader::addToGroup(const Block &block, int64_t spanBytes) {
  const int64_t end = std::max(groupEnd, block.srcAt + spanBytes);
  if (!group.empty() && (block.srcAt - groupEnd > readCallBytes ||
                         end - groupBegin > buffers.stagingBytes()))
    if (Expected<void> done = flushGroup(); !done)
      return done;
  if (group.empty()) {
    groupBegin = block.srcAt;
    groupEnd = block.srcAt + spanBytes;
  } else {
    groupEnd = end;
  }
  group.push_back(block);
  return {};
}

Expected<void> TileReader::flushGroup() {
  if (group.empty())
    return {};
  if (Expected<void> done =
          readSource(buffers.staging(), groupEnd - groupBegin, groupBegin);
      !done)
    return done;
  for (const Block &block : group)
    move(block.dst, buffers.staging() + (block.srcAt - groupBegin),
         dimsOf(block), casts[block.ops]);
  group.clear();
  return {};
}

//===----------------------------------------------------------------------===//
// Large blocks, by spans
//===----------------------------------------------------------------------===//

/// Reads the block in parts of `step` indexes of dimension `dim`.
Expected<void> TileReader::readCut(int64_t srcAt, std::byte *dst,
                                   const ReadShape &shape, size_t dim,
                                   int64_t step, const CastSteps &cast) {
  ReadShape part = shape;
  const ByteDim whole = shape.dims[dim];
  for (int64_t at = 0; at < whole.extent; at += step) {
    part.dims[dim].extent = std::min(step, whole.extent - at);
    if (Expected<void> done =
            readSpans(srcAt + at * whole.srcStride, dst + at * whole.dstStride,
                      part.all(), cast);
        !done)
      return done;
  }
  return {};
}

Expected<void> TileReader::readSpans(int64_t srcAt, std::byte *dst,
                                     std::span<const ByteDim> dims,
                                     const CastSteps &cast) {
  ReadShape shape(dims, cast.srcBytes);
  const int64_t room = buffers.stagingBytes();
  if (shape.spanBytes > room) {
    // The outermost dimension of the span has the largest stride: cut it. More
    // than one element is in the span, so there is one.
    const ByteDim &dim = shape.dims[shape.numOuter];
    const int64_t inner = shape.spanBytes - (dim.extent - 1) * dim.srcStride;
    const int64_t step =
        inner < room
            ? std::min((room - inner) / dim.srcStride + 1, dim.extent - 1)
            : 1;
    return readCut(srcAt, dst, shape, shape.numOuter, step, cast);
  }
  // An odd number of cache lines from span to span: a power of two would put
  // all columns of a transpose into the same few cache sets.
  const int64_t pitch = ((shape.spanBytes + 63) / 64 | 1) * 64;
  const int64_t slots = std::max(room / pitch, int64_t(1));
  if (shape.numSpans > slots) {
    const int64_t perIndex = shape.numSpans / shape.dims[0].extent;
    return readCut(srcAt, dst, shape, 0, std::max(slots / perIndex, int64_t(1)),
                   cast);
  }
  int64_t slot = 0;
  const auto readAll = [&](auto &self, size_t level,
                           int64_t at) -> Expected<void> {
    if (level == shape.numOuter)
      return readSource(buffers.staging() + pitch * slot++, shape.spanBytes,
                        at);
    for (int64_t i = 0; i < shape.dims[level].extent; ++i)
      if (Expected<void> done =
              self(self, level + 1, at + i * shape.dims[level].srcStride);
          !done)
        return done;
    return {};
  };
  if (Expected<void> done = readAll(readAll, 0, srcAt); !done)
    return done;
  int64_t stride = pitch;
  for (size_t i = shape.numOuter; i-- > 0;) {
    shape.dims[i].srcStride = stride;
    stride *= shape.dims[i].extent;
  }
  move(dst, buffers.staging(), shape.all(), cast);
  return {};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Expected<void> TileReader::useSource(uint32_t source) {
  if (source == openSource)
    return {};
  if (Expected<void> done = flushGroup(); !done)
    return done;
  if (Expected<void> done = flushDirectRuns(); !done)
    return done;
  Expected<std::shared_ptr<const NamedFile>> file = sources.open(source);
  if (!file)
    return failWith(std::move(file));
  sourceFile = std::move(*file);
  openSource = source;
  return {};
}

Expected<void> TileReader::readSource(std::byte *to, int64_t bytes,
                                      int64_t at) {
  numBytesRead += bytes;
  return readAt(*sourceFile, to, bytes, at);
}

void TileReader::move(std::byte *dst, const std::byte *src,
                      std::span<const ByteDim> dims, const CastSteps &cast) {
  numOverflows += castStrided(dst, src, dims, cast, buffers.castScratch());
}

} // namespace aoa
