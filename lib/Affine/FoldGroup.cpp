//===- FoldGroup.cpp - The pieces of one tag --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Several ways to fold are tried and the shortest result is kept. All start
// from what the relation says by itself, so that cuts leave no trace; where
// that would be too much, from the pieces as they are, joined and cut again
// along the steps that they show.
//===----------------------------------------------------------------------===//

#include "FoldGroup.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace aoa::affine;
using namespace aoa::affine::folding;

Block folding::makeBlock(PieceSet &set, const Piece &piece, PieceSet::Tag tag) {
  Piece folded = foldDims(piece);
  return {folded.src.offset, folded.dst.offset,
          set.internForm(folded.shape, folded.src.strides, folded.dst.strides),
          tag};
}

Block folding::stacked(PieceSet &set, const Block &block, int64_t count,
                       Step step) {
  Piece piece = set.ref(block).piece();
  piece.shape.push_back(count);
  piece.src.strides.push_back(step.src);
  piece.dst.strides.push_back(step.dst);
  return makeBlock(set, piece, block.tag);
}

namespace {
/// A relation of no more blocks than this is taken apart before it is folded,
/// which makes its canonical form independent of all cuts.
constexpr size_t maxTakenApart = 4096;
/// A relation of no more elements than this is looked at from those, too.
constexpr int64_t maxElements = 512;

void foldWith(PieceSet &set, Blocks &blocks, bool joinFirst) {
  for (bool changed = true; changed && blocks.size() > 1;) {
    changed = false;
    if (joinFirst)
      changed |= joinBlocks(set, blocks, true);
    changed |= stackBlocks(set, blocks, 3);
    if (!joinFirst)
      changed |= joinBlocks(set, blocks, false);
    // Pairs only where nothing else is to be had: any two blocks make one.
    if (!changed)
      changed = stackBlocks(set, blocks, 2);
  }
}

/// The steps of `blocks`, those of the most elements first.
std::vector<Step> mainSteps(const PieceSet &set, llvm::ArrayRef<Block> blocks) {
  std::map<Step, int64_t> weights;
  for (const Block &block : blocks)
    for (unsigned dim = 0; dim < set.rankOf(block.form); ++dim)
      weights[stepOf(set, block.form, dim)] += set.ref(block).numElements();
  std::vector<std::pair<int64_t, Step>> order;
  for (auto [step, weight] : weights)
    order.emplace_back(weight, step);
  llvm::sort(order, std::greater<>());
  std::vector<Step> steps;
  for (auto [weight, step] : order)
    if (step.dst > 0 && steps.size() < 8)
      steps.push_back(step);
  return steps;
}

/// The shortest of several ways to fold the blocks of a tag; of equal ones the
/// first that was tried.
class Shortest {
public:
  explicit Shortest(PieceSet &work) : work(work) {}

  void tryFrom(const Blocks &start) {
    for (bool joinFirst : {true, false})
      if (!isDone()) {
        Blocks blocks = start;
        foldWith(work, blocks, joinFirst);
        keep(std::move(blocks));
      }
  }
  /// The steps that the best way has found lead from elements or cells to
  /// where neighbours by chance have hidden them.
  void tryAlongSteps(Blocks start) {
    if (isDone())
      return;
    joinSingles(work, start, mainSteps(work, best));
    foldWith(work, start, false);
    keep(std::move(start));
  }
  /// Whether there cannot be less: one block is found otherwise.
  bool isDone() const { return !best.empty() && best.size() <= 2; }
  Blocks best;

private:
  void keep(Blocks blocks) {
    if (best.empty() || blocks.size() < best.size())
      best = std::move(blocks);
  }
  PieceSet &work;
};

} // namespace

