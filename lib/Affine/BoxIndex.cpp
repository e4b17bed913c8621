//===- BoxIndex.cpp - Boxes that meet a query -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Box.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;

namespace {
constexpr unsigned leafSize = 8;

int64_t endOf(const Box &box, unsigned axis) {
  return box.offset[axis] + box.shape[axis];
}

bool meets(const Box &a, const Box &b) {
  for (unsigned i = 0; i < a.rank(); ++i)
    if (a.offset[i] >= endOf(b, i) || b.offset[i] >= endOf(a, i))
      return false;
  return true;
}

/// Returns how many ordered pairs of `order` meet along `axis`.
int64_t countMeetingPairs(llvm::ArrayRef<Box> boxes,
                          llvm::ArrayRef<unsigned> order, unsigned axis) {
  std::vector<int64_t> begins, ends;
  for (unsigned i : order) {
    begins.push_back(boxes[i].offset[axis]);
    ends.push_back(endOf(boxes[i], axis));
  }
  llvm::sort(begins);
  llvm::sort(ends);
  // A box meets those that begin before its end, but for those that end before
  // its begin; both counts only grow along the sorted lists.
  int64_t pairs = 0;
  size_t before = 0;
  for (int64_t end : ends) {
    while (before < begins.size() && begins[before] < end)
      ++before;
    pairs += static_cast<int64_t>(before);
  }
  before = 0;
  for (int64_t begin : begins) {
    while (before < ends.size() && ends[before] <= begin)
      ++before;
    pairs -= static_cast<int64_t>(before);
  }
  return pairs;
}
} // namespace

BoxIndex::BoxIndex(std::vector<Box> boxes) : all(std::move(boxes)) {
  // Empty boxes meet nothing.
  for (unsigned i = 0; i < all.size(); ++i)
    if (!all[i].isEmpty())
      order.push_back(i);
  build(0, order.size());
}

unsigned BoxIndex::build(unsigned begin, unsigned end) {
  unsigned self = nodes.size();
  nodes.push_back({begin, end});
  if (end - begin <= leafSize)
    return self;

  llvm::ArrayRef<unsigned> mine(order.data() + begin, end - begin);
  auto size = static_cast<int64_t>(mine.size());
  unsigned axis = 0;
  int64_t fewest = size * size;
  for (unsigned i = 0, rank = all[mine[0]].rank(); i < rank; ++i) {
    int64_t pairs = countMeetingPairs(all, mine, i);
    if (pairs < fewest) {
      fewest = pairs;
      axis = i;
    }
  }
  if (fewest == size * size)
    return self; // All meet along every axis: nothing to tell them apart by.

  auto key = [&](unsigned i) {
    return std::tuple(all[i].offset[axis], endOf(all[i], axis), i);
  };
  std::sort(order.begin() + begin, order.begin() + end,
            [&](unsigned a, unsigned b) { return key(a) < key(b); });
  unsigned firstGroup = groups.size();
  std::vector<unsigned> starts;
  for (unsigned i = begin; i < end; ++i) {
    const Box &box = all[order[i]];
    if (starts.empty() || groups.back().begin != box.offset[axis] ||
        groups.back().end != endOf(box, axis)) {
      starts.push_back(i);
      groups.push_back({box.offset[axis], endOf(box, axis), 0, 0});
    }
  }
  unsigned numGroups = starts.size();
  setMaxEnds(firstGroup, firstGroup + numGroups);
  nodes[self].axis = axis;
  nodes[self].firstGroup = firstGroup;
  nodes[self].numGroups = numGroups;
  starts.push_back(end);
  for (unsigned i = 0; i < numGroups; ++i) {
    unsigned child = build(starts[i], starts[i + 1]);
    groups[firstGroup + i].node = child;
  }
  return self;
}

int64_t BoxIndex::setMaxEnds(unsigned begin, unsigned end) {
  if (begin == end)
    return INT64_MIN;
  unsigned middle = begin + (end - begin) / 2;
  int64_t maxEnd = std::max(setMaxEnds(begin, middle), groups[middle].end);
  return groups[middle].maxEnd = std::max(maxEnd, setMaxEnds(middle + 1, end));
}

void BoxIndex::collectGroups(const Node &node, unsigned begin, unsigned end,
                             const Box &query,
                             llvm::SmallVectorImpl<unsigned> &found) const {
  if (begin == end)
    return;
  unsigned middle = begin + (end - begin) / 2;
  const Group &group = groups[middle];
  if (group.maxEnd <= query.offset[node.axis])
    return;
  collectGroups(node, begin, middle, query, found);
  if (group.begin >= endOf(query, node.axis))
    return;
  if (group.end > query.offset[node.axis])
    collect(group.node, query, found);
  collectGroups(node, middle + 1, end, query, found);
}

void BoxIndex::collect(unsigned index, const Box &query,
                       llvm::SmallVectorImpl<unsigned> &found) const {
  const Node &node = nodes[index];
  if (node.numGroups != 0) {
    collectGroups(node, node.firstGroup, node.firstGroup + node.numGroups,
                  query, found);
    return;
  }
  for (unsigned i = node.begin; i < node.end; ++i)
    if (meets(all[order[i]], query))
      found.push_back(order[i]);
}

void BoxIndex::visit(const Box &query,
                     llvm::function_ref<void(unsigned)> visit) const {
  if (query.isEmpty())
    return;
  llvm::SmallVector<unsigned, 16> found;
  collect(0, query, found);
  llvm::sort(found);
  for (unsigned i : found)
    visit(i);
}
