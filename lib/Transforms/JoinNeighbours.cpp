//===- JoinNeighbours.cpp - Boxes that a merge put together -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "JoinNeighbours.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace aoa;
using namespace aoa::ir;

namespace {
/// Orders pieces so that those which may continue each other along `axis`
/// stand side by side, in order of the axis.
class Order {
public:
  explicit Order(unsigned axis) : axis(axis) {}

  bool operator()(const WholePiece &a, const WholePiece &b) const {
    if (int order = compareLane(a, b))
      return order < 0;
    return a.map.dst.offset[axis] < b.map.dst.offset[axis];
  }

  bool continues(const WholePiece &a, const WholePiece &b) const {
    unsigned srcAxis = a.map.perm[axis];
    return compareLane(a, b) == 0 &&
           b.map.dst.offset[axis] ==
               a.map.dst.offset[axis] + a.map.dst.shape[axis] &&
           b.map.srcOffset[srcAxis] ==
               a.map.srcOffset[srcAxis] + a.map.dst.shape[axis];
  }

private:
  template <typename T> static int compare(const T &a, const T &b) {
    return a < b ? -1 : b < a ? 1 : 0;
  }

  int compareLane(const WholePiece &a, const WholePiece &b) const {
    if (int order = compare(a.source, b.source))
      return order;
    if (int order = compare(a.casts, b.casts))
      return order;
    if (int order = compare(a.map.perm, b.map.perm))
      return order;
    for (unsigned i = 0; i < a.map.perm.size(); ++i) {
      if (i == axis)
        continue;
      unsigned srcAxis = a.map.perm[i];
      if (int order = compare(a.map.dst.offset[i], b.map.dst.offset[i]))
        return order;
      if (int order = compare(a.map.dst.shape[i], b.map.dst.shape[i]))
        return order;
      if (int order =
              compare(a.map.srcOffset[srcAxis], b.map.srcOffset[srcAxis]))
        return order;
    }
    return 0;
  }

  unsigned axis;
};
} // namespace

void aoa::joinNeighbours(std::vector<WholePiece> &pieces, unsigned axis) {
  if (pieces.size() < 2)
    return;
  Order order(axis);
  std::vector<unsigned> sorted(pieces.size());
  for (unsigned i = 0; i < sorted.size(); ++i)
    sorted[i] = i;
  llvm::sort(sorted, [&](unsigned a, unsigned b) {
    return order(pieces[a], pieces[b]);
  });

  std::vector<bool> joined(pieces.size(), false);
  bool any = false;
  unsigned last = sorted[0];
  for (unsigned i : llvm::drop_begin(sorted)) {
    if (order.continues(pieces[last], pieces[i])) {
      pieces[last].map.dst.shape[axis] += pieces[i].map.dst.shape[axis];
      joined[i] = any = true;
    } else {
      last = i;
    }
  }
  if (!any)
    return;
  size_t kept = 0;
  for (unsigned i = 0; i < pieces.size(); ++i)
    if (!joined[i]) {
      if (kept != i)
        pieces[kept] = std::move(pieces[i]);
      ++kept;
    }
  pieces.erase(pieces.begin() + kept, pieces.end());
}
