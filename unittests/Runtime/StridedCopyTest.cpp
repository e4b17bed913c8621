//===- StridedCopyTest.cpp - Copies and casts of blocks ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "StridedCopy.h"
#include "PlanBuilder.h"
#include "StridedCast.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace aoa {
namespace {

/// Calls `visit(srcOffset, dstOffset)` for each element of a block.
template <typename Visit>
void naive(std::span<const ByteDim> dims, int64_t src, int64_t dst,
           Visit visit) {
  if (dims.empty())
    return visit(src, dst);
  for (int64_t i = 0; i < dims[0].extent; ++i)
    naive(dims.subspan(1), src + i * dims[0].srcStride,
          dst + i * dims[0].dstStride, visit);
}

struct RandomBlock {
  std::vector<ByteDim> dims;
  int64_t srcBytes, dstBytes; ///< Of the buffers.
};

/// A permuted box of random extents with gaps on both sides.
RandomBlock randomBlock(std::mt19937 &random, int64_t srcElement,
                        int64_t dstElement, int64_t maxExtent) {
  const auto below = [&](int64_t n) { return int64_t(random() % n); };
  const size_t rank = below(5);
  std::vector<ByteDim> dims(rank);
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (ByteDim &dim : dims)
    dim.extent = 1 + below(maxExtent);
  const auto layOut = [&](int64_t ByteDim::*stride, int64_t element) {
    std::shuffle(order.begin(), order.end(), random);
    int64_t bytes = element;
    for (size_t i : order) {
      if (below(3) == 0)
        bytes += element * below(3);
      dims[i].*stride = bytes;
      bytes *= dims[i].extent;
    }
    return bytes;
  };
  RandomBlock block;
  block.srcBytes = layOut(&ByteDim::srcStride, srcElement);
  block.dstBytes = layOut(&ByteDim::dstStride, dstElement);
  if (rank > 0 && below(8) == 0)
    dims[0].srcStride = 0;
  block.dims = dims;
  return block;
}

std::vector<std::byte> randomBytes(std::mt19937 &random, int64_t size) {
  std::vector<std::byte> bytes(size);
  for (std::byte &byte : bytes)
    byte = std::byte(random());
  return bytes;
}

TEST(StridedCopy, RandomBlocks) {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const int64_t element = int64_t(1) << (random() % 4);
    const RandomBlock block =
        randomBlock(random, element, element, repeat % 10 == 0 ? 40 : 9);
    const auto src = randomBytes(random, block.srcBytes);
    std::vector<std::byte> dst(block.dstBytes), expected(block.dstBytes);
    copyStrided(dst.data(), src.data(), block.dims, element);
    naive(block.dims, 0, 0, [&](int64_t from, int64_t to) {
      std::memcpy(&expected[to], &src[from], element);
    });
    ASSERT_EQ(dst, expected) << "repeat " << repeat;
  }
}

TEST(StridedCopy, TransposesOfAllSmallSizes) {
  std::mt19937 random(8);
  for (int64_t element : {1, 2, 4, 8, 3 * 4, 16})
    for (int64_t rows = 1; rows < 40; rows += 3)
      for (int64_t columns = 1; columns < 40; ++columns) {
        const auto src = randomBytes(random, rows * columns * element);
        std::vector<std::byte> dst(src.size()), expected(src.size());
        const ByteDim dims[] = {{rows, element, columns * element},
                                {columns, rows * element, element}};
        copyStrided(dst.data(), src.data(), dims, element);
        naive(dims, 0, 0, [&](int64_t from, int64_t to) {
          std::memcpy(&expected[to], &src[from], element);
        });
        ASSERT_EQ(dst, expected) << element << " " << rows << " " << columns;
      }
}

TEST(StridedCast, RandomBlocks) {
  std::mt19937 random(9);
  std::vector<ElementOps> chains = {
      castOps({DType::F32, DType::BF16}),
      castOps({DType::BF16, DType::F32}),
      castOps({DType::F64, DType::F32, DType::F16}),
      castOps({DType::F16, DType::F8_E4M3, DType::F64, DType::F8_E5M2}),
      castOps({DType::U8, DType::I64}),
      castOps({DType::F32}),
      castOps({DType::I16}),
      castOps({DType::F16}),
      castOps({DType::I32, DType::F32}),
  };
  chains[7].divide(3);
  chains[8].multiply(1e-3);
  chains[8].cast(DType::BF16);
  for (int repeat = 0; repeat < 1500; ++repeat) {
    const auto &chain = chains[random() % chains.size()];
    const CastSteps cast(chain);
    const RandomBlock block =
        randomBlock(random, cast.srcBytes, cast.dstBytes, 9);
    const auto src = randomBytes(random, block.srcBytes);
    std::vector<std::byte> dst(block.dstBytes), expected(block.dstBytes);
    const int64_t elements = 1 + random() % 100;
    std::vector<std::byte> a(elements * 8), b(elements * 8);
    const int64_t overflows =
        castStrided(dst.data(), src.data(), block.dims, cast,
                    {{a.data(), b.data()}, elements});
    int64_t expectedOverflows = 0;
    naive(block.dims, 0, 0, [&](int64_t from, int64_t to) {
      std::byte value[8], next[8];
      std::memcpy(value, &src[from], cast.srcBytes);
      for (const ElementStep &step : cast.steps) {
        expectedOverflows += step(next, value, 1);
        std::memcpy(value, next, 8);
      }
      std::memcpy(&expected[to], value, cast.dstBytes);
    });
    ASSERT_EQ(dst, expected) << "repeat " << repeat;
    ASSERT_EQ(overflows, expectedOverflows);
  }
}

} // namespace
} // namespace aoa
