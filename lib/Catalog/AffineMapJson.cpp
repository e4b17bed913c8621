//===- AffineMapJson.cpp - Reading DeepSpeed's affine maps ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Catalog/AffineMapJson.h"

#include "ParameterName.h"
#include "PlacePieces.h"
#include "ReadPieces.h"
#include "aoa/Catalog/CatalogDiagnostics.h"
#include "aoa/Catalog/StridedBlocks.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>

#include <fmt/format.h>

namespace aoa {

namespace {

/// The pieces of a parameter over all ranks, to be checked together.
struct HeldPieces {
  std::vector<FlatView> views;
  std::vector<uint32_t> ranks; ///< That list them.
  std::vector<std::vector<uint32_t>> locations;
  std::vector<JsonValue> values;
};

class AffineMapReader {
public:
  AffineMapReader(FileId file, DiagnosticSink &sink) : fields(file, sink) {
    layout.file = file;
    layout.mesh.axes = {{"shard", 1}};
  }

  std::optional<Layout> read(std::string_view json) {
    std::optional<JsonDocument> document = fields.parse(json);
    if (!document)
      return std::nullopt;
    readMap(unwrap(document->root()));
    if (fields.hadFaults())
      return std::nullopt;
    auto files =
        FileNamePattern::parse(FileNamePattern::defaultText, layout.mesh);
    layout.files = std::move(*files); // A pattern that names ranks only.
    return std::move(layout);
  }

private:
  void wrong(JsonValue value, std::string message,
             std::vector<Note> notes = {}) {
    fields.fault(value, diag::AffineMapFault, std::move(message),
                 std::move(notes));
  }

  /// The map inside of what DeepSpeed stores it in.
  static JsonValue unwrap(JsonValue value) {
    for (std::string_view name : {"universal_checkpoint_info", "affine_map"})
      if (value.isObject())
        if (auto inner = value.find(name))
          value = *inner;
    return value;
  }

  void readMap(JsonValue value) {
    // Another version may have other fields: those are not at fault.
    if (value.isObject())
      if (auto version = value.find("version");
          version && version->isNumber() && version->wholeNumber() != 1)
        return wrong(*version,
                     fmt::format("version {} of an affine map, expected 1",
                                 version->rawText().substr(0, 40)));
    auto [version, params] = fields.read<2>(value, {"version", "params"});
    if (!value.isObject())
      return;
    if (fields.require(value, version, "version"))
      fields.whole(*version, 1, "version 1");
    if (!fields.require(value, params, "params") ||
        !fields.isObject(*params, "an object from name to map"))
      return;
    for (auto [key, param] : params->members()) {
      if (fields.isFull())
        return;
      readParam(key, param);
    }
  }

  void readParam(JsonValue key, JsonValue value) {
    Expected<std::string> name = nameOfParameter(key.str());
    if (!name)
      return wrong(key, name.error().str());
    auto [first, isNew] = names.try_emplace(*name, key);
    if (!isNew)
      return wrong(key, fmt::format("parameter `{}` is given twice", *name),
                   {{fields.rangeOf(first->second), "first given here"}});
    auto [shape, ranks] = fields.read<2>(value, {"logical_shape", "ranks"});
    LayoutRule rule;
    rule.match = NamePattern::literal(*name);
    rule.range = fields.rangeOf(key);
    rule.path = key.path();
    rule.hasPieces = true;
    if (fields.require(value, shape, "logical_shape"))
      rule.shape = fields.shape(*shape);
    if (!fields.require(value, ranks, "ranks") || !rule.shape ||
        !fields.isObject(*ranks, "an object from rank to its pieces"))
      return;
    HeldPieces held;
    bool ok = true;
    for (auto [rankKey, rankValue] : ranks->members())
      ok &= readRank(rankKey, rankValue, rule, held);
    if (ok)
      checkHolders(*ranks, *rule.shape, held);
    layout.ruleOfName.emplace(*name, layout.rules.size());
    layout.rules.push_back(std::move(rule));
  }

