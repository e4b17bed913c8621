//===- CatalogJson.cpp - Reading a catalog ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/CatalogJson.h"

#include "ReadPieces.h"
#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/NearestName.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace aoa {

namespace {

constexpr std::string_view schemaName = "aoa.catalog/1";
constexpr std::string_view dtypeNames[] = {
#define AOA_DTYPE(NAME, BITS, PYTHON, CLASS) #NAME,
#include "aoa/Support/DType.def"
};

class CatalogReader {
public:
  CatalogReader(FileId file, DiagnosticSink &sink) : fields(file, sink) {}

  std::optional<Catalog> read(std::string_view json, std::string root) {
    std::optional<JsonDocument> document = fields.parse(json);
    if (!document)
      return std::nullopt;
    catalog.root = std::move(root);
    readRoot(document->root());
    if (fields.hadFaults())
      return std::nullopt;
    return std::move(catalog);
  }

private:
  void readRoot(JsonValue root) {
    if (fields.isOfOtherSchema(root, schemaName))
      return;
    auto [schema, storages, tensors] =
        fields.read<3>(root, {"schema", "storages", "tensors"});
    if (!root.isObject() || !checkSchema(root, schema))
      return;
    if (storages && fields.isArray(*storages, "a list of storages"))
      for (JsonValue storage : storages->elements())
        readStorage(storage);
    if (!fields.require(root, tensors, "tensors") ||
        !fields.isArray(*tensors, "a list of tensors"))
      return;
    catalog.tensors.reserve(tensors->size());
    for (JsonValue tensor : tensors->elements()) {
      if (fields.isFull())
        return;
      readTensor(tensor);
    }
    sortTensors();
  }

  bool checkSchema(JsonValue root, const std::optional<JsonValue> &schema) {
    if (!fields.require(root, schema, "schema"))
      return false;
    return fields.string(*schema).has_value();
  }

  void readStorage(JsonValue value) {
    auto [file, bytes] = fields.read<2>(value, {"file", "bytes"});
    Storage storage;
    if (fields.require(value, file, "file"))
      if (auto name = fields.string(*file); name && checkFile(*file, *name))
        storage.file = *name;
    if (fields.require(value, bytes, "bytes"))
      storage.bytes = fields.whole(*bytes, 0, "a number of bytes, not negative")
                          .value_or(INT64_MAX);
    catalog.storages.push_back(std::move(storage));
  }

  /// A catalog must not make us read outside its folder.
  bool checkFile(JsonValue value, std::string_view name) {
    std::string slashes = fmt::format("/{}/", name);
    bool leaves =
        name.starts_with('/') || slashes.find("/../") != std::string::npos;
    if (leaves || name.empty() || name.find('\0') != std::string_view::npos) {
      fields.fault(value, diag::CatalogStorage,
                   fmt::format("file `{}`, expected a name below the catalog's "
                               "folder",
                               name.substr(0, name.find('\0'))));
      return false;
    }
    return true;
  }

  void readTensor(JsonValue value) {
    auto [name, dtype, shape, shards] =
        fields.read<4>(value, {"name", "dtype", "shape", "shards"});
    if (!value.isObject())
      return;
    std::optional<std::string_view> text;
    std::optional<DType> type;
    std::optional<Shape> extents;
    if (fields.require(value, name, "name"))
      text = fields.string(*name);
    if (fields.require(value, dtype, "dtype"))
      type = readDType(*dtype);
    if (fields.require(value, shape, "shape"))
      extents = fields.shape(*shape);
    if (!text || !type || !extents)
      return;
    if (!checkedSizeBytes(*type, *extents))
      return fields.fault(*shape, diag::CatalogTensor,
                          fmt::format("{} of shape {} is beyond 64 bits or no "
                                      "whole number of bytes",
                                      nameOf(*type), formatShape(*extents)));
    Tensor tensor{std::string(*text),   *type, std::move(*extents), {}, {},
                  fields.rangeOf(*name)};
    if (shards)
      readShards(*shards, tensor);
    catalog.tensors.push_back(std::move(tensor));
    nameValues.push_back(*name);
  }

  std::optional<DType> readDType(JsonValue value) {
    std::optional<std::string_view> name = fields.string(value);
    if (!name)
      return std::nullopt;
    std::optional<DType> dtype = dtypeFromSafetensors(*name);
    if (!dtype)
      fields.fault(value, diag::CatalogTensor,
                   fmt::format("unknown dtype `{}`{}", *name,
                               nearestName(*name, dtypeNames).hint()));
    return dtype;
  }

  void readShards(JsonValue value, Tensor &tensor) {
    if (!fields.isArray(value, "a list of shards"))
      return;
    std::vector<Shard> shards;
    shards.reserve(value.size());
    for (JsonValue shard : value.elements())
      readShard(shard, tensor, shards);
    tensor.places.resize(hasPlaces(tensor) ? shards.size() : 0);
    tensor.shards = lists.intern(std::move(shards));
    if (value.size() == 0)
      fields.fault(value, diag::CatalogShard,
                   fmt::format("no rank holds `{}`; leave `shards` out where "
                               "only names and shapes are known",
                               tensor.name));
  }

