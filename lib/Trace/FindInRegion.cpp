//===- FindInRegion.cpp - Elements of a target region ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A transfer writes dstOffset + Σ i·dstStride. Which i give an offset is found
// dimension by dimension, the largest stride first: what the smaller ones can
// reach leaves one i in nearly every case, since no element is written twice.
//===----------------------------------------------------------------------===//
#include "FindInRegion.h"

#include "aoa/Plan/RegionTransfers.h"
#include "aoa/Support/CheckedMath.h"

#include <algorithm>
#include <optional>

using namespace aoa;
using namespace aoa::trace;

namespace {

/// Steps of one search: far more than a plan of ours needs for the elements
/// that a trace takes.
constexpr int64_t maxSteps = 100'000'000;

std::unexpected<Error> failSlow() {
  return fail(ErrorKind::Limit,
              "finding the elements in the plan takes too many steps; trace "
              "fewer of them");
}

/// The dimensions of a transfer that have more than one index.
class BlockSearch {
public:
  explicit BlockSearch(std::span<const TransferDim> all) {
    for (const TransferDim &dim : all)
      if (dim.extent > 1)
        dims.push_back(dim);
    reach.assign(dims.size() + 1, 0);
    for (size_t i = dims.size(); i-- != 0;)
      reach[i] = reach[i + 1] + (dims[i].extent - 1) * dims[i].dstStride;
  }

  int64_t span() const { return reach.front(); }
  bool writesTwice() const {
    return std::ranges::any_of(
        dims, [](const TransferDim &dim) { return dim.dstStride == 0; });
  }

  /// Returns Σ i·srcStride of the index whose Σ i·dstStride is `offset`.
  std::optional<int64_t> srcOf(int64_t offset, int64_t &stepsLeft) const {
    return search(0, offset, stepsLeft);
  }

private:
  std::optional<int64_t> search(size_t at, int64_t left,
                                int64_t &stepsLeft) const {
    if (at == dims.size())
      return left == 0 ? std::optional<int64_t>(0) : std::nullopt;
    const TransferDim &dim = dims[at];
    const int64_t last = std::min(dim.extent - 1, left / dim.dstStride);
    const int64_t first = left <= reach[at + 1]
                              ? 0
                              : ceilDiv(left - reach[at + 1], dim.dstStride);
    for (int64_t index = last; index >= first; --index) {
      if (--stepsLeft < 0)
        return std::nullopt;
      if (auto rest = search(at + 1, left - index * dim.dstStride, stepsLeft))
        return index * dim.srcStride + *rest;
    }
    return std::nullopt;
  }

  std::vector<TransferDim> dims;
  std::vector<int64_t> reach; ///< Σ (extent-1)·dstStride from a dimension on.
};

std::optional<int64_t> bytesOf(int64_t elements, DType dtype) {
  const int64_t bits = bitsOf(dtype);
  if (bits % 8 == 0)
    return checkedMul(elements, bits / 8);
  const std::optional<int64_t> all = checkedMul(elements, bits);
  return all ? std::optional(*all / 8) : std::nullopt;
}

std::unexpected<Error> failAt(const TargetRegion &region, int64_t offset,
                              const std::string &what) {
  return fail(ErrorKind::Mismatch, "element " + std::to_string(offset) +
                                       " of a shard of `" + region.tensor +
                                       "` is " + what);
}

} // namespace

Expected<std::vector<ReadElement>>
trace::findInRegion(const TransferPlan &plan, const TargetRegion &region,
                    const std::vector<int64_t> &offsets) {
  std::vector<std::optional<ReadElement>> found(offsets.size());
  const RegionTransfers transfers(plan, region);
  int64_t stepsLeft = maxSteps;
  for (size_t number = 0; number < transfers.size(); ++number) {
    const Transfer transfer = transfers[number];
    const BlockSearch block(transfer.dims);
    const auto begin = std::ranges::lower_bound(offsets, transfer.dstOffset);
    const auto end =
        std::ranges::upper_bound(offsets, transfer.dstOffset + block.span());
    if (begin == end)
      continue;
    if (block.writesTwice())
      return failAt(region, transfer.dstOffset, "written twice by the plan");
    for (auto offset = begin; offset != end; ++offset) {
      const auto src = block.srcOf(*offset - transfer.dstOffset, stepsLeft);
      if (--stepsLeft < 0)
        return failSlow();
      if (!src)
        continue;
      std::optional<ReadElement> &read =
          found[static_cast<size_t>(offset - offsets.begin())];
      if (read)
        return failAt(region, *offset, "written twice by the plan");
      const DType from = plan.elementOps[transfer.ops].from;
      const std::optional<int64_t> bytes = bytesOf(*src, from);
      const std::optional<int64_t> byte =
          bytes ? checkedAdd(transfer.srcAtBytes, *bytes) : std::nullopt;
      if (!byte)
        return failAt(region, *offset, "read from behind 63 bits");
      read = {transfer.source, transfer.ops, *byte};
    }
  }
  std::vector<ReadElement> all;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      return failAt(region, offsets[i], "written by no transfer of the plan");
    all.push_back(*found[i]);
  }
  return all;
}
