//===- TransferPlan.cpp - What a plan amounts to ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "aoa/Plan/TransferPlan.h"

#include "aoa/Support/CheckedMath.h"

namespace aoa {

namespace {

/// Sums that do not fit are the largest number: a forged plan can read one byte
/// very often.
int64_t addOrMax(int64_t a, std::optional<int64_t> b) {
  return b ? checkedAdd(a, *b).value_or(INT64_MAX) : INT64_MAX;
}

/// Sums `ofClass(class)` over all regions; once a class.
template <typename OfClass>
int64_t sumOverRegions(const TransferPlan &plan, OfClass ofClass) {
  std::vector<int64_t> terms;
  terms.reserve(plan.classes.size());
  for (const RegionClass &each : plan.classes)
    terms.push_back(ofClass(each));
  int64_t sum = 0;
  for (const TargetFile &file : plan.targets)
    for (const TargetRegion &region : file.regions)
      sum = addOrMax(sum, terms[region.regionClass]);
  return sum;
}

/// Returns the bytes of the elements of a block in `dtype`. Sub-byte tensors
/// move whole, so it is a number of bytes.
std::optional<int64_t> sizeOf(const TransferForm &form, DType dtype) {
  int64_t count = 1;
  for (const TransferDim &dim : form.dims)
    count *= dim.extent;
  const int64_t bits = bitsOf(dtype);
  return checkedMul(count / 8, bits).and_then([&](int64_t whole) {
    return checkedAdd(whole, count % 8 * bits / 8);
  });
}

template <typename DTypeOf>
int64_t sumBytes(const TransferPlan &plan, DTypeOf dtypeOf) {
  return sumOverRegions(plan, [&](const RegionClass &each) {
    std::vector<std::optional<int64_t>> sizes;
    sizes.reserve(each.forms.size());
    for (const TransferForm &form : each.forms)
      sizes.push_back(sizeOf(form, dtypeOf(plan.elementOps[form.ops])));
    int64_t sum = 0;
    for (const ClassTransfer &transfer : each.transfers)
      sum = addOrMax(sum, sizes[transfer.form]);
    return sum;
  });
}

} // namespace

int64_t TransferPlan::numTransfers() const {
  return sumOverRegions(*this, [](const RegionClass &each) {
    return static_cast<int64_t>(each.transfers.size());
  });
}

int64_t TransferPlan::transferBytesWritten() const {
  return sumBytes(*this, [](const ElementOps &ops) { return ops.to(); });
}

int64_t TransferPlan::transferBytesRead() const {
  return sumBytes(*this, [](const ElementOps &ops) { return ops.from; });
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