  bool readRank(JsonValue key, JsonValue value, LayoutRule &rule,
                HeldPieces &held) {
    std::optional<uint32_t> rank = readRankKey(key, fields);
    auto [shape, pieces] = fields.read<2>(value, {"shard_shape", "pieces"});
    std::optional<Shape> local;
    if (fields.require(value, shape, "shard_shape"))
      local = fields.shape(*shape);
    if (!fields.require(value, pieces, "pieces") || !local || !rank ||
        !fields.isArray(*pieces, "a list of pieces"))
      return false;
    int64_t &numRanks = layout.mesh.axes[0].size;
    numRanks = std::max<int64_t>(numRanks, int64_t{*rank} + 1);

    RankPieces given;
    given.localShape = *local;
    Shard shard;
    shard.localShape = std::move(*local);
    std::optional<JsonValue> firstScaled; ///< The first piece with elements.
    bool ok = true;
    for (JsonValue piece : pieces->elements())
      ok &= readPieceOf(*rank, piece, *rule.shape, shard, given, firstScaled,
                        held);
    if (ok)
      if (auto once = checkGivenOnce(shard, *rule.shape, /*mayPad=*/false);
          !once) {
        wrong(*pieces, fmt::format("rank {}: {}", *rank, once.error().str()));
        ok = false;
      }
    rule.pieces.emplace(*rank, std::move(given));
    return ok;
  }

  bool readPieceOf(uint32_t rank, JsonValue value, const Shape &fullShape,
                   Shard &shard, RankPieces &given,
                   std::optional<JsonValue> &firstPiece, HeldPieces &held) {
    auto [shape, source, dest, locations, scale] = fields.read<5>(
        value, {"shape", "source", "dest", "locations", "scale"});
    bool ok = fields.require(value, shape, "shape");
    ok &= fields.require(value, source, "source");
    ok &= fields.require(value, dest, "dest");
    ok &= fields.require(value, locations, "locations");
    if (!ok || !shape || !source || !dest || !locations)
      return false;
    std::optional<StridedBlock> piece =
        readPiece(*shape, *source, *dest, fields);
    std::optional<std::vector<uint32_t>> holders = readLocations(*locations);
    std::optional<double> factor = 1;
    if (scale)
      factor = readScaleNumber(*scale, diag::AffineMapFault, fields);
    if (!piece || !holders || !factor)
      return false;
    if (std::ranges::find(piece->shape, 0) != piece->shape.end())
      return true; // Writers leave such pieces where a rank has nothing.
    if (auto added = addPiece(shard, fullShape, *piece); !added) {
      wrong(value, fmt::format("piece {}", added.error().str()));
      return false;
    }
    if (!firstPiece) {
      firstPiece = value;
      given.scale = *factor;
    } else if (given.scale != *factor) {
      wrong(scale ? *scale : value,
            fmt::format("scale {} in a shard of rank {} that has scale {}, "
                        "expected one scale for all of its pieces",
                        *factor, rank, given.scale),
            {{fields.rangeOf(*firstPiece), "this piece says so"}});
      return false;
    }
    if (!std::ranges::binary_search(*holders, rank)) {
      wrong(*locations, fmt::format("locations {} lack rank {}, which lists "
                                    "the piece",
                                    formatRanks(*holders), rank));
      return false;
    }
    given.pieces.push_back(*piece);
    held.views.push_back(fullViewOf(*piece));
    held.ranks.push_back(rank);
    held.locations.push_back(std::move(*holders));
    held.values.push_back(*locations);
    return true;
  }

