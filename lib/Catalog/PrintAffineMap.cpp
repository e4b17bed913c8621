//===- PrintAffineMap.cpp - Writing affine maps -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "AppendNumbers.h"
#include "ParameterName.h"
#include "aoa/Catalog/AffineMapJson.h"
#include "aoa/Catalog/ShardPieces.h"
#include "aoa/Support/JsonReader.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace aoa {

namespace {

/// The elements of a view, whatever the order of its dimensions and however
/// they are taken together: offset, then stride and extent of each.
using Elements = std::vector<int64_t>;

Elements elementsOf(const FlatView &view) {
  std::vector<std::pair<int64_t, int64_t>> steps;
  int64_t offset = view.offset;
  for (size_t dim = 0; dim < view.shape.size(); ++dim) {
    int64_t extent = view.shape[dim], stride = view.strides[dim];
    if (extent == 1 || stride == 0)
      continue;
    if (stride < 0)
      offset += (extent - 1) * stride;
    steps.emplace_back(std::abs(stride), extent);
  }
  std::ranges::sort(steps);
  Elements elements = {offset};
  for (auto [stride, extent] : steps) {
    if (elements.size() > 1 &&
        stride == elements[elements.size() - 2] * elements.back()) {
      elements.back() *= extent;
      continue;
    }
    elements.push_back(stride);
    elements.push_back(extent);
  }
  return elements;
}

class AffineMapPrinter {
public:
  Expected<std::string> print(std::span<const Tensor> tensors) {
    std::vector<const Tensor *> byName;
    for (const Tensor &tensor : tensors)
      byName.push_back(&tensor);
    std::ranges::sort(byName, {}, [](const Tensor *t) { return t->name; });
    out = "{ \"version\": 1,\n  \"params\": {";
    std::string_view separator = "\n    ";
    for (const Tensor *tensor : byName) {
      out += separator;
      if (auto printed = printTensor(*tensor); !printed)
        return failWith(std::move(printed), fmt::format("`{}`", tensor->name));
      separator = ",\n    ";
    }
    out += " } }\n";
    return std::move(out);
  }

private:
  Expected<void> printTensor(const Tensor &tensor) {
    appendJsonString(out, expressionOf(tensor.name));
    out += ": { \"logical_shape\": ";
    appendNumbers(out, tensor.shape);
    ShardList shards = tensor.shards;
    if (shards.empty())
      shards = {wholeShard(tensor.shape)};
    std::vector<std::vector<StridedBlock>> pieces;
    std::map<Elements, std::vector<uint32_t>> holders;
    std::map<uint32_t, size_t> shardOf;
    for (size_t i = 0; i < shards.size(); ++i) {
      const Shard &shard = shards[i];
      if (auto once = checkGivenOnce(shard, tensor.shape, /*mayPad=*/false);
          !once)
        return failWith(std::move(once),
                        fmt::format("rank {}", shard.ranks.front()));
      pieces.push_back(piecesOf(shard, tensor.shape));
      for (const StridedBlock &piece : pieces.back()) {
        std::vector<uint32_t> &ranks = holders[elementsOf(fullViewOf(piece))];
        ranks.insert(ranks.end(), shard.ranks.begin(), shard.ranks.end());
      }
      for (uint32_t rank : shard.ranks)
        if (!shardOf.emplace(rank, i).second)
          return fail(ErrorKind::Unsupported,
                      fmt::format("rank {} has two shards, and an affine map "
                                  "one for each rank",
                                  rank));
    }
    for (auto &[elements, ranks] : holders) {
      std::ranges::sort(ranks);
      auto twins = std::ranges::unique(ranks);
      ranks.erase(twins.begin(), twins.end());
    }
    out += ", \"ranks\": {";
    std::string_view separator = " ";
    for (auto [rank, shard] : shardOf) {
      add("{}\"{}\": {{ \"shard_shape\": ", separator, rank);
      appendNumbers(out, shards[shard].localShape);
      printPieces(pieces[shard], shards[shard].scale, holders);
      separator = ", ";
    }
    out += " } }";
    return {};
  }

  void printPieces(const std::vector<StridedBlock> &pieces, double scale,
                   const std::map<Elements, std::vector<uint32_t>> &holders) {
    out += ", \"pieces\": [";
    std::string_view separator = " ";
    for (const StridedBlock &piece : pieces) {
      out += separator;
      out += "{ \"shape\": ";
      appendNumbers(out, piece.shape);
      add(", \"source\": [{}, ", piece.fullOffset);
      appendNumbers(out, piece.fullStrides);
      add("], \"dest\": [{}, ", piece.shardOffset);
      appendNumbers(out, piece.shardStrides);
      out += "], \"locations\": ";
      appendNumbers(out, holders.at(elementsOf(fullViewOf(piece))));
      if (scale != 1)
        add(", \"scale\": {}", scale);
      out += " }";
      separator = ", ";
    }
    out += pieces.empty() ? "] }" : " ] }";
  }

  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(out), format,
                   std::forward<Args>(args)...);
  }

  std::string out;
};

} // namespace

Expected<std::string> printAffineMap(std::span<const Tensor> tensors) {
  return AffineMapPrinter().print(tensors);
}

} // namespace aoa
