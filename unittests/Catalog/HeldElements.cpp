//===- HeldElements.cpp - What a shard holds, one by one --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "HeldElements.h"

#include "aoa/Support/CheckedMath.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace aoa::test {

namespace {

int64_t strideOf(const Shape &shape, size_t dim) {
  int64_t stride = 1;
  for (size_t d = dim + 1; d < shape.size(); ++d)
    stride *= shape[d];
  return stride;
}

void hold(Held &held, int64_t at, int64_t element) {
  ASSERT_GE(at, 0);
  ASSERT_LT(at, static_cast<int64_t>(held.size()));
  ASSERT_EQ(held[static_cast<size_t>(at)], -1) << "held twice";
  held[static_cast<size_t>(at)] = element;
}

/// Calls `visit(full, shard)` for each element of a strided block.
template <typename Visit>
void forEachElement(const StridedBlock &block, Visit visit) {
  int64_t count = checkedNumElements(block.shape).value_or(0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, full = block.fullOffset, shard = block.shardOffset;
    for (size_t dim = block.shape.size(); dim-- > 0;) {
      full += rest % block.shape[dim] * block.fullStrides[dim];
      shard += rest % block.shape[dim] * block.shardStrides[dim];
      rest /= block.shape[dim];
    }
    visit(full, shard);
  }
}

} // namespace

Held heldBy(const Shard &shard, const Shape &whole) {
  Held held(static_cast<size_t>(*checkedNumElements(shard.localShape)), -1);
  for (const Block &box : shard.blocks) {
    StridedBlock block{box.shape, 0, {}, 0, {}};
    for (size_t dim = 0; dim < whole.size(); ++dim) {
      block.fullStrides.push_back(strideOf(whole, dim));
      block.shardStrides.push_back(strideOf(shard.localShape, dim));
      block.fullOffset += box.fullOffset[dim] * block.fullStrides[dim];
      block.shardOffset += box.localOffset[dim] * block.shardStrides[dim];
    }
    forEachElement(
        block, [&](int64_t full, int64_t local) { hold(held, local, full); });
  }
  for (const StridedBlock &block : shard.strided)
    forEachElement(
        block, [&](int64_t full, int64_t local) { hold(held, local, full); });
  return held;
}

std::map<uint32_t, Held> heldByRank(const std::vector<Shard> &shards,
                                    const Shape &whole) {
  std::map<uint32_t, Held> held;
  for (const Shard &shard : shards)
    for (uint32_t rank : shard.ranks)
      EXPECT_TRUE(held.emplace(rank, heldBy(shard, whole)).second);
  return held;
}

std::string readInput(const char *name) {
  std::ifstream file(std::string(AOA_TEST_INPUTS "/") + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

int64_t numberOf(JsonValue object, std::string_view name) {
  std::optional<JsonValue> member = object.find(name);
  return member ? member->wholeNumber().value_or(-1) : -1;
}

Shape shapeOf(JsonValue list) {
  Shape shape;
  for (JsonValue extent : list.elements())
    shape.push_back(extent.wholeNumber().value_or(-1));
  return shape;
}

} // namespace aoa::test
