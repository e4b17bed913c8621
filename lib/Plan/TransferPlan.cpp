//===- TransferPlan.cpp - What a plan amounts to ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/TransferPlan.h"

#include "aoa/Support/CheckedMath.h"

namespace aoa {

namespace {

int64_t numElements(const Transfer &transfer) {
  int64_t product = 1;
  for (const TransferDim &dim : transfer.dims)
    product *= dim.extent;
  return product;
}

/// Sums the bytes that the elements of all transfers have in the dtype that
/// `dtypeOf` picks from their cast chain. Sub-byte tensors move whole, so every
/// term is a number of bytes. A forged plan can read one byte very often: a sum
/// that does not fit is the largest number.
template <typename DTypeOf>
int64_t sumBytes(const TransferPlan &plan, DTypeOf dtypeOf) {
  int64_t bytes = 0;
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions)
      for (const Transfer &transfer : region.transfers) {
        const int64_t bits =
            bitsOf(dtypeOf(plan.castChains[transfer.castChain]));
        const int64_t count = numElements(transfer);
        const std::optional<int64_t> term =
            checkedMul(count / 8, bits).and_then([&](int64_t whole) {
              return checkedAdd(whole, count % 8 * bits / 8);
            });
        const std::optional<int64_t> sum =
            term ? checkedAdd(bytes, *term) : std::nullopt;
        if (!sum)
          return INT64_MAX;
        bytes = *sum;
      }
  return bytes;
}

} // namespace

int64_t TransferPlan::numTransfers() const {
  int64_t count = 0;
  for (const TargetFile &file : targets)
    for (const TargetRegion &region : file.regions)
      count += static_cast<int64_t>(region.transfers.size());
  return count;
}

int64_t TransferPlan::transferBytesWritten() const {
  return sumBytes(*this, [](const auto &chain) { return chain.back(); });
}

int64_t TransferPlan::transferBytesRead() const {
  return sumBytes(*this, [](const auto &chain) { return chain.front(); });
}

int64_t TransferPlan::outputBytes() const {
  int64_t bytes = 0;
  for (const TargetFile &file : targets)
    bytes += file.bytes;
  for (const IndexFile &index : indexes)
    bytes += static_cast<int64_t>(index.text.size());
  for (const CopiedFile &copy : copies)
    bytes += copy.bytes;
  return bytes;
}

} // namespace aoa
