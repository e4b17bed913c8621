//===- RestrictTransfer.cpp - Transfers in bytes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#include "RestrictTransfer.h"

namespace aoa {

namespace {

/// The dimensions in bytes. Of a sub-byte dtype a transfer is one run.
BlockDims dimsInBytes(const Transfer &transfer, const CastSteps &cast,
                      unsigned dtypeBits) {
  std::vector<ByteDim> dims;
  dims.reserve(transfer.dims.size());
  if (dtypeBits % 8 != 0) {
    int64_t elements = 1;
    for (const TransferDim &dim : transfer.dims)
      elements *= dim.extent;
    dims.push_back({elements * dtypeBits / 8, 1, 1});
  } else {
    for (const TransferDim &dim : transfer.dims)
      if (dim.extent != 1)
        dims.push_back({dim.extent, dim.srcStride * cast.srcBytes,
                        dim.dstStride * cast.dstBytes});
  }
  return BlockDims(dims);
}

} // namespace

ByteTransfer::ByteTransfer(const Transfer &transfer, const CastSteps &cast,
                           unsigned dtypeBits)
    : source(transfer.source), ops(transfer.ops), srcAt(transfer.srcAtBytes),
      dstAt(transfer.dstOffset * dtypeBits / 8),
      dims(dimsInBytes(transfer, cast, dtypeBits)),
      dstElementBytes(cast.dstBytes) {}

int64_t ByteTransfer::dstEnd() const {
  int64_t end = dstAt + dstElementBytes;
  for (const ByteDim &dim : dims.all())
    end += (dim.extent - 1) * dim.dstStride;
  return end;
}

} // namespace aoa
