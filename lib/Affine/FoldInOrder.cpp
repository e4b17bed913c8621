//===- FoldInOrder.cpp - What one walk along dst can tell -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Most groups of blocks are one piece that was cut up, or do not fold at all.
// Both show when they are walked through in the order of dst:
//
//   cells of a matrix    0 1 2    rows of cells continue each other, then rows
//                        3 4 5    of the matrix: one block
//
// A relation that is one block in the order of dst has one form: stride by
// stride the dst side leaves no choice, so it does not matter how it was found.
//===----------------------------------------------------------------------===//

#include "FoldGroup.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace aoa::affine;
using namespace aoa::affine::folding;

namespace {
/// Blocks that continue each other along one step.
class Row {
public:
  Row(PieceSet &set, const Block &first) : set(set), first(first) {}

  /// Adds `next` if it continues the row.
  bool add(const Block &next) {
    if (!hasStep())
      return begin(next);
    if (next.dstOffset - first.dstOffset != extent * step.dst ||
        next.srcOffset - first.srcOffset != extent * step.src)
      return false;
    if (next.form != lastForm) {
      std::optional<int64_t> more = extentOf(next.form);
      if (!more)
        return false;
      lastForm = next.form;
      lastExtent = *more;
    }
    extent += lastExtent;
    return true;
  }

  Block block() const {
    if (!hasStep())
      return first;
    Piece piece{
        rest.shape, {first.srcOffset, rest.src}, {first.dstOffset, rest.dst}};
    piece.shape.push_back(extent);
    piece.src.strides.push_back(step.src);
    piece.dst.strides.push_back(step.dst);
    return makeBlock(set, piece, first.tag);
  }

private:
  /// A form without one of its dimensions.
  struct CrossSection {
    Extents shape, src, dst;
  };

  bool hasStep() const { return step.dst != 0; }

  /// Takes the step that leads from the first block to `next`, one that either
  /// has along a dimension, if what they are besides is equal.
  bool begin(const Block &next) {
    Step link{next.dstOffset - first.dstOffset,
              next.srcOffset - first.srcOffset};
    if (link.dst <= 0 || link.src < 0)
      return false;
    auto shape = set.shapeOf(first.form);
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      Step own = stepOf(set, first.form, dim);
      if (own.dst > 0 && own.dst * shape[dim] == link.dst &&
          own.src * shape[dim] == link.src &&
          take(first.form, dim, shape[dim], next.form))
        return true;
    }
    for (unsigned dim = 0; dim < set.rankOf(next.form); ++dim)
      if (stepOf(set, next.form, dim) == link) {
        if (!isCrossSection(first.form, next.form, dim))
          return false;
        return take(next.form, dim, 1, next.form);
      }
    return false;
  }

  bool take(PieceSet::Form form, unsigned dim, int64_t firstExtent,
            PieceSet::Form next) {
    step = stepOf(set, form, dim);
    rest = {};
    for (unsigned i = 0; i < set.rankOf(form); ++i)
      if (i != dim) {
        rest.shape.push_back(set.shapeOf(form)[i]);
        rest.src.push_back(set.stridesOf(form, Side::Src)[i]);
        rest.dst.push_back(set.stridesOf(form, Side::Dst)[i]);
      }
    std::optional<int64_t> more = extentOf(next);
    if (!more) {
      step = {};
      return false;
    }
    lastForm = next;
    lastExtent = *more;
    extent = firstExtent + *more;
    return true;
  }

  bool isCrossSection(PieceSet::Form part, PieceSet::Form form,
                      unsigned dim) const {
    if (set.rankOf(part) + 1 != set.rankOf(form))
      return false;
    auto equal = [&](llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
      return a.take_front(dim) == b.take_front(dim) &&
             a.drop_front(dim) == b.drop_front(dim + 1);
    };
    return equal(set.shapeOf(part), set.shapeOf(form)) &&
           equal(set.stridesOf(part, Side::Src),
                 set.stridesOf(form, Side::Src)) &&
           equal(set.stridesOf(part, Side::Dst),
                 set.stridesOf(form, Side::Dst));
  }

