//===- PrintCatalog.cpp - Writing a catalog as JSON -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "AppendNumbers.h"
#include "aoa/Catalog/CatalogJson.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/JsonReader.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

namespace aoa {

namespace {

/// Appends to one text. Numbers go through fmt: deterministic, no locale.
class CatalogPrinter {
public:
  std::string print(const Catalog &catalog) {
    out = "{ \"schema\": \"aoa.catalog/1\"";
    if (!catalog.storages.empty()) {
      out += ",\n  \"storages\": [";
      printLines(catalog.storages, [&](const Storage &s) { printStorage(s); });
    }
    out += ",\n  \"tensors\": [";
    printLines(catalog.tensors, [&](const Tensor &t) { printTensor(t); });
    out += " }\n";
    return std::move(out);
  }

private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(out), format,
                   std::forward<Args>(args)...);
  }

  /// One entry a line.
  template <typename Range, typename Print>
  void printLines(const Range &range, Print print) {
    std::string_view separator = "\n    ";
    for (const auto &entry : range) {
      out += separator;
      print(entry);
      separator = ",\n    ";
    }
    out += " ]";
  }

  void printStorage(const Storage &storage) {
    out += "{ \"file\": ";
    appendJsonString(out, storage.file);
    add(", \"bytes\": {} }}", storage.bytes);
  }

  void printTensor(const Tensor &tensor) {
    out += "{ \"name\": ";
    appendJsonString(out, tensor.name);
    add(", \"dtype\": \"{}\", \"shape\": ", nameOf(tensor.dtype));
    appendNumbers(out, tensor.shape);
    std::string_view separator = ", \"shards\": [ ";
    for (size_t i = 0; i < tensor.shards.size(); ++i) {
      out += separator;
      printShard(tensor, tensor.shards[i], tensor.placeOf(i));
      separator = ", ";
    }
    out += tensor.shards.empty() ? " }" : " ] }";
  }

  /// Whether `offset` and `shape` say it: a block that is all of the shard, or
  /// nothing at a place that is inside the tensor.
  static bool isBox(const Tensor &tensor, const Shard &shard) {
    if (!shard.strided.empty() ||
        shard.localShape.size() != tensor.shape.size())
      return false;
    if (shard.blocks.empty())
      return std::ranges::find(shard.localShape, 0) != shard.localShape.end() &&
             std::ranges::equal(shard.localShape, tensor.shape,
                                std::less_equal());
    return shard.blocks.size() == 1 &&
           shard.blocks[0].shape == shard.localShape;
  }

  /// Whether a range of the flat tensor is all of the shard.
  static bool isFlat(const Shard &shard) {
    if (!shard.blocks.empty() || shard.strided.size() != 1)
      return false;
    const StridedBlock &only = shard.strided[0];
    return only.shape.size() == 1 && only.fullStrides[0] == 1 &&
           only.shardStrides[0] == 1 && only.shardOffset == 0 &&
           only.shape[0] == checkedNumElements(shard.localShape);
  }

  void printShard(const Tensor &tensor, const Shard &shard,
                  const ShardPlace &place) {
    out += "{ \"ranks\": ";
    appendNumbers(out, shard.ranks);
    if (isBox(tensor, shard)) {
      out += ", \"offset\": ";
      // An empty box is nowhere; any place inside the tensor will do.
      appendNumbers(out, shard.blocks.empty() ? Shape(shard.localShape.size())
                                              : shard.blocks[0].fullOffset);
      out += ", \"shape\": ";
      appendNumbers(out, shard.localShape);
    } else if (isFlat(shard)) {
      const StridedBlock &range = shard.strided[0];
      add(", \"flat\": [{}, {}]", range.fullOffset,
          range.fullOffset + range.shape[0]);
      if (shard.localShape.size() != 1) {
        out += ", \"shape\": ";
        appendNumbers(out, shard.localShape);
      }
    } else {
      out += ", \"shape\": ";
      appendNumbers(out, shard.localShape);
      printPieces(piecesOf(shard, tensor.shape));
    }
    if (shard.scale != 1)
      add(", \"scale\": {}", shard.scale);
    if (!place.storage.isNone())
      add(", \"storage\": {}, \"at\": {}", place.storage.index(),
          place.atBytes);
    out += " }";
  }

  void printPieces(const std::vector<StridedBlock> &pieces) {
    out += ", \"pieces\": [";
    std::string_view separator = " ";
    for (const StridedBlock &piece : pieces) {
      out += separator;
      out += "{ \"shape\": ";
      appendNumbers(out, piece.shape);
      out += ", \"full\": ";
      printView(piece.fullOffset, piece.fullStrides);
      out += ", \"shard\": ";
      printView(piece.shardOffset, piece.shardStrides);
      out += " }";
      separator = ", ";
    }
    out += pieces.empty() ? "]" : " ]";
  }

  void printView(int64_t offset, const Shape &strides) {
    add("[{}, ", offset);
    appendNumbers(out, strides);
    out += ']';
  }

  std::string out;
};

} // namespace

std::string printCatalog(const Catalog &catalog) {
  return CatalogPrinter().print(catalog);
}

} // namespace aoa
