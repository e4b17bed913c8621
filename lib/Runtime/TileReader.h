//===- TileReader.h - A tile put together from the source -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Long runs are read straight into the tile, many by one system call where they
// lie together in the source. Everything else goes through a staging buffer:
// spans are read whole, then gathered or converted into the tile. Blocks that
// lie near each other in a file are read together. What a block repeats is read
// once, and values that the plan itself holds not at all.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_TILEREADER_H
#define AOA_LIB_RUNTIME_TILEREADER_H

#include "ReadShape.h"
#include "RestrictTransfer.h"
#include "SourceFiles.h"
#include "Tiles.h"

#include <memory>
#include <optional>

namespace aoa {

/// The memory of one thread, allocated once.
class TileBuffers {
public:
  /// How `bytes` are shared out. At least minBytes are taken.
  struct Shares {
    int64_t tileBytes, stagingBytes, castElements;
    explicit Shares(int64_t bytes);
    int64_t total() const {
      return tileBytes + stagingBytes + 16 * castElements;
    }
  };
  static constexpr int64_t minBytes = 64 << 10;

  /// Fails with Limit when the memory is not there.
  static Expected<TileBuffers> allocate(const Shares &shares);

  std::byte *tile() const { return memory.get(); }
  std::byte *staging() const { return tile() + shares.tileBytes; }
  int64_t stagingBytes() const { return shares.stagingBytes; }
  CastScratch castScratch() const;

private:
  explicit TileBuffers(const Shares &shares) : shares(shares) {}
  Shares shares;
  std::unique_ptr<std::byte[]> memory;
};

/// Where a whole tile lies in a source as it is.
struct WholeRun {
  uint32_t source;
  int64_t at;
};

class TileReader {
public:
  TileReader(const std::vector<CastSteps> &casts, SourceFiles &sources,
             const TileBuffers &buffers);

  /// Returns the source of a tile that is one run of one source, unchanged.
  std::optional<WholeRun> findWholeRun(const TargetFile &file,
                                       const FileTiles &tiles,
                                       const Tile &tile) const;

  /// Puts `tile` together in buffers.tile().
  Expected<void> fill(const TargetFile &file, const FileTiles &tiles,
                      const Tile &tile);
  /// Puts bytes [begin, end) of a region together in buffers.tile().
  Expected<void> fillPart(const TargetRegion &region,
                          const RegionTransfers &transfers,
                          const TransferIndex &index, int64_t begin,
                          int64_t end);

  int64_t bytesRead() const { return numBytesRead; }
  int64_t overflows() const { return numOverflows; }

private:
  /// A block waiting to be read. Its dimensions are in `pendingDims`.
  struct Block {
    uint32_t source;
    uint32_t ops;
    int64_t srcAt;
    std::byte *dst;
    size_t firstDim, numDims;
  };

  /// Bytes [begin, end) of a region, which go to `to`.
  Expected<void> addPart(const TargetRegion &region,
                         const RegionTransfers &transfers,
                         const TransferIndex &index, int64_t begin, int64_t end,
                         std::byte *to);
  void collect(const TargetRegion &region, const Transfer &transfer,
               int64_t begin, int64_t end, std::byte *to);
  Expected<void> readPending();

  bool goesDirectly(std::span<const ByteDim> dims, const CastSteps &cast) const;
  Expected<void> readDirectly(const Block &block);
  Expected<void> addDirectRun(int64_t srcAt, std::byte *dst, int64_t bytes);
  Expected<void> flushDirectRuns();

  Expected<void> addToGroup(const Block &block, int64_t spanBytes);
  Expected<void> flushGroup();

  Expected<void> readSpans(int64_t srcAt, std::byte *dst,
                           std::span<const ByteDim> dims,
                           const CastSteps &cast);
  Expected<void> readCut(int64_t srcAt, std::byte *dst, const ReadShape &shape,
                         size_t dim, int64_t step, const CastSteps &cast);

  Expected<void> useSource(uint32_t source);
  Expected<void> readSource(std::byte *to, int64_t bytes, int64_t at);
  void move(std::byte *dst, const std::byte *src, std::span<const ByteDim> dims,
            const CastSteps &cast);
  std::span<const ByteDim> dimsOf(const Block &block) const {
    return std::span(pendingDims).subspan(block.firstDim, block.numDims);
  }

  const std::vector<CastSteps> &casts;
  SourceFiles &sources;
  const TileBuffers &buffers;

  std::vector<Block> pending;
  std::vector<ByteDim> pendingDims;

  std::vector<Block> group; ///< Read by one call, in source order.
  int64_t groupBegin = 0, groupEnd = 0;

  std::vector<iovec> directRuns; ///< Neighbours in the source.
  int64_t directBegin = 0, directEnd = 0;

  uint32_t openSource = UINT32_MAX;
  std::shared_ptr<const NamedFile> sourceFile;

  int64_t numBytesRead = 0;
  int64_t numOverflows = 0;
};

} // namespace aoa

#endif // AOA_LIB_RUNTIME_TILEREADER_H
