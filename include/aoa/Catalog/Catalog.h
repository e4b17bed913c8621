//===- Catalog.h - What a checkpoint holds, and where -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Tensors, their shards and the storages (files) the shards lie in. Every
// format reader produces one from headers alone. Offsets and extents are in
// elements unless a name says bytes; shards are row-major in their storage.
//
//   tensor w [6, 4]
//     shard ranks {0}: localShape [3, 4], block full(0,0) local(0,0) [3, 4]
//     shard ranks {1}: localShape [3, 4], block full(3,0) local(0,0) [3, 4]
//
// A shard is one stored copy. Most hold one block; a shard cut segment by
// segment (fused q/k/v) holds several. What no block covers of a shard is
// padding.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_CATALOG_H
#define AOA_CATALOG_CATALOG_H

#include "aoa/Support/DType.h"
#include "aoa/Support/Diagnostic.h"
#include "aoa/Support/FormatShape.h"
#include "aoa/Support/TypedId.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aoa {

using Shape = std::vector<int64_t>;
using StorageId = TypedId<struct StorageTag>;
using TensorId = TypedId<struct TensorTag>;

/// A box of the full tensor and where it lies in the shard. All three have the
/// tensor's rank.
struct Block {
  Shape fullOffset;
  Shape localOffset;
  Shape shape;

  friend bool operator==(const Block &, const Block &) = default;
};

struct Shard {
  std::vector<uint32_t> ranks; ///< Who reads (or writes) this copy; ascending.
  Shape localShape;
  std::vector<Block> blocks; ///< Without empty blocks.
  StorageId storage;         ///< None in catalogs of geometry only.
  int64_t atBytes = 0;       ///< Where the shard starts in its storage.

  friend bool operator==(const Shard &, const Shard &) = default;
};

struct Tensor {
  std::string name;
  DType dtype;
  Shape shape;
  /// Empty when only name, dtype and shape are known: then rank 0 is taken to
  /// hold all of it.
  std::vector<Shard> shards;
  /// The name in the catalog's text; unknown for tensors of a checkpoint.
  SourceRange range = {};
};

struct Storage {
  std::string file; ///< Relative to `Catalog::root`, with `/` between folders.
  int64_t bytes = 0;
  /// XXH3 of the part of the file that says what is in it; 0 where unknown. A
  /// plan made for another header is refused.
  uint64_t fingerprint = 0;
};

struct Catalog {
  std::string root; ///< Folder of the storages, absolute; empty if none.
  std::vector<Storage> storages;
  std::vector<Tensor> tensors; ///< Sorted by name, each name once.
  /// What all files of the source agree to say about themselves
  /// (`__metadata__`); empty if they do not agree.
  std::map<std::string, std::string> metadata;

  /// Returns the tensor called `name`, or null. Cost: binary search.
  const Tensor *find(std::string_view name) const;
};

/// Sorts the tensors by name. Returns a name that occurs twice, if any.
std::optional<std::string> sortByName(std::vector<Tensor> &tensors);

/// Returns the one shard of a tensor that rank 0 holds whole.
Shard wholeShard(const Shape &shape);

} // namespace aoa

#endif // AOA_CATALOG_CATALOG_H
