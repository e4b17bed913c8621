//===- RestrictTransferTest.cpp - Transfers cut by intervals ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "RestrictTransfer.h"
#include "PlanBuilder.h"
#include "Tiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace aoa {
namespace {

using Moves = std::vector<std::pair<int64_t, int64_t>>; ///< dst, src

void listMoves(std::span<const ByteDim> dims, int64_t src, int64_t dst,
               Moves &moves) {
  if (dims.empty())
    return moves.emplace_back(dst, src), void();
  for (int64_t i = 0; i < dims[0].extent; ++i)
    listMoves(dims.subspan(1), src + i * dims[0].srcStride,
              dst + i * dims[0].dstStride, moves);
}

/// Restricts `transfer` to all sorts of intervals; returns the most parts.
size_t checkIntervals(const PlacedTransfer &transfer, std::mt19937 &random) {
  const CastSteps cast(castOps({DType::I16}));
  const ByteTransfer bytes(transfer, cast, 16);
  Moves all;
  listMoves(bytes.dims.all(), bytes.srcAt, bytes.dstAt, all);
  std::ranges::sort(all);
  size_t most = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const int64_t size = bytes.dstEnd() / 2 + 3;
    int64_t begin = int64_t(random() % size) * 2;
    int64_t end = int64_t(random() % size) * 2;
    if (begin > end)
      std::swap(begin, end);
    Moves expected, found;
    for (const auto &move : all)
      if (begin <= move.first && move.first < end)
        expected.push_back(move);
    size_t parts = 0;
    restrictTransfer(bytes, begin, end, [&](const TransferPart &part) {
      BlockDims dims = bytes.dims;
      if (part.firstDim < dims.size())
        dims[part.firstDim].extent = part.extent;
      listMoves(dims.all().subspan(part.firstDim), part.srcAt, part.dstAt,
                found);
      ++parts;
    });
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << begin << " " << end;
    most = std::max(most, parts);
  }
  return most;
}

TEST(RestrictTransfer, NestedStridesGiveFewParts) {
  std::mt19937 random(11);
  for (int repeat = 0; repeat < 500; ++repeat) {
    PlacedTransfer transfer;
    transfer.srcAtBytes = int64_t(random() % 100);
    transfer.dstOffset = int64_t(random() % 10);
    int64_t stride = 1 + int64_t(random() % 3);
    for (size_t rank = random() % 5; rank > 0; --rank) {
      const int64_t extent = 1 + int64_t(random() % 6);
      transfer.dims.insert(transfer.dims.begin(),
                           {extent, int64_t(random() % 50), stride});
      stride *= extent;
      stride += int64_t(random() % 3);
    }
    const size_t most = checkIntervals(transfer, random);
    EXPECT_LE(most, std::max<size_t>(2 * transfer.dims.size(), 2) - 1);
  }
}

TEST(RestrictTransfer, AnyStrides) {
  std::mt19937 random(12);
  for (int repeat = 0; repeat < 500; ++repeat) {
    PlacedTransfer transfer;
    for (size_t rank = random() % 4; rank > 0; --rank)
      transfer.dims.push_back({1 + int64_t(random() % 6),
                               int64_t(random() % 50),
                               1 + int64_t(random() % 20)});
    checkIntervals(transfer, random);
  }
}

TEST(TransferIndex, FindsWhatOverlaps) {
  std::mt19937 random(13);
  for (int repeat = 0; repeat < 200; ++repeat) {
    RegionClass made;
    for (size_t count = random() % 40; count > 0; --count) {
      const int64_t offset = int64_t(random() % 150);
      const int64_t extent = 1 + int64_t(random() % (random() % 4 ? 5 : 50));
      made.forms.push_back({0, {{extent, 1, 1}}});
      made.transfers.push_back({uint32_t(made.transfers.size()), 0, 0, offset});
    }
    const TransferIndex index(made, DType::I16);
    for (int64_t begin = 0; begin < 400; begin += 26)
      for (int64_t end : {begin + 2, begin + 50, int64_t(400)}) {
        std::vector<uint32_t> found, expected;
        index.forEachIn(begin, end, [&](uint32_t i) { found.push_back(i); });
        for (uint32_t i = 0; i < made.transfers.size(); ++i) {
          const ClassTransfer &transfer = made.transfers[i];
          const int64_t at = transfer.dstOffset * 2;
          if (at < end &&
              at + made.forms[transfer.form].dims[0].extent * 2 > begin)
            expected.push_back(i);
        }
        std::ranges::sort(found);
        EXPECT_EQ(found, expected);
      }
  }
}

} // namespace
} // namespace aoa
