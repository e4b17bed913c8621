//===- Fold.cpp - The fewest pieces of one relation -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "aoa/Affine/Fold.h"
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

int folding::compareForms(const PieceSet &set, PieceSet::Form a,
                          PieceSet::Form b) {
  if (a == b)
    return 0;
  if (set.rankOf(a) != set.rankOf(b))
    return set.rankOf(a) < set.rankOf(b) ? -1 : 1;
  auto compare = [](llvm::ArrayRef<int64_t> x, llvm::ArrayRef<int64_t> y) {
    for (size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i])
        return x[i] < y[i] ? -1 : 1;
    return 0;
  };
  if (int order = compare(set.shapeOf(a), set.shapeOf(b)))
    return order;
  if (int order =
          compare(set.stridesOf(a, Side::Dst), set.stridesOf(b, Side::Dst)))
    return order;
  return compare(set.stridesOf(a, Side::Src), set.stridesOf(b, Side::Src));
}

bool folding::isBefore(const PieceSet &set, const Block &a, const Block &b) {
  if (a.dstOffset != b.dstOffset)
    return a.dstOffset < b.dstOffset;
  if (a.srcOffset != b.srcOffset)
    return a.srcOffset < b.srcOffset;
  if (int order = compareForms(set, a.form, b.form))
    return order < 0;
  return a.tag < b.tag;
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
      if (best.size() != 1) {
        Blocks blocks = start;
        foldWith(work, blocks, joinFirst);
        keep(std::move(blocks));
      }
  }
  /// Tries runs of takeApart, as they are and as cells; returns those.
  std::optional<Blocks> tryFromRuns(const Blocks &runs) {
    tryFrom(runs);
    std::optional<Blocks> cells = cutToCells(work, runs, maxTakenApart);
    if (cells)
      tryFrom(*cells);
    return cells;
  }
  /// The steps that the best way has found lead from elements or cells to
  /// where neighbours by chance have hidden them.
  void tryAlongSteps(Blocks start) {
    if (best.size() == 1)
      return;
    joinSingles(work, start, mainSteps(work, best));
    foldWith(work, start, false);
    keep(std::move(start));
  }
  Blocks best;

private:
  void keep(Blocks blocks) {
    if (best.empty() || blocks.size() < best.size())
      best = std::move(blocks);
  }
  PieceSet &work;
};

/// Folds blocks of one tag.
void foldGroup(PieceSet &set, Blocks &blocks) {
  PieceSet work;
  Shortest shortest(work);
  auto runsOf = [&](int64_t minElements) {
    return takeApart(set, blocks, minElements, maxTakenApart, work);
  };
  if (std::optional<Blocks> runs = runsOf(3)) {
    auto cells = shortest.tryFromRuns(*runs);
    // Two in a row are chance, unless all are twos.
    bool hasElements = llvm::any_of(*runs, [&](const Block &block) {
      return work.rankOf(block.form) == 0;
    });
    if (hasElements && shortest.best.size() > 1)
      if ((runs = runsOf(2)))
        shortest.tryFromRuns(*runs);
    if (auto elements = elementsOf(set, blocks, maxElements, work))
      shortest.tryAlongSteps(std::move(*elements));
    else if (cells)
      shortest.tryAlongSteps(std::move(*cells));
  } else {
    Blocks start;
    for (const Block &block : blocks)
      start.push_back({block.srcOffset, block.dstOffset,
                       work.internForm(set.shapeOf(block.form),
                                       set.stridesOf(block.form, Side::Src),
                                       set.stridesOf(block.form, Side::Dst)),
                       block.tag});
    joinBlocks(work, start, true);
    shortest.tryFrom(start);
  }
  blocks.clear();
  for (const Block &block : shortest.best)
    blocks.push_back(makeBlock(set, work.ref(block).piece(), block.tag));
}
} // namespace

void aoa::affine::fold(PieceSet &set) {
  Blocks blocks;
  for (size_t i = 0; i < set.size(); ++i)
    if (PieceRef piece = set[i]; !piece.isEmpty())
      blocks.push_back(makeBlock(set, piece.piece(), piece.tag));
  llvm::sort(blocks, [&](const Block &a, const Block &b) {
    return a.tag != b.tag ? a.tag < b.tag : isBefore(set, a, b);
  });
  Blocks result, group;
  for (size_t begin = 0; begin < blocks.size();) {
    size_t end = begin + 1;
    while (end < blocks.size() && blocks[end].tag == blocks[begin].tag)
      ++end;
    group.assign(blocks.begin() + begin, blocks.begin() + end);
    if (group.size() > 1)
      foldGroup(set, group);
    llvm::append_range(result, group);
    begin = end;
  }
  llvm::sort(result, [&](const Block &a, const Block &b) {
    return isBefore(set, a, b);
  });
  set.replaceEntries(std::move(result));
}

std::vector<Piece> aoa::affine::fold(std::vector<Piece> pieces) {
  PieceSet set;
  set.reserve(pieces.size());
  for (const Piece &piece : pieces)
    set.add(piece);
  fold(set);
  pieces.clear();
  for (size_t i = 0; i < set.size(); ++i)
    pieces.push_back(set[i].piece());
  return pieces;
}
