//===- PrintCatalog.cpp - Writing a catalog as JSON -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/CatalogJson.h"
#include "aoa/Support/JsonReader.h"

#include <algorithm>
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

  void printList(const auto &numbers) {
    std::string_view separator = "[";
    for (auto number : numbers) {
      fmt::format_int digits(number);
      out += separator;
      out.append(digits.data(), digits.size());
      separator = ", ";
    }
    out += numbers.empty() ? "[]" : "]";
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
    printList(tensor.shape);
    std::string_view separator = ", \"shards\": [ ";
    for (size_t i = 0; i < tensor.shards.size(); ++i) {
      out += separator;
      printShard(tensor, tensor.shards[i], tensor.placeOf(i));
      separator = ", ";
    }
    out += tensor.shards.empty() ? " }" : " ] }";
  }

  static bool isBox(const Shard &shard) {
    if (std::ranges::find(shard.localShape, 0) != shard.localShape.end())
      return shard.blocks.empty();
    return shard.blocks.size() == 1 &&
           shard.blocks[0].shape == shard.localShape;
  }

  void printShard(const Tensor &tensor, const Shard &shard,
                  const ShardPlace &place) {
    out += "{ \"ranks\": ";
    printList(shard.ranks);
    if (isBox(shard)) {
      out += ", \"offset\": ";
      // An empty box is nowhere; any place inside the tensor will do.
      printList(shard.blocks.empty() ? Shape(shard.localShape.size())
                                     : shard.blocks[0].fullOffset);
      out += ", \"shape\": ";
      printList(shard.localShape);
    } else {
      out += ", \"shape\": ";
      printList(shard.localShape);
      printPieces(tensor, shard);
    }
    if (!place.storage.isNone())
      add(", \"storage\": {}, \"at\": {}", place.storage.index(),
          place.atBytes);
    out += " }";
  }

  void printPieces(const Tensor &tensor, const Shard &shard) {
    Shape full = stridesOf(tensor.shape), local = stridesOf(shard.localShape);
    out += ", \"pieces\": [";
    std::string_view separator = " ";
    for (const Block &block : shard.blocks) {
      out += separator;
      out += "{ \"shape\": ";
      printList(block.shape);
      out += ", \"full\": ";
      printView(block.fullOffset, full);
      out += ", \"shard\": ";
      printView(block.localOffset, local);
      out += " }";
      separator = ", ";
    }
    out += shard.blocks.empty() ? "]" : " ]";
  }

  void printView(const Shape &offset, const Shape &strides) {
    int64_t element = 0;
    for (size_t dim = 0; dim < offset.size(); ++dim)
      element += offset[dim] * strides[dim];
    add("[{}, ", element);
    printList(strides);
    out += ']';
  }

  static Shape stridesOf(const Shape &shape) {
    Shape strides(shape.size(), 1);
    for (size_t dim = shape.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * shape[dim];
    return strides;
  }

  std::string out;
};

} // namespace

std::string printCatalog(const Catalog &catalog) {
  return CatalogPrinter().print(catalog);
}

} // namespace aoa
