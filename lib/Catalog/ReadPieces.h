//===- ReadPieces.h - Pieces in JSON ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Layouts, catalogs and affine maps write pieces alike, as two strided views:
//
//   { "shape": [3, 2], "full": [2, [4, 1]], "shard": [0, [2, 1]] }
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_CATALOG_READPIECES_H
#define AOA_LIB_CATALOG_READPIECES_H

#include "JsonFields.h"

namespace aoa {

/// How a form calls the two sides.
struct PieceNames {
  std::string_view full, shard;
};
inline constexpr PieceNames layoutPieceNames = {"full", "shard"};

/// Reads a piece; every fault is reported. Nothing is returned after one. That
/// it lies inside tensor and shard is for who knows them.
std::optional<StridedBlock> readPiece(JsonValue shape, JsonValue full,
                                      JsonValue shard, JsonFields &fields);

/// Reads a list of pieces that have no other fields.
std::vector<StridedBlock> readPieceList(JsonValue value, PieceNames names,
                                        JsonFields &fields);

/// Reads a number that is finite and not 0, which is a fault of `kind`.
std::optional<double> readScaleNumber(JsonValue value,
                                      const DiagnosticKind &kind,
                                      JsonFields &fields);

/// Reads a rank that is a name of an object: decimal, without leading zeros.
std::optional<uint32_t> readRankKey(JsonValue key, JsonFields &fields);

} // namespace aoa

#endif // AOA_LIB_CATALOG_READPIECES_H