  static bool hasPlaces(const Tensor &tensor) {
    return std::ranges::any_of(tensor.places, [](const ShardPlace &place) {
      return !place.storage.isNone();
    });
  }

  void readShard(JsonValue value, Tensor &tensor, std::vector<Shard> &shards) {
    auto [ranks, offset, shape, pieces, flat, scale, storage, at] =
        fields.read<8>(value, {"ranks", "offset", "shape", "pieces", "flat",
                               "scale", "storage", "at"});
    if (!value.isObject())
      return;
    Shard shard;
    if (fields.require(value, ranks, "ranks"))
      readRanks(*ranks, shard);
    const std::optional<JsonValue> &geometry = pieces ? pieces : flat;
    if (geometry && (offset || (pieces && flat)))
      return fields.fault(value, diag::CatalogShard,
                          "shard with more than one of `offset`, `pieces` and "
                          "`flat`");
    if (flat) {
      if (!readFlat(*flat, shape, tensor, shard))
        return;
    } else if (pieces) {
      if (!fields.require(value, shape, "shape") ||
          !readPieces(*pieces, *shape, tensor, shard))
        return;
    } else {
      bool hasBox = fields.require(value, offset, "offset");
      hasBox &= fields.require(value, shape, "shape");
      if (!hasBox || !readBox(value, *offset, *shape, tensor, shard))
        return;
    }
    if (scale)
      readScale(*scale, tensor, shard);
    tensor.places.emplace_back();
    if (storage || at)
      readPlace(value, storage, at, tensor, shard);
    shards.push_back(std::move(shard));
  }

  void readRanks(JsonValue value, Shard &shard) {
    if (!fields.isArray(value, "a list of ranks"))
      return;
    bool ascending = true;
    for (JsonValue element : value.elements()) {
      auto rank = fields.whole(element, 0, "a rank, not negative");
      if (!rank)
        return;
      if (*rank > INT32_MAX)
        return fields.fault(
            element, diag::CatalogShard,
            fmt::format("rank {}, expected at most {}", *rank, INT32_MAX));
      auto number = static_cast<uint32_t>(*rank);
      ascending &= shard.ranks.empty() || shard.ranks.back() < number;
      shard.ranks.push_back(number);
    }
    if (shard.ranks.empty())
      return fields.fault(value, diag::CatalogShard, "shard without a rank");
    if (ascending)
      return;
    std::ranges::sort(shard.ranks);
    auto twin = std::ranges::adjacent_find(shard.ranks);
    if (twin != shard.ranks.end())
      fields.fault(value, diag::CatalogShard,
                   fmt::format("rank {} is listed twice", *twin));
  }

  bool readBox(JsonValue value, JsonValue offsetValue, JsonValue shapeValue,
               const Tensor &tensor, Shard &shard) {
    std::optional<Shape> offset = fields.extents(offsetValue);
    std::optional<Shape> shape = fields.shape(shapeValue);
    if (!offset || !shape)
      return false;
    if (offset->size() != tensor.shape.size() ||
        shape->size() != tensor.shape.size()) {
      fields.fault(value, diag::CatalogShard,
                   fmt::format("offset {} and shape {} of a shard of `{}`, "
                               "expected {} numbers each",
                               formatShape(*offset), formatShape(*shape),
                               tensor.name, tensor.shape.size()));
      return false;
    }
    for (size_t dim = 0; dim < shape->size(); ++dim) {
      std::optional<int64_t> end = checkedAdd((*offset)[dim], (*shape)[dim]);
      if (end && *end <= tensor.shape[dim])
        continue;
      fields.fault(value, diag::CatalogShard,
                   fmt::format("shard at {} of shape {} ends behind dimension "
                               "{} of `{}` with shape {}",
                               formatShape(*offset), formatShape(*shape), dim,
                               tensor.name, formatShape(tensor.shape)));
      return false;
    }
    if (std::ranges::find(*shape, 0) == shape->end())
      shard.blocks.push_back(
          {std::move(*offset), Shape(shape->size()), *shape});
    shard.localShape = std::move(*shape);
    return true;
  }

  bool readPieces(JsonValue value, JsonValue shape, const Tensor &tensor,
                  Shard &shard) {
    std::optional<Shape> local = fields.shape(shape);
    if (!local)
      return false;
    shard.localShape = std::move(*local);
    std::vector<StridedBlock> pieces =
        readPieceList(value, layoutPieceNames, fields);
    if (!value.isArray() || pieces.size() != value.size())
      return false; // One is faulty.
    size_t i = 0;
    bool ok = true;
    for (JsonValue element : value.elements()) {
      auto added = addPiece(shard, tensor.shape, pieces[i++]);
      if (!added)
        fields.fault(element, diag::CatalogShard,
                     fmt::format("piece of a shard of `{}` {}", tensor.name,
                                 added.error().str()));
      ok &= added.has_value();
    }
    if (!ok)
      return false;
    // What no piece gives is padding.
    auto once = checkGivenOnce(shard, tensor.shape, /*mayPad=*/true);
    if (!once)
      fields.fault(value, diag::CatalogShard,
                   fmt::format("`{}`: {}", tensor.name, once.error().str()));
    return once.has_value();
  }

