//===- Fold.cpp - The fewest pieces of one relation -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Two steps until neither changes anything. Joining: pieces with the same
// strides that continue each other along one dimension on both sides become
// one. Stacking: pieces of one shape whose offsets form an arithmetic
// progression on both sides become one with one more dimension. Both start from
// the sorted set, so the order of the input does not matter.
//===----------------------------------------------------------------------===//

#include "aoa/Affine/Fold.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace aoa::affine;

namespace {
/// Orders two extents lists, leaving out entry `without`.
int compare(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b,
            unsigned without = ~0u) {
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  for (unsigned i = 0; i < a.size(); ++i)
    if (i != without && a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

/// Orders by shape (but for dimension `without`) and strides.
int compareForm(const Piece &a, const Piece &b, unsigned without = ~0u) {
  if (int order = compare(a.shape, b.shape, without))
    return order;
  if (int order = compare(a.dst.strides, b.dst.strides))
    return order;
  return compare(a.src.strides, b.src.strides);
}

bool byOffset(const Piece &a, const Piece &b) {
  if (a.dst.offset != b.dst.offset)
    return a.dst.offset < b.dst.offset;
  if (a.src.offset != b.src.offset)
    return a.src.offset < b.src.offset;
  return compareForm(a, b) < 0;
}

bool byForm(const Piece &a, const Piece &b) {
  if (int order = compareForm(a, b))
    return order < 0;
  return byOffset(a, b);
}

/// Whether `next` starts where `piece` ends along `dim`.
bool continues(const Piece &piece, const Piece &next, unsigned dim) {
  return next.dst.offset ==
             piece.dst.offset + piece.shape[dim] * piece.dst.strides[dim] &&
         next.src.offset ==
             piece.src.offset + piece.shape[dim] * piece.src.strides[dim];
}

/// Joins along `dim` what continues each other there. Returns whether anything
/// did.
bool joinAlong(std::vector<Piece> &pieces, unsigned dim) {
  // Pieces that can continue each other along `dim` differ by a multiple of its
  // stride on both sides: sorting by the remainders and what must be equal puts
  // them side by side.
  auto lane = [&](const Piece &piece) {
    int64_t dst = piece.dst.strides[dim], src = piece.src.strides[dim];
    int64_t steps = dst == 0 ? 0 : piece.dst.offset / dst;
    return std::tuple(piece.dst.offset - steps * dst,
                      piece.src.offset - steps * src, steps);
  };
  std::vector<Piece> rest, candidates;
  for (Piece &piece : pieces)
    (piece.shape.size() > dim ? candidates : rest).push_back(std::move(piece));
  llvm::sort(candidates, [&](const Piece &a, const Piece &b) {
    if (int order = compareForm(a, b, dim))
      return order < 0;
    return lane(a) < lane(b);
  });
  size_t before = candidates.size() + rest.size();
  size_t numRest = rest.size();
  for (Piece &piece : candidates) {
    if (rest.size() > numRest && compareForm(rest.back(), piece, dim) == 0 &&
        continues(rest.back(), piece, dim))
      rest.back().shape[dim] += piece.shape[dim];
    else
      rest.push_back(std::move(piece));
  }
  pieces = std::move(rest);
  return pieces.size() != before;
}

bool join(std::vector<Piece> &pieces) {
  size_t maxRank = 0;
  for (const Piece &piece : pieces)
    maxRank = std::max(maxRank, piece.shape.size());
  bool changed = false;
  for (unsigned dim = 0; dim < maxRank && pieces.size() > 1; ++dim)
    changed |= joinAlong(pieces, dim);
  return changed;
}

/// Stacks runs of an arithmetic progression. Returns whether there were any.
bool stack(std::vector<Piece> &pieces) {
  llvm::sort(pieces, byForm);
  std::vector<Piece> stacked;
  for (size_t begin = 0; begin < pieces.size();) {
    auto step = [&](size_t i) {
      return std::pair(pieces[i].dst.offset - pieces[i - 1].dst.offset,
                       pieces[i].src.offset - pieces[i - 1].src.offset);
    };
    auto sameForm = [&](size_t i) {
      return i < pieces.size() && compareForm(pieces[begin], pieces[i]) == 0;
    };
    size_t end = begin + 1;
    // Strides are never negative: such a source order stays as it is.
    if (sameForm(end) && step(end).second >= 0)
      while (sameForm(end) && step(end) == step(begin + 1))
        ++end;
    // A pair is not worth taking the first element of a longer run.
    if (end - begin == 2 && sameForm(end + 1) && step(end) == step(end + 1))
      end = begin + 1;
    Piece piece = std::move(pieces[begin]);
    if (end - begin > 1) {
      auto [dst, src] =
          std::pair(pieces[begin + 1].dst.offset - piece.dst.offset,
                    pieces[begin + 1].src.offset - piece.src.offset);
      piece.shape.push_back(static_cast<int64_t>(end - begin));
      piece.dst.strides.push_back(dst);
      piece.src.strides.push_back(src);
    }
    stacked.push_back(std::move(piece));
    begin = end;
  }
  bool changed = stacked.size() != pieces.size();
  pieces = std::move(stacked);
  return changed;
}

void foldEach(std::vector<Piece> &pieces) {
  for (Piece &piece : pieces)
    piece = foldDims(piece);
}
} // namespace

std::vector<Piece> aoa::affine::fold(std::vector<Piece> pieces) {
  llvm::erase_if(pieces, [](const Piece &piece) {
    return llvm::is_contained(piece.shape, 0);
  });
  foldEach(pieces);
  for (bool changed = pieces.size() > 1; changed;) {
    changed = join(pieces);
    if (changed)
      foldEach(pieces);
    if (stack(pieces)) {
      foldEach(pieces);
      changed = true;
    }
  }
  llvm::sort(pieces, byOffset);
  return pieces;
}