/// Takes the relation apart and tries from there; returns nothing if it is too
/// large for that.
static std::optional<Blocks>
foldApart(const PieceSet &set, llvm::ArrayRef<Block> blocks, PieceSet &work) {
  std::vector<Blocks> starts;
  for (int64_t minElements : {3, 2}) {
    auto runs = takeApart(set, blocks, minElements, maxTakenApart, work);
    if (!runs)
      return std::nullopt;
    // Two in a row are chance, unless all are twos.
    bool hasElements = llvm::any_of(*runs, [&](const Block &block) {
      return work.rankOf(block.form) == 0;
    });
    starts.push_back(std::move(*runs));
    if (auto cells = cutToCells(work, starts.back(), maxTakenApart))
      starts.push_back(std::move(*cells));
    if (!hasElements)
      break;
  }
  for (Blocks &start : starts) {
    if (!llvm::is_sorted(start, isBeforeInTag))
      llvm::sort(start, isBeforeInTag);
    if (std::optional<Block> one = asOneBlock(work, start))
      return Blocks{*one};
  }

  Shortest shortest(work);
  for (const Blocks &start : starts)
    shortest.tryFrom(start);
  if (auto elements = elementsOf(set, blocks, maxElements, work))
    shortest.tryAlongSteps(std::move(*elements));
  else
    shortest.tryAlongSteps(std::move(starts.back()));
  return std::move(shortest.best);
}

/// Folds blocks along the steps that they show.
static Blocks foldAlongSteps(PieceSet &work, Blocks blocks) {
  while (joinBlocks(work, blocks, true) && joinBlocks(work, blocks, false))
    ;
  Shortest shortest(work);
  for (bool smallStepsFirst : {true, false}) {
    Blocks start = blocks;
    recutBlocks(work, start, smallStepsFirst);
    shortest.tryFrom(start);
  }
  llvm::sort(shortest.best, [&](const Block &a, const Block &b) {
    return isBefore(work, a, b);
  });
  return std::move(shortest.best);
}

/// Takes apart, of a large relation, what is small: regions that no block
/// around them reaches into. Nothing if that is much in all.
static void takeSmallApart(PieceSet &work, Blocks &blocks) {
  llvm::sort(blocks, [&](const Block &a, const Block &b) {
    return isBefore(work, a, b);
  });
  Blocks small, large;
  for (size_t begin = 0; begin < blocks.size();) {
    int64_t last = INT64_MIN;
    int64_t numElements = 0;
    size_t end = begin;
    while (end < blocks.size() &&
           (end == begin || blocks[end].dstOffset <= last)) {
      const Block &block = blocks[end++];
      last =
          std::max(last, block.dstOffset + spanOf(work, block.form, Side::Dst));
      numElements = std::min(numElements + work.ref(block).numElements(),
                             maxElements + 1);
    }
    auto region = llvm::ArrayRef(blocks).slice(begin, end - begin);
    llvm::append_range(numElements <= maxElements ? small : large, region);
    begin = end;
  }
  if (small.empty())
    return;
  if (auto apart = takeApart(work, small, 3, maxTakenApart, work)) {
    llvm::append_range(large, *apart);
    blocks = std::move(large);
  }
}

/// Folds blocks as they are. Steps that come up on the way may lead to another
/// cut: again, until that settles.
static Blocks foldAsGiven(PieceSet &work, Blocks blocks) {
  for (int round = 0; round < 6; ++round) {
    Blocks start = blocks;
    while (joinBlocks(work, start, true) && joinBlocks(work, start, false))
      ;
    takeSmallApart(work, start);
    Blocks folded = foldAlongSteps(work, std::move(start));
    if (folded == blocks)
      break;
    blocks = std::move(folded);
  }
  return blocks;
}

void folding::foldGroup(PieceSet &set, Blocks &blocks) {
  PieceSet work;
  std::optional<Blocks> folded = foldApart(set, blocks, work);
  if (!folded) {
    Blocks copy;
    for (const Block &block : blocks)
      copy.push_back({block.srcOffset, block.dstOffset,
                      work.internForm(set.shapeOf(block.form),
                                      set.stridesOf(block.form, Side::Src),
                                      set.stridesOf(block.form, Side::Dst)),
                      block.tag});
    folded = foldAsGiven(work, std::move(copy));
  }
  blocks.clear();
  for (const Block &block : *folded)
    blocks.push_back(makeBlock(set, work.ref(block).piece(), block.tag));
}
