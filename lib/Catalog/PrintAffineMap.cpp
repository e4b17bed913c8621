//===- PrintAffineMap.cpp - Writing affine maps -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "AppendNumbers.h"
#include "ParameterName.h"
#include "aoa/Catalog/AffineMapJson.h"
#include "aoa/Catalog/FlatRegions.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Support/CheckedMath.h"
#include "aoa/Support/JsonReader.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace aoa {

namespace {

using Ranks = std::vector<uint32_t>;

/// Returns the ranks that hold each piece of each shard, however they cut it.
/// Fails where not all elements of a piece have the same.
Expected<std::vector<std::vector<Ranks>>>
findHolders(const Shape &shape, const ShardList &shards,
            std::span<const std::vector<StridedBlock>> pieces) {
  std::vector<FlatView> views;
  std::vector<std::pair<size_t, size_t>> pieceOf;
  std::vector<std::vector<Ranks>> holders(pieces.size());
  for (size_t shard = 0; shard < pieces.size(); ++shard) {
    holders[shard].resize(pieces[shard].size());
    for (size_t i = 0; i < pieces[shard].size(); ++i) {
      views.push_back(fullViewOf(pieces[shard][i]));
      pieceOf.emplace_back(shard, i);
    }
  }
  std::optional<int64_t> mixed;
  Ranks ranks;
  auto visit = [&](int64_t address, std::span<const uint32_t> found) {
    ranks.clear();
    for (uint32_t view : found) {
      const Ranks &own = shards[pieceOf[view].first].ranks;
      ranks.insert(ranks.end(), own.begin(), own.end());
    }
    std::ranges::sort(ranks);
    auto twins = std::ranges::unique(ranks);
    ranks.erase(twins.begin(), twins.end());
    for (uint32_t view : found) {
      auto [shard, i] = pieceOf[view];
      Ranks &known = holders[shard][i];
      if (known.empty())
        known = ranks;
      else if (known != ranks)
        mixed = address;
    }
    return !mixed;
  };
  auto done =
      forEachFlatRegion(views, checkedNumElements(shape).value_or(0), visit);
  if (!done)
    return failWith(std::move(done));
  if (mixed)
    return fail(ErrorKind::Mismatch,
                fmt::format("element {} has other holders than others of its "
                            "piece",
                            formatIndexOf(*mixed, shape)));
  return holders;
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
    std::map<uint32_t, size_t> shardOf;
    for (size_t i = 0; i < shards.size(); ++i) {
      const Shard &shard = shards[i];
      if (auto once = checkGivenOnce(shard, tensor.shape, /*mayPad=*/false);
          !once)
        return failWith(std::move(once),
                        fmt::format("rank {}", shard.ranks.front()));
      pieces.push_back(piecesOf(shard, tensor.shape));
      for (uint32_t rank : shard.ranks)
        if (!shardOf.emplace(rank, i).second)
          return fail(ErrorKind::Unsupported,
                      fmt::format("rank {} has two shards, and an affine map "
                                  "one for each rank",
                                  rank));
    }
    auto holders = findHolders(tensor.shape, shards, pieces);
    if (!holders)
      return failWith(std::move(holders));
    out += ", \"ranks\": {";
    std::string_view separator = " ";
    for (auto [rank, shard] : shardOf) {
      add("{}\"{}\": {{ \"shard_shape\": ", separator, rank);
      appendNumbers(out, shards[shard].localShape);
      printPieces(pieces[shard], shards[shard].scale, (*holders)[shard]);
      separator = ", ";
    }
    out += " } }";
    return {};
  }

  void printPieces(const std::vector<StridedBlock> &pieces, double scale,
                   const std::vector<Ranks> &holders) {
    out += ", \"pieces\": [";
    std::string_view separator = " ";
    for (size_t i = 0; i < pieces.size(); ++i) {
      const StridedBlock &piece = pieces[i];
      out += separator;
      out += "{ \"shape\": ";
      appendNumbers(out, piece.shape);
      add(", \"source\": [{}, ", piece.fullOffset);
      appendNumbers(out, piece.fullStrides);
      add("], \"dest\": [{}, ", piece.shardOffset);
      appendNumbers(out, piece.shardStrides);
      out += "], \"locations\": ";
      appendNumbers(out, holders[i]);
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
