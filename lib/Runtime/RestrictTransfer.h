//===- RestrictTransfer.h - A transfer cut to an interval -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tile of the output is an interval [begin, end) of the elements of a region.
// Of a block with nested target strides at most 2·ndim − 1 blocks lie in it:
//
//   rows 0-3 of 4, elements [6, 17):      . . . . | . . 6 7 | 8 … 15 | 16 . . .
//                                                   block     block    block
//
// Strides that do not nest are cut correctly too, into more blocks.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_RUNTIME_RESTRICTTRANSFER_H
#define AOA_LIB_RUNTIME_RESTRICTTRANSFER_H

#include "StridedCast.h"
#include "aoa/Plan/RegionTransfers.h"

namespace aoa {

/// A transfer with strides and offsets in bytes, in canonical form.
struct ByteTransfer {
  uint32_t source;
  uint32_t ops;
  int64_t srcAt; ///< In the source file.
  int64_t dstAt; ///< In the region.
  BlockDims dims;
  int64_t dstElementBytes;

  ByteTransfer(const Transfer &transfer, const CastSteps &cast,
               unsigned dtypeBits);

  /// Where the last byte it writes ends.
  int64_t dstEnd() const;
};

/// A part of a transfer: dims[firstDim..] of it, the first cut to `extent`.
struct TransferPart {
  int64_t srcAt;
  int64_t dstAt;
  size_t firstDim;
  int64_t extent; ///< Of dims[firstDim]; 1 when there is none.
};

/// Calls `visit(TransferPart)` for the parts of `transfer` in bytes [begin,
/// end) of the region, both multiples of the target's element.
template <typename Visit> class TransferRestriction {
public:
  TransferRestriction(const ByteTransfer &transfer, int64_t begin, int64_t end,
                      Visit visit)
      : dims(transfer.dims), begin(begin), end(end), visit(visit) {
    reach[dims.size()] = transfer.dstElementBytes;
    for (size_t i = dims.size(); i-- > 0;)
      reach[i] = reach[i + 1] + (dims[i].extent - 1) * dims[i].dstStride;
    restrict(0, transfer.srcAt, transfer.dstAt);
  }

private:
  void restrict(size_t level, int64_t srcAt, int64_t dstAt) {
    if (dstAt >= end || dstAt + reach[level] <= begin)
      return;
    if (begin <= dstAt && dstAt + reach[level] <= end) {
      visit(TransferPart{srcAt, dstAt, level,
                         level < dims.size() ? dims[level].extent : 1});
      return;
    }
    // One element is inside or outside, so there is a dimension to cut.
    const ByteDim &dim = dims[level];
    const int64_t stride = dim.dstStride, inner = reach[level + 1];
    const auto clamped = [&](int64_t index) {
      return index < 0 ? 0 : index > dim.extent ? dim.extent : index;
    };
    // Indexes whose inner blocks touch the interval, and lie in it whole.
    const int64_t touchedBegin =
        clamped(floorDiv(begin - inner - dstAt, stride) + 1);
    const int64_t touchedEnd = clamped(-floorDiv(dstAt - end, stride));
    const int64_t wholeBegin = clamped(-floorDiv(dstAt - begin, stride));
    const int64_t wholeEnd = clamped(floorDiv(end - inner - dstAt, stride) + 1);
    const auto each = [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i)
        restrict(level + 1, srcAt + i * dim.srcStride, dstAt + i * stride);
    };
    if (wholeBegin >= wholeEnd)
      return each(touchedBegin, touchedEnd);
    each(touchedBegin, wholeBegin);
    visit(TransferPart{srcAt + wholeBegin * dim.srcStride,
                       dstAt + wholeBegin * stride, level,
                       wholeEnd - wholeBegin});
    each(wholeEnd, touchedEnd);
  }

  static int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  const BlockDims &dims;
  const int64_t begin, end;
  Visit visit;
  /// Bytes from the start of dims[i..] to its last byte.
  std::array<int64_t, maxBlockDims + 1> reach;
};

template <typename Visit>
void restrictTransfer(const ByteTransfer &transfer, int64_t begin, int64_t end,
                      Visit visit) {
  TransferRestriction<Visit>(transfer, begin, end, visit);
}

} // namespace aoa

#endif // AOA_LIB_RUNTIME_RESTRICTTRANSFER_H
