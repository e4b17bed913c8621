//===- AddressParts.cpp - Sets taken apart where addresses allow *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "AddressParts.h"

#include "aoa/Affine/Digits.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;

namespace {
/// The addresses between a piece's first and last.
struct Span {
  int64_t begin, end;
  uint32_t index;
  bool isOfB;
  bool operator<(const Span &other) const {
    return std::tie(begin, isOfB, index) <
           std::tie(other.begin, other.isOfB, other.index);
  }
};
} // namespace

static void addSpans(const PieceSet &set, Side side, bool isOfB,
                     std::vector<Span> &spans) {
  for (size_t i = 0; i < set.size(); ++i) {
    PieceRef piece = set[i];
    if (piece.isEmpty())
      continue;
    Span span{piece.offset(side), piece.offset(side) + 1,
              static_cast<uint32_t>(i), isOfB};
    for (unsigned dim = 0; dim < piece.rank(); ++dim)
      span.end += (piece.shape[dim] - 1) * piece.strides(side)[dim];
    spans.push_back(span);
  }
}

static void addStrides(const PieceRef &piece, Side side,
                       llvm::SmallVectorImpl<int64_t> &strides) {
  for (unsigned dim = 0; dim < piece.rank(); ++dim) {
    int64_t stride = piece.strides(side)[dim];
    if (piece.shape[dim] > 1 && stride > 0 &&
        !llvm::is_contained(strides, stride))
      strides.push_back(stride);
  }
}

std::vector<AddressPart> aoa::affine::takeApart(const PieceSet &a, Side sideOfA,
                                                const PieceSet &b,
                                                Side sideOfB) {
  std::vector<Span> spans;
  spans.reserve(a.size() + b.size());
  addSpans(a, sideOfA, false, spans);
  addSpans(b, sideOfB, true, spans);
  llvm::sort(spans);

  std::vector<AddressPart> parts;
  size_t numGroups = 0;
  llvm::SmallVector<int64_t, 16> strides;
  std::vector<Span> group;
  for (size_t begin = 0, end = 0; begin < spans.size(); begin = end) {
    int64_t reached = spans[begin].end;
    bool hasA = false, hasB = false;
    llvm::SmallVector<int64_t, 16> ofGroup;
    for (; end < spans.size() && spans[end].begin < reached; ++end) {
      const Span &span = spans[end];
      reached = std::max(reached, span.end);
      (span.isOfB ? hasB : hasA) = true;
      addStrides(span.isOfB ? b[span.index] : a[span.index],
                 span.isOfB ? sideOfB : sideOfA, ofGroup);
    }
    ++numGroups;
    if (!hasA || !hasB)
      continue;
    llvm::SmallVector<int64_t, 16> both(strides);
    for (int64_t stride : ofGroup)
      if (!llvm::is_contained(both, stride))
        both.push_back(stride);
    // Few parts: neighbours that agree stay together.
    if (parts.empty() || !Digits::ofNesting(both)) {
      parts.emplace_back();
      strides = ofGroup;
    } else {
      strides = both;
    }
    group.assign(spans.begin() + begin, spans.begin() + end);
    llvm::sort(group, [](const Span &x, const Span &y) {
      return std::tie(x.isOfB, x.index) < std::tie(y.isOfB, y.index);
    });
    for (const Span &span : group) {
      if (span.isOfB)
        parts.back().b.add(b[span.index]);
      else
        parts.back().a.add(a[span.index]);
    }
  }
  if (numGroups == 1)
    parts.clear();
  return parts;
}
