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
// segment (fused q/k/v) holds several, one that is no box of the full tensor
// (a flat range, interleaved heads) strided ones. What no block covers of a
// shard is padding.
//===----------------------------------------------------------------------===//
#ifndef AOA_CATALOG_CATALOG_H
#define AOA_CATALOG_CATALOG_H

#include "aoa/Support/DType.h"
#include "aoa/Support/Diagnostic.h"
#include "aoa/Support/FormatShape.h"
#include "aoa/Support/TypedId.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
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

/// A block of elements that is no box of full tensor and shard: seen on both
/// sides as a strided view of the flat row-major buffer, in elements. No stride
/// is negative, as in PyTorch.
struct StridedBlock {
  Shape shape;
  int64_t fullOffset = 0;
  Shape fullStrides;
  int64_t shardOffset = 0;
  Shape shardStrides;

  friend bool operator==(const StridedBlock &, const StridedBlock &) = default;
};

struct Shard {
  std::vector<uint32_t> ranks; ///< Who reads (or writes) this copy; ascending.
  Shape localShape;
  std::vector<Block> blocks = {}; ///< Without empty blocks.
  /// What else it holds; where shards are boxes, nothing. Without empty ones.
  std::vector<StridedBlock> strided = {};
  /// The shard holds the full tensor's values times this; finite, not 0.
  double scale = 1;

  /// Whether no element of the full tensor is in it.
  bool isEmpty() const { return blocks.empty() && strided.empty(); }
  friend bool operator==(const Shard &, const Shard &) = default;
};

/// The shards of a tensor, in the order of their first ranks. Tensors that are
/// cut alike share one list: a copy costs a pointer, and `isSameList` is a
/// quick way to see that two lists are equal.
class ShardList {
public:
  ShardList() = default;
  ShardList(std::vector<Shard> shards)
      : list(shards.empty() ? nullptr
                            : std::make_shared<const std::vector<Shard>>(
                                  std::move(shards))) {}
  ShardList(std::initializer_list<Shard> shards)
      : ShardList(std::vector<Shard>(shards)) {}

  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  size_t size() const { return all().size(); }
  bool empty() const { return !list; }
  const Shard &operator[](size_t i) const { return (*list)[i]; }
  const Shard &front() const { return list->front(); }
  const std::vector<Shard> &all() const;

  bool isSameList(const ShardList &other) const { return list == other.list; }
  /// Identity of the list, for maps; null for an empty one.
  const void *identity() const { return list.get(); }
  friend bool operator==(const ShardList &a, const ShardList &b) {
    return a.isSameList(b) || a.all() == b.all();
  }

private:
  std::shared_ptr<const std::vector<Shard>> list;
};

/// Where a stored copy lies.
struct ShardPlace {
  StorageId storage;
  int64_t atBytes = 0; ///< Where the shard starts in its storage.

  friend bool operator==(const ShardPlace &, const ShardPlace &) = default;
};

struct Tensor {
  std::string name;
  DType dtype;
  Shape shape;
  /// Empty when only name, dtype and shape are known: then rank 0 is taken to
  /// hold all of it.
  ShardList shards = {};
  /// One a shard; empty in catalogs of geometry only. A shard without a storage
  /// has none.
  std::vector<ShardPlace> places = {};
  /// The name in the catalog's text; unknown for tensors of a checkpoint.
  SourceRange range = {};
  /// If not, `dtype` says nothing: a target that lists tensors without dtypes
  /// (an affine map) takes those that the program makes.
  bool dtypeIsKnown = true;

  /// Returns where shard `i` lies; a storage of none if that is not known.
  ShardPlace placeOf(size_t i) const {
    return i < places.size() ? places[i] : ShardPlace();
  }
};

/// Lists of shards, each kept once.
class ShardLists {
public:
  /// Returns a list equal to `shards` that is shared with all equal ones.
  ShardList intern(std::vector<Shard> shards);
  /// Returns the list of the one shard of a tensor that rank 0 holds whole.
  ShardList whole(const Shape &shape);

private:
  struct ShapeHash {
    size_t operator()(const Shape &shape) const;
  };
  std::unordered_multimap<uint64_t, ShardList> lists; ///< By hash.
  std::unordered_map<Shape, ShardList, ShapeHash> wholes;
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