  /// Elements [begin, end) of the tensor, as a list unless `shape` says else.
  bool readFlat(JsonValue value, const std::optional<JsonValue> &shape,
                const Tensor &tensor, Shard &shard) {
    std::optional<Shape> range = fields.extents(value);
    if (!range)
      return false;
    auto wrong = [&](std::string_view expected) {
      fields.fault(value, diag::CatalogShard,
                   fmt::format("flat range {} of `{}`, expected {}",
                               formatShape(*range), tensor.name, expected));
      return false;
    };
    if (range->size() != 2 || (*range)[0] > (*range)[1])
      return wrong("a begin and an end that is not less");
    int64_t count = (*range)[1] - (*range)[0];
    int64_t numElements = checkedNumElements(tensor.shape).value_or(0);
    if ((*range)[1] > numElements)
      return wrong(fmt::format("an end of at most {}, its number of elements",
                               numElements));
    shard.localShape = {count};
    if (shape) {
      std::optional<Shape> local = fields.shape(*shape);
      if (!local)
        return false;
      if (checkedNumElements(*local) != count)
        return wrong(fmt::format("as many elements as the shape {} of the "
                                 "shard has",
                                 formatShape(*local)));
      shard.localShape = std::move(*local);
    }
    auto added =
        addPiece(shard, tensor.shape, {{count}, (*range)[0], {1}, 0, {1}});
    return added.has_value();
  }

  void readScale(JsonValue value, const Tensor &tensor, Shard &shard) {
    auto scale = readScaleNumber(value, diag::CatalogShard, fields);
    if (!scale)
      return;
    if (*scale != 1 && classOf(tensor.dtype) != DTypeClass::Float)
      return fields.fault(value, diag::CatalogShard,
                          fmt::format("scale {} of a shard of `{}`, which is "
                                      "{}, expected a floating point dtype",
                                      *scale, tensor.name,
                                      nameOf(tensor.dtype)));
    shard.scale = *scale;
  }

  void readPlace(JsonValue value, const std::optional<JsonValue> &storage,
                 const std::optional<JsonValue> &at, Tensor &tensor,
                 const Shard &shard) {
    if (!fields.require(value, storage, "storage") ||
        !fields.require(value, at, "at"))
      return;
    auto index = fields.whole(*storage, 0, "the number of a storage");
    auto begin = fields.whole(*at, 0, "a byte offset, not negative");
    if (!index || !begin)
      return;
    auto numStorages = static_cast<int64_t>(catalog.storages.size());
    if (*index >= numStorages)
      return fields.fault(*storage, diag::CatalogShard,
                          fmt::format("storage {} of {}", *index, numStorages));
    StorageId id(static_cast<size_t>(*index));
    tensor.places.back() = {id, *begin};
    std::optional<int64_t> bytes =
        checkedSizeBytes(tensor.dtype, shard.localShape);
    if (!bytes)
      return fields.fault(value, diag::CatalogShard,
                          fmt::format("shard of shape {} of `{}` is no whole "
                                      "number of bytes in {}",
                                      formatShape(shard.localShape),
                                      tensor.name, nameOf(tensor.dtype)));
    const Storage &in = catalog.storages[id.index()];
    std::optional<int64_t> end = checkedAdd(*begin, *bytes);
    if (!end || *end > in.bytes)
      fields.fault(
          value, diag::CatalogShard,
          fmt::format("shard of `{}` has {} bytes from byte {} on, but "
                      "`{}` has {} bytes",
                      tensor.name, *bytes, *begin, in.file, in.bytes));
  }

  /// Brings the tensors into the order of their names; reports names that come
  /// twice.
  void sortTensors() {
    auto &tensors = catalog.tensors;
    auto nameOfIndex = [&](size_t i) -> std::string_view {
      return tensors[i].name;
    };
    std::vector<size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::sort(order, [&](size_t a, size_t b) {
      int byName = nameOfIndex(a).compare(nameOfIndex(b));
      return byName < 0 || (byName == 0 && a < b);
    });
    for (size_t i = 1; i < order.size(); ++i)
      if (nameOfIndex(order[i - 1]) == nameOfIndex(order[i]))
        fields.fault(
            nameValues[order[i]], diag::CatalogTensor,
            fmt::format("tensor `{}` is given twice", nameOfIndex(order[i])),
            {{fields.rangeOf(nameValues[order[i - 1]]), "first given here"}});
    if (std::ranges::is_sorted(order))
      return;
    std::vector<Tensor> sorted;
    sorted.reserve(tensors.size());
    for (size_t i : order)
      sorted.push_back(std::move(tensors[i]));
    tensors = std::move(sorted);
  }

  JsonFields fields;
  Catalog catalog;
  ShardLists lists;
  std::vector<JsonValue> nameValues; ///< Of `catalog.tensors`.
};

} // namespace

std::optional<Catalog> parseCatalog(std::string_view json, FileId file,
                                    std::string root, DiagnosticSink &sink) {
  return CatalogReader(file, sink).read(json, std::move(root));
}

} // namespace aoa
