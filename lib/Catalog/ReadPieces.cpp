//===- ReadPieces.cpp - Pieces in JSON --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "ReadPieces.h"

#include "aoa/Catalog/CatalogDiagnostics.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace aoa {

namespace {

/// `[offset, [strides]]`, with one stride a dimension.
bool readView(JsonValue value, size_t numDims, int64_t &offset, Shape &strides,
              JsonFields &fields) {
  constexpr std::string_view what = "an offset and a list of strides";
  if (!fields.isArray(value, what))
    return false;
  std::vector<JsonValue> parts;
  for (JsonValue part : value.elements()) {
    if (parts.size() == 2)
      break;
    parts.push_back(part);
  }
  if (parts.size() != 2 || value.size() != 2) {
    fields.fault(
        value, diag::JsonType,
        fmt::format("found a list of {}, expected {}", value.size(), what));
    return false;
  }
  std::optional<int64_t> at =
      fields.whole(parts[0], 0, "an offset in elements, not negative");
  if (!at || !fields.isArray(parts[1], "a list of strides"))
    return false;
  offset = *at;
  strides.clear();
  for (JsonValue element : parts[1].elements()) {
    std::optional<int64_t> stride =
        fields.whole(element, 0, "a stride in elements, not negative");
    if (!stride)
      return false;
    strides.push_back(*stride);
  }
  if (strides.size() == numDims)
    return true;
  fields.fault(parts[1], diag::JsonType,
               fmt::format("{} strides for {} dimensions, expected one each",
                           strides.size(), numDims));
  return false;
}

} // namespace

std::optional<StridedBlock> readPiece(JsonValue shape, JsonValue full,
                                      JsonValue shard, JsonFields &fields) {
  std::optional<Shape> extents = fields.shape(shape);
  if (!extents)
    return std::nullopt;
  StridedBlock piece;
  piece.shape = std::move(*extents);
  bool ok = readView(full, piece.shape.size(), piece.fullOffset,
                     piece.fullStrides, fields);
  ok &= readView(shard, piece.shape.size(), piece.shardOffset,
                 piece.shardStrides, fields);
  if (!ok)
    return std::nullopt;
  return piece;
}

std::vector<StridedBlock> readPieceList(JsonValue value, PieceNames names,
                                        JsonFields &fields) {
  std::vector<StridedBlock> pieces;
  if (!fields.isArray(value, "a list of pieces"))
    return pieces;
  for (JsonValue element : value.elements()) {
    auto [shape, full, shard] =
        fields.read<3>(element, {"shape", names.full, names.shard});
    bool ok = fields.require(element, shape, "shape");
    ok &= fields.require(element, full, names.full);
    ok &= fields.require(element, shard, names.shard);
    if (!ok || !shape || !full || !shard)
      continue;
    if (auto piece = readPiece(*shape, *full, *shard, fields))
      pieces.push_back(std::move(*piece));
  }
  return pieces;
}

std::optional<double> readScaleNumber(JsonValue value,
                                      const DiagnosticKind &kind,
                                      JsonFields &fields) {
  std::optional<double> scale = fields.number(value, "a finite number");
  if (!scale)
    return std::nullopt;
  if (!std::isfinite(*scale)) {
    fields.wrongKind(value, "a finite number");
    return std::nullopt;
  }
  if (*scale == 0) {
    fields.fault(value, kind, "scale 0, which cannot be undone");
    return std::nullopt;
  }
  return scale;
}

std::optional<uint32_t> readRankKey(JsonValue key, JsonFields &fields) {
  std::string_view text = key.str();
  uint32_t rank = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), rank);
  if (error == std::errc() && std::to_string(rank) == text && rank <= INT32_MAX)
    return rank;
  fields.fault(key, diag::JsonType,
               fmt::format("found rank `{}`, expected a whole number up to {}",
                           text, INT32_MAX));
  return std::nullopt;
}

} // namespace aoa
