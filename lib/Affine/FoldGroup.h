//===- FoldGroup.h - The steps that fold the pieces of one tag --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The pieces of one tag as a list of *blocks*: entries whose forms live in the
// set that is folded. Every form is as foldDims leaves it, so equal blocks have
// equal forms. No step depends on the order of the blocks or on the numbers of
// forms.
//===----------------------------------------------------------------------===//
#ifndef AOA_LIB_AFFINE_FOLDGROUP_H
#define AOA_LIB_AFFINE_FOLDGROUP_H

#include "aoa/Affine/PieceSet.h"

namespace aoa::affine::folding {

using Block = PieceSet::Entry;
using Blocks = std::vector<Block>;

/// One step of a dimension on both sides. Ordered by dst, then src.
struct Step {
  int64_t dst, src;
  friend auto operator<=>(const Step &, const Step &) = default;
};
inline Step stepOf(const PieceSet &set, PieceSet::Form form, unsigned dim) {
  return {set.stridesOf(form, Side::Dst)[dim],
          set.stridesOf(form, Side::Src)[dim]};
}

/// Folds the dimensions of `piece` and interns its form.
Block makeBlock(PieceSet &set, const Piece &piece, PieceSet::Tag tag);
/// Returns `block` with one more dimension.
Block stacked(PieceSet &set, const Block &block, int64_t count, Step step);
/// Whether foldDims leaves pieces of `form` as they are.
bool isFolded(const PieceSet &set, PieceSet::Form form);
/// Whether the addresses of a side come in the order of the indexes, without
/// any twice.
bool isInOrder(const PieceSet &set, PieceSet::Form form, Side side);
/// The address of the last element, the first at 0. Requires no extent of 0.
int64_t spanOf(const PieceSet &set, PieceSet::Form form, Side side);
/// Orders forms by what they say: rank, shape, dst strides, src strides.
int compareForms(const PieceSet &set, PieceSet::Form a, PieceSet::Form b);
/// Orders by dst offset, then src offset.
bool isBeforeInTag(const Block &a, const Block &b);
/// The order of a folded set: dst offset, src offset, form, tag.
bool isBefore(const PieceSet &set, const Block &a, const Block &b);

/// Returns the elements, or nothing if there are more than `maxElements`.
std::optional<Blocks> elementsOf(const PieceSet &set,
                                 llvm::ArrayRef<Block> blocks,
                                 int64_t maxElements, PieceSet &to);

/// Folds the blocks of one tag. The result is in no order.
void foldGroup(PieceSet &set, Blocks &blocks);

/// Takes the relation apart into what it says by itself, whatever its cuts: the
/// longest runs of `minElements` or more dst addresses in a row whose src
/// addresses make equal steps, and the single elements between. Returns nothing
/// if that is more than `maxBlocks`.
std::optional<Blocks> takeApart(const PieceSet &set,
                                llvm::ArrayRef<Block> blocks,
                                int64_t minElements, size_t maxBlocks,
                                PieceSet &to);

/// Returns the one block that has all elements of `blocks` in the order of dst,
/// if there is one. Whatever src does: stride by stride the dst side leaves no
/// choice. Requires blocks in order of dst.
std::optional<Block> asOneBlock(PieceSet &set, llvm::ArrayRef<Block> blocks);

/// Joins blocks that continue each other in the order of dst, again and again;
/// what is left may be one progression. Returns that block, which is the
/// canonical form of the relation, if it is one in the order of dst. Requires
/// blocks in order of dst. Cost: linear.
std::optional<Block> joinToOne(PieceSet &set, llvm::ArrayRef<Block> blocks);

/// Whether nothing can be made of any of `blocks` and others: each is in the
/// order of dst, and they lie behind each other on the dst side in the order in
/// which they lie before each other on the src side, so no step (never
/// negative) leads from one into another. Requires blocks in order of dst.
/// Cost: linear.
bool lieCrosswise(const PieceSet &set, llvm::ArrayRef<Block> blocks);

/// Cuts runs that takeApart returned so that those of one src step are of one
/// length, the greatest that divides all of theirs: two blocks that happened to
/// follow each other are two again. Returns nothing if that is more than
/// `maxBlocks`, or changes nothing.
std::optional<Blocks> cutToCells(PieceSet &set, llvm::ArrayRef<Block> runs,
                                 size_t maxBlocks);

/// Stacks blocks of one form that make equal steps from one to the next, in the
/// order of dst or of src, whichever leaves less: the longest runs first, none
/// of fewer than `minBlocks`. Returns whether there were any.
bool stackBlocks(PieceSet &set, Blocks &blocks, int64_t minBlocks);

/// Joins blocks that continue each other along a dimension that one of them
/// has; the other may have lost it by being one index long. Small dst steps
/// first, or large ones. Returns whether there were any.
bool joinBlocks(PieceSet &set, Blocks &blocks, bool smallStepsFirst);

/// Joins blocks, also two that have lost the step, along each of `steps` in
/// turn.
void joinSingles(PieceSet &set, Blocks &blocks, llvm::ArrayRef<Step> steps);

/// Replaces the blocks that are boxes of one lattice, under one affine map, by
/// those that their union alone determines: longest runs along one dimension,
/// equal runs joined along the next.
void recutBlocks(PieceSet &set, Blocks &blocks, bool smallStepsFirst);

} // namespace aoa::affine::folding

#endif // AOA_LIB_AFFINE_FOLDGROUP_H
