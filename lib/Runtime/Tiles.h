//===- Tiles.h - Output files cut into pieces of work -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tile is an interval of an output file that is put together in memory and
// written at once. Small regions share a tile; large ones are cut at elements,
// at rows where a row fits. Where the source lies transposed, a small tile
// would read many short runs or read the source many times over; there the tile
// grows until the reads are long, as far as memory allows.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_TILES_H
#define AOA_LIB_RUNTIME_TILES_H

#include "StridedCast.h"
#include "aoa/Plan/RegionTransfers.h"

#include <unordered_map>

namespace aoa {

/// Reading a gap of this size costs about as much as another system call.
inline constexpr int64_t readCallBytes = 4096;

struct TileLimits {
  int64_t normalBytes; ///< At least one element, 8 bytes.
  int64_t maxBytes;    ///< At least normalBytes.
};

struct Tile {
  int64_t begin, end; ///< Bytes of the file.
  uint32_t firstRegion, endRegion;
};

/// The transfers of a region that touch an interval, found in O(log n + found).
/// Holds for all regions of one class.
class TransferIndex {
public:
  TransferIndex(const RegionClass &regionClass, DType dtype);

  /// Calls `visit(number of transfer)` in order of target offset. Bounds in
  /// bytes of the region.
  template <typename Visit>
  void forEachIn(int64_t begin, int64_t end, Visit visit) const {
    search(0, entries.size(), begin, end, visit);
  }

private:
  struct Entry {
    int64_t begin, end;
    int64_t maxEnd; ///< Of the subtree whose middle this is.
    uint32_t transfer;
  };

  int64_t buildMaxEnds(size_t low, size_t high);

  template <typename Visit>
  void search(size_t low, size_t high, int64_t begin, int64_t end,
              Visit &visit) const {
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      const Entry &entry = entries[middle];
      if (entry.maxEnd <= begin)
        return;
      search(low, middle, begin, end, visit);
      if (entry.begin >= end)
        return;
      if (entry.end > begin)
        visit(entry.transfer);
      low = middle + 1;
    }
  }

  std::vector<Entry> entries; ///< By begin; an implicit balanced tree.
};

/// The tiles of one file, and what its regions are made of.
struct FileTiles {
  std::vector<Tile> tiles;
  std::vector<RegionTransfers> transfers;              ///< One a region.
  std::unordered_map<uint32_t, TransferIndex> indexes; ///< One a class.

  const TransferIndex &indexOf(const TargetRegion &region) const {
    return indexes.at(region.regionClass);
  }
};

/// Returns the size of the tiles that `region` shall be cut into.
int64_t chooseTileBytes(const TransferPlan &plan,
                        const std::vector<CastSteps> &casts,
                        const TargetRegion &region, const TileLimits &limits);

FileTiles cutIntoTiles(const TransferPlan &plan,
                       const std::vector<CastSteps> &casts,
                       const TargetFile &file, const TileLimits &limits);

/// Returns the size of the largest tile that cutting all files would give.
int64_t largestTileBytes(const TransferPlan &plan,
                         const std::vector<CastSteps> &casts,
                         const TileLimits &limits);

} // namespace aoa

#endif // AOA_LIB_RUNTIME_TILES_H