  /// Returns how long a block of `form` is along the step, if it is the cross
  /// section besides.
  std::optional<int64_t> extentOf(PieceSet::Form form) const {
    auto shape = set.shapeOf(form);
    auto src = set.stridesOf(form, Side::Src),
         dst = set.stridesOf(form, Side::Dst);
    if (shape.size() == rest.shape.size())
      return shape == llvm::ArrayRef(rest.shape) &&
                     src == llvm::ArrayRef(rest.src) &&
                     dst == llvm::ArrayRef(rest.dst)
                 ? std::optional<int64_t>(1)
                 : std::nullopt;
    if (shape.size() != rest.shape.size() + 1)
      return std::nullopt;
    std::optional<int64_t> extent;
    for (unsigned i = 0, at = 0; i < shape.size(); ++i) {
      if (!extent && src[i] == step.src && dst[i] == step.dst) {
        extent = shape[i];
        continue;
      }
      if (at == rest.shape.size() || shape[i] != rest.shape[at] ||
          src[i] != rest.src[at] || dst[i] != rest.dst[at])
        return std::nullopt;
      ++at;
    }
    return extent;
  }

  PieceSet &set;
  Block first;
  Step step{}; ///< None yet: 0.
  CrossSection rest;
  int64_t extent = 1;
  PieceSet::Form lastForm = 0;
  int64_t lastExtent = 0;
};
} // namespace

/// Joins blocks that continue each other; nothing if that does not leave half
/// as many, which shows early.
static std::optional<Blocks> joinRows(PieceSet &set,
                                      llvm::ArrayRef<Block> blocks) {
  Blocks joined;
  size_t most = (blocks.size() + 1) / 2;
  for (size_t i = 0; i < blocks.size();) {
    Row row(set, blocks[i++]);
    while (i < blocks.size() && row.add(blocks[i]))
      ++i;
    if (joined.size() == std::min(most, i / 2 + 64))
      return std::nullopt;
    joined.push_back(row.block());
  }
  return joined;
}

std::optional<Block> folding::joinToOne(PieceSet &set,
                                        llvm::ArrayRef<Block> blocks) {
  std::optional<Blocks> joined;
  while (blocks.size() > 1) {
    std::optional<Blocks> next = joinRows(set, blocks);
    if (!next)
      break;
    joined = std::move(next);
    blocks = *joined;
  }
  return asOneBlock(set, blocks);
}

std::optional<Block> folding::asOneBlock(PieceSet &set,
                                         llvm::ArrayRef<Block> blocks) {
  for (const Block &block : blocks)
    if (block.form != blocks.front().form)
      return std::nullopt;
  Blocks fewer;
  while (blocks.size() > 1) {
    auto stepTo = [&](size_t i) {
      return Step{blocks[i].dstOffset - blocks[i - 1].dstOffset,
                  blocks[i].srcOffset - blocks[i - 1].srcOffset};
    };
    Step step = stepTo(1);
    if (step.dst <= 0 || step.src < 0)
      return std::nullopt;
    size_t count = 2;
    while (count < blocks.size() && stepTo(count) == step)
      ++count;
    if (blocks.size() % count != 0)
      return std::nullopt;
    for (size_t i = 0; i < blocks.size(); ++i)
      if (i % count != 0 && stepTo(i) != step)
        return std::nullopt;
    PieceSet::Form form =
        stacked(set, blocks[0], static_cast<int64_t>(count), step).form;
    Blocks next;
    next.reserve(blocks.size() / count);
    for (size_t i = 0; i < blocks.size(); i += count) {
      next.push_back(blocks[i]);
      next.back().form = form;
    }
    fewer = std::move(next);
    blocks = fewer;
  }
  if (!isInOrder(set, blocks[0].form, Side::Dst))
    return std::nullopt;
  return blocks[0];
}

bool folding::lieCrosswise(const PieceSet &set, llvm::ArrayRef<Block> blocks) {
  PieceSet::Form form = UINT32_MAX;
  int64_t dstSpan = 0, srcSpan = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0 && blocks[i].dstOffset - blocks[i - 1].dstOffset <= dstSpan)
      return false;
    if (blocks[i].form != form) {
      form = blocks[i].form;
      if (!isInOrder(set, form, Side::Dst))
        return false;
      dstSpan = spanOf(set, form, Side::Dst);
      srcSpan = spanOf(set, form, Side::Src);
    }
    if (i > 0 && blocks[i - 1].srcOffset - blocks[i].srcOffset <= srcSpan)
      return false;
  }
  return true;
}
