//===- Box.h - Boxes of a dense index space ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A box is {offset, shape} in the index space of one row-major tensor.
//===----------------------------------------------------------------------===//
#ifndef AOA_AFFINE_BOX_H
#define AOA_AFFINE_BOX_H

#include "aoa/Affine/Extents.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace aoa::affine {

struct Box {
  Extents offset;
  Extents shape;

  unsigned rank() const { return shape.size(); }
  bool isEmpty() const { return llvm::is_contained(shape, 0); }
  int64_t numElements() const;
  friend bool operator==(const Box &, const Box &) = default;
};

/// Returns the whole index space of a tensor of `shape`.
Box wholeBox(llvm::ArrayRef<int64_t> shape);

/// Returns the common part, or nothing if it is empty. Scalars meet always.
/// Requires equal ranks.
std::optional<Box> intersect(const Box &a, const Box &b);

/// Returns `a` without `b` as disjoint boxes, at most two an axis.
std::vector<Box> subtract(const Box &a, const Box &b);

/// Finds, for boxes of one index space, those that meet a query. Built once: an
/// interval tree along the axis on which the fewest boxes meet, boxes with one
/// interval there indexed by the other axes again. A query costs O(log n +
/// results) an axis for partitions, grids among them.
class BoxIndex {
public:
  explicit BoxIndex(std::vector<Box> boxes);

  /// Calls `visit(i)` for every box i that meets `query` in at least one
  /// element, in ascending i.
  void visit(const Box &query, llvm::function_ref<void(unsigned)> visit) const;
  const std::vector<Box> &boxes() const { return all; }

private:
  /// Boxes [begin, end) of `order`; leaves are scanned.
  struct Node {
    unsigned begin, end;
    unsigned axis = 0;
    unsigned firstGroup = 0, numGroups = 0; ///< No groups: a leaf.
  };
  /// Boxes with one interval along their node's axis, sorted by it; an implicit
  /// binary tree whose root is the middle.
  struct Group {
    int64_t begin, end;
    int64_t maxEnd; ///< Of the group's subtree.
    unsigned node;
  };
  unsigned build(unsigned begin, unsigned end);
  int64_t setMaxEnds(unsigned begin, unsigned end);
  void collect(unsigned node, const Box &query,
               llvm::SmallVectorImpl<unsigned> &found) const;
  void collectGroups(const Node &node, unsigned begin, unsigned end,
                     const Box &query,
                     llvm::SmallVectorImpl<unsigned> &found) const;

  std::vector<Box> all;
  std::vector<unsigned> order;
  std::vector<Node> nodes;
  std::vector<Group> groups;
};

/// Whether boxes cover an index space exactly once, and if not one witness.
struct CoverResult {
  enum class Kind { Exact, Hole, Overlap, OutOfBounds };
  Kind kind = Kind::Exact;
  Extents index;       ///< The element, for Hole, Overlap, OutOfBounds.
  unsigned first = 0;  ///< Box that covers it (Overlap, OutOfBounds).
  unsigned second = 0; ///< The other one (Overlap).
};
/// Proves that `boxes` cover the boxes in `space` exactly once each (the boxes
/// of `space` must be disjoint; empty boxes count on neither side). Divides the
/// space at planes that cut no box, or few where every plane cuts one; never
/// element by element. Cost: near-linear in the boxes.
CoverResult checkCover(llvm::ArrayRef<Box> boxes, llvm::ArrayRef<Box> space);

} // namespace aoa::affine

#endif // AOA_AFFINE_BOX_H