  std::optional<std::vector<uint32_t>> readLocations(JsonValue value) {
    if (!fields.isArray(value, "a list of ranks"))
      return std::nullopt;
    std::vector<uint32_t> ranks;
    for (JsonValue element : value.elements()) {
      std::optional<uint32_t> rank;
      if (element.isString()) {
        rank = readRankKey(element, fields);
      } else if (auto number = fields.whole(element, 0, "a rank")) {
        if (*number > INT32_MAX)
          wrong(element, fmt::format("rank {}, expected at most {}", *number,
                                     INT32_MAX));
        else
          rank = static_cast<uint32_t>(*number);
      }
      if (!rank)
        return std::nullopt;
      ranks.push_back(*rank);
    }
    std::ranges::sort(ranks);
    auto twins = std::ranges::unique(ranks);
    ranks.erase(twins.begin(), twins.end());
    return ranks;
  }

  /// Every element must be held, and by exactly the ranks that the pieces say
  /// that it is in.
  void checkHolders(JsonValue value, const Shape &shape,
                    const HeldPieces &held) {
    auto done = forEachFlatRegion(
        held.views, checkedNumElements(shape).value_or(0),
        [&](int64_t address, std::span<const uint32_t> pieces) {
          if (pieces.empty()) {
            wrong(value, fmt::format("element {} of shape {} is in no piece "
                                     "of any rank",
                                     formatIndexOf(address, shape),
                                     formatShape(shape)));
            return false;
          }
          if (auto twice = std::ranges::adjacent_find(pieces);
              twice != pieces.end()) {
            wrong(held.values[*twice],
                  fmt::format("a piece of rank {} holds element {} of shape {} "
                              "twice",
                              held.ranks[*twice], formatIndexOf(address, shape),
                              formatShape(shape)));
            return false;
          }
          return checkHoldersOf(address, shape, pieces, held);
        });
    if (!done)
      wrong(value, done.error().str());
  }

  bool checkHoldersOf(int64_t address, const Shape &shape,
                      std::span<const uint32_t> pieces,
                      const HeldPieces &held) {
    std::vector<uint32_t> &ranks = holders;
    ranks.clear();
    for (uint32_t piece : pieces)
      ranks.push_back(held.ranks[piece]);
    std::ranges::sort(ranks);
    auto twins = std::ranges::unique(ranks);
    ranks.erase(twins.begin(), twins.end());
    for (uint32_t piece : pieces)
      if (held.locations[piece] != ranks) {
        wrong(held.values[piece],
              fmt::format("locations {} of a piece of rank {}, but element {} "
                          "of shape {} is in pieces of ranks {}",
                          formatRanks(held.locations[piece]), held.ranks[piece],
                          formatIndexOf(address, shape), formatShape(shape),
                          formatRanks(ranks)));
        return false;
      }
    return true;
  }

  /// Shortened: a message need not show thousands.
  static std::string formatRanks(const std::vector<uint32_t> &ranks) {
    constexpr size_t most = 8;
    std::string text = "[";
    for (size_t i = 0; i < std::min(ranks.size(), most); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
    if (ranks.size() > most)
      text += fmt::format(" and {} more", ranks.size() - most);
    return text + "]";
  }

  JsonFields fields;
  Layout layout;
  std::map<std::string, JsonValue> names;
  std::vector<uint32_t> holders; ///< Kept for its memory.
};

} // namespace

std::optional<Layout> parseAffineMap(std::string_view json, FileId file,
                                     DiagnosticSink &sink) {
  return AffineMapReader(file, sink).read(json);
}

Catalog tensorsOfAffineMap(const Layout &map) {
  Catalog catalog;
  ShardLists lists;
  for (const LayoutRule &rule : map.rules) {
    // Reading has made sure of it.
    Expected<Placement> placement = placePieces(map, rule, *rule.shape);
    if (!placement)
      continue;
    Tensor tensor{.name = rule.match.text(),
                  .dtype = DType::F32,
                  .shape = *rule.shape,
                  .shards = lists.intern(std::move(placement->shards)),
                  .range = rule.range};
    tensor.dtypeIsKnown = false;
    catalog.tensors.push_back(std::move(tensor));
  }
  // Reading has found names that come twice.
  (void)sortByName(catalog.tensors);
  return catalog;
}

} // namespace aoa
